// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

func (c *clineTask) state(t *tape) {
	c.base(t)
	t.int(&c.asked)
	t.bits(&c.holding, &c.hasRange, &c.summed, &c.sent)
	if c.holding {
		stateOfMetered(t, &c.held)
	}
	given := c.given.Request != ""
	t.bits(&given)
	if given {
		stateOfMetered(t, &c.given)
	}
	t.int(&c.ranged[0])
	t.int(&c.ranged[1])
	t.int(&c.window)
	c.tools.state(t)
	items := int64(0)
	walkList(t, &c.messages, maxMessages, 3, func(_ int, m *taskMessage) {
		held, hidden := int64(m.next-m.first), m.hiddenBy != 0
		t.place32(&m.first, 0)
		t.within(&held, 0, core.MaxItems-int64(m.first))
		m.next = m.first + int32(held)
		if items += held; items > core.MaxItems {
			t.damaged = true
		}
		t.bits(&hidden)
		if hidden {
			t.hash(&m.hiddenBy)
		}
	})
}
