// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

func (a *miniSWEAgent) state(t *tape) {
	a.base(t)
	t.within(&a.calls, 0, 1<<53)
	a.tools.state(t)
	if t.has(statePrefix) {
		what := int64(a.doing.What)
		t.within(&what, 0, int64(core.OfOthers))
		a.doing.What = core.What(what)
		t.name(&a.doing.Holder)
		t.name(&a.doing.Name)
	}
}
