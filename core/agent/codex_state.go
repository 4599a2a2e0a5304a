// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

func (c *codex) state(t *tape) {
	c.base(t)
	t.place(&c.answer, -1)
	t.int(&c.total)
	t.bits(&c.first, &c.server, &c.aborted, &c.answered, &c.spoken)
	t.within(&c.last, 0, latest)
	c.tools.state(t)
	walkList(t, &c.turns, maxTurns, 1, func(_ int, turn *int) { t.place(turn, 0) })
	if t.has(stateLeft) {
		t.within(&c.instructions, 0, core.MaxTokens)
		t.within(&c.left.bytes, 0, core.MaxTokens)
		t.place(&c.left.summary, 0)
	}
}
