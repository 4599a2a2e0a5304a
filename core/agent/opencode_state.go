// Copyright The ctx-lsp authors. MIT licence.

package agent

func (o *openCode) state(t *tape) {
	o.base(t)
	walk(t, &o.messages, maxMessages, 2, func(m *openMessage) {
		t.place32(&m.first, 0)
		t.bits(&m.user, &m.done, &m.opening, &m.reasoned, &m.begun)
		if t.has(stateIdentity) {
			t.within(&m.created, 0, latest)
		}
	})
	walk(t, &o.parts, maxParts, 10, func(p *openPart) {
		t.place32(&p.index, -1)
		t.place32(&p.result, -1)
		t.hash(&p.content)
	})
	walkList(t, &o.cleared, maxMessages, 2, func(_ int, c *clearing) {
		t.place(&c.index, 0)
		t.within(&c.cleared, 0, latest)
	})
	t.hash(&o.block)
	t.hash(&o.summed)
	t.hash(&o.summing)
	t.bits(&o.byRow, &o.manual)
	if t.has(stateIdentity) {
		t.hash(&o.current)
		t.hash(&o.nameless)
	} else if !o.byRow {
		t.damaged = true // the parts of an export were known by other keys
	}
	o.twice.state(t)
}

func (d *doubled) state(t *tape) {
	t.bits(&d.asked)
	t.hash(&d.holds)
	if d.holds != 0 {
		stateOfMetered(t, &d.held)
	}
	t.int(&d.full)
	t.int(&d.halved)
	right, wrong := int64(d.right), int64(d.wrong)
	t.within(&right, 0, 1<<31-1)
	t.within(&wrong, 0, 1<<31-1)
	d.right, d.wrong = int(right), int(wrong)
}
