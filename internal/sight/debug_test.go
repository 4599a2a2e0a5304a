package sight

import "fmt"

func (s *Session) Debug(path string) {
	for _, st := range s.steps[path] {
		fmt.Print(st.by, s.live(st.by), " start=", st.number, st.block.start, " n=", len(st.block.lines), " eof=", st.eof, st.block.eof)
		if st.edit != nil {
			fmt.Printf(" edit %q -> %q", st.edit.old, st.edit.new)
		}
		fmt.Println()
	}
	m := s.model(path)
	fmt.Println("begins", m.begins, m.ends)
	for _, c := range m.cells {
		fmt.Println("   ", c.number, c.text, c.by, c.older)
	}
	for _, f := range m.placeless {
		fmt.Printf("   placeless %q %v\n", f.lines, f.by)
	}
}
