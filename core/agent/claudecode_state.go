// Copyright The ctx-lsp authors. MIT licence.

package agent

func (c *claudeCode) state(t *tape) {
	c.base(t)
	t.bits(&c.begun, &c.sideOnly, &c.opted, &c.resuming, &c.old, &c.clears, &c.deferred)
	t.hash(&c.request)
	t.int(&c.out)
	if t.has(stateIdentity) {
		t.hash(&c.asked)
		t.int(&c.in)
	}
	t.place(&c.through, 0)
	c.tools.state(t)
	c.files.state(t)
	c.micro.state(t)
	if t.has(stateUnseen) {
		c.reminders.state(t)
		t.int(&c.own)
	}
	c.chain.state(t) // the largest part comes late, when it is known what room there is
	c.children.state(t, func() Reader { return &claudeCode{} })
}

func (m *microcompact) state(t *tape) {
	t.int(&m.base)
	t.int(&m.since)
	t.int(&m.total)
	n := t.count(len(m.results), microcompactMost, 10)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			m.results = append(m.results, microResult{})
		}
		r := &m.results[i]
		t.hash(&r.call)
		t.place32(&r.index, -1)
		t.int(&r.tokens)
	}
}
