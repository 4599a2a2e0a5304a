// Copyright The ctx-lsp authors. MIT licence.

package agent

func (c *copilotCLI) state(t *tape) {
	c.base(t)
	t.bits(&c.warned)
	c.tools.state(t)
	c.children.state(t, func() Reader { return &copilotChild{} })
}
