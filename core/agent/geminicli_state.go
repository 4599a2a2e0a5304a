// Copyright The ctx-lsp authors. MIT licence.

package agent

func (g *geminiCLI) state(t *tape) {
	g.base(t)
	end := 0
	walkList(t, &g.messages, maxMessages, 19, func(i int, m *geminiMessage) {
		t.hash(&m.id)
		t.hash(&m.content)
		if t.has(stateIdentity) {
			t.within(&m.written, 0, latest)
		}
		first, items := m.first-end, int64(m.next-m.first)
		t.place(&first, 0)
		t.within(&items, 0, int64(g.items))
		m.first = end + first
		m.next = m.first + int(items)
		if end = m.next; end > g.items {
			t.damaged = true
		}
		placed := m.id != 0 && g.placeOf(m.id) == i
		t.bits(&placed)
		if placed && !t.writing {
			g.place(i)
		}
	})
}
