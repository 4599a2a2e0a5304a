// Copyright The ctx-lsp authors. MIT licence.

package agent

func (c *claudeCode) state(t *tape) {
	c.base(t)
	split := len(c.chain.gone) > 0 || len(c.writers) > 0 || c.team != 0 || c.inside
	since := c.chain.since != 0
	t.bits(&c.begun, &c.sideOnly, &c.opted, &c.resuming, &c.old, &c.clears, &c.deferred, &split, &since)
	if since {
		t.int(&c.chain.since)
	}
	if split {
		c.splitState(t)
	}
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
	c.children.state(t, c.another)
}

func (m *microcompact) state(t *tape) {
	t.int(&m.base)
	t.int(&m.since)
	t.int(&m.total)
	walkList(t, &m.results, microcompactMost, 10, func(_ int, r *microResult) {
		t.hash(&r.call)
		t.place32(&r.index, -1)
		t.int(&r.tokens)
	})
}

// splitState is what is known of other writers. It stands in the state only
// where there is something of it.
func (c *claudeCode) splitState(t *tape) {
	t.bits(&c.inside)
	t.hash(&c.team)
	walkList(t, &c.writers, maxWriters, 8, func(_ int, writer *uint64) { t.hash(writer) })
	walkList(t, &c.chain.gone, maxSpans, 2, func(_ int, s *span) {
		after, last := int64(s.after), int64(s.last)
		t.within(&after, 0, 1<<31-1)
		t.within(&last, 0, 1<<31-1)
		s.after, s.last = int32(after), int32(last)
	})
}
