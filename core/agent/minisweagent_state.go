// Copyright The ctx-lsp authors. MIT licence.

package agent

func (a *miniSWEAgent) state(t *tape) {
	a.base(t)
	t.within(&a.calls, 0, 1<<53)
	a.tools.state(t)
}
