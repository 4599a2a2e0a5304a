// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"strings"
	"testing"
)

// TestWantedFilesAreBounded checks that only the last files are kept, each once, however many a transcript names.
func TestWantedFilesAreBounded(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	for i := range 1000 {
		s.Apply(FileUsed{Path: fmt.Sprint("file ", i%300), Use: FileRead})
	}
	if got := s.TakeWanted(); len(got) != wantedKept || got[0].Path != "file 200" || got[wantedKept-1].Path != "file 99" {
		t.Errorf("%d files are kept, from %v to %v", len(got), got[0], got[len(got)-1])
	}
	for i := range 10 {
		s.Apply(FileUsed{Path: fmt.Sprint(i, strings.Repeat("x", 4000)), Use: FileMentioned})
	}
	if got := s.TakeWanted(); len(got) != 4 || got[3].Path[0] != '9' {
		t.Errorf("%d long paths are kept", len(got))
	}
	s.Apply(FileUsed{Path: "a", Use: FileMentioned})
	m := NewMetered()
	m.In, m.Out = 1000, 10
	s.Apply(m)
	s.Apply(FileUsed{Path: "b", Use: FileMentioned})
	if got := s.TakeWanted(); len(got) != 2 || !got[0].Sent || got[1].Sent {
		t.Errorf("a measured prompt holds the first and not the second: %+v", got)
	}
	s.Apply(FileUsed{Path: "a", Use: FileMentioned})
	s.Apply(FileUsed{Use: FilesForgotten})
	if got := s.TakeWanted(); len(got) != 1 || got[0].Use != FilesForgotten {
		t.Errorf("what was forgotten is there: %+v", got)
	}
	if got := s.TakeWanted(); len(got) != 0 {
		t.Errorf("it is told twice: %+v", got)
	}
}
