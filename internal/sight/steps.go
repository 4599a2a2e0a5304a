// Copyright The ctx-lsp authors. MIT licence.

package sight

// A step is something that an item did to the picture of a file: lines that it shows, or a change.
type step struct {
	by     origin
	block  block
	edit   *change
	text   string // the text of a block, split when it is needed
	number int    // the number of the first line of text; 0 if unknown
	eof    bool   // the text reaches the end of the file
}

// An applied model has the first n steps on a file.
type applied struct {
	m *model
	n int
}

// model applies the steps on a file in their order.
func (s *Session) model(path string) *model {
	done := s.models[path]
	if done == nil {
		done = &applied{m: &model{}}
		if s.models == nil {
			s.models = map[string]*applied{}
		}
		s.models[path] = done
	}
	steps := s.steps[path]
	for ; done.n < len(steps); done.n++ {
		done.m.apply(&steps[done.n])
	}
	return done.m
}

func (m *model) apply(st *step) {
	b, by := st.block, m.part(st.by)
	switch {
	case st.edit != nil:
		m.edit(*st.edit, by)
		return
	case b.lines == nil:
		b = block{start: st.number, lines: linesOf(st.text), eof: st.eof}
	}
	if by.loose {
		m.showLoosely(b, by)
	} else {
		m.show(b, by)
	}
}
