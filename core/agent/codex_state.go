// Copyright The ctx-lsp authors. MIT licence.

package agent

func (c *codex) state(t *tape) {
	c.base(t)
	t.place(&c.answer, -1)
	t.int(&c.total)
	t.bits(&c.first, &c.server, &c.aborted, &c.answered, &c.spoken)
	t.within(&c.last, 0, latest)
	c.tools.state(t)
	n := t.count(len(c.turns), maxTurns, 1)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			c.turns = append(c.turns, 0)
		}
		t.place(&c.turns[i], 0)
	}
}
