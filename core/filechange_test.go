// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestChangedFilesAreMarked checks that the number has a mark, a range and the reason if the servers or the memory
// files were changed after the last measured prompt, and nothing of it if they were changed before, or once a prompt
// was measured again.
func TestChangedFilesAreMarked(t *testing.T) {
	const servers, memory = "the configured servers are not those of the last request", "memory files have changed since the last request"
	for name, c := range map[string]struct {
		changed    FilesChanged
		names      []string
		cause      string
		least, end int64 // of the range
	}{
		"nothing":            {FilesChanged{Unknown, Unknown}, nil, "", 20_000, 20_000},
		"before the request": {FilesChanged{900, 1000}, []string{"lab"}, "", 20_000, 20_000},
		"the only server":    {FilesChanged{2000, Unknown}, nil, servers, 15_000, 20_200},
		"another server":     {FilesChanged{2000, Unknown}, []string{"lab"}, servers, 19_800, 25_800},
		"memory":             {FilesChanged{Unknown, 2000}, []string{"lab"}, memory, 18_000, 23_000},
	} {
		s := New(Identity{Model: "one"}, plain{})
		s.Apply(At{1000})
		s.Apply(measured(20_000, 0))
		if len(c.names) > 0 {
			s.Apply(ServersConfigured{Names: c.names})
		}
		s.Apply(c.changed)
		again, ok := Restore(s.Save(), plain{})
		if !ok {
			t.Fatal("the session cannot be restored")
		}
		for _, one := range []*Session{s, again} {
			r := one.Reading()
			if r.RangeCause.String() != c.cause || r.Used != 20_000 || r.Low != c.least || r.High != c.end || (r.Basis == Measured) != (c.cause == "") {
				t.Errorf("%s: used %d (%v), %d to %d: %q", name, r.Used, r.Basis, r.Low, r.High, r.RangeCause)
			}
		}
		s.Apply(At{3000})
		s.Apply(measured(19_000, 0))
		if r := s.Reading(); !r.RangeCause.Empty() || r.Basis != Measured || r.Low != r.High {
			t.Errorf("%s, measured: %d to %d (%v): %q", name, r.Low, r.High, r.Basis, r.RangeCause)
		}
	}
}

// TestTheRangeOfChangedFilesDoesNotGrow checks that the range of a long conversation is that of its first prompt: the
// tools of a server are as large as they were.
func TestTheRangeOfChangedFilesDoesNotGrow(t *testing.T) {
	s := New(Identity{Model: "one"}, plain{})
	s.Apply(At{1000})
	s.Apply(measured(20_000, 0))
	s.Apply(measured(90_000, 0))
	s.Apply(FilesChanged{Servers: 2000, Memory: Unknown})
	if r := s.Reading(); r.Low != 85_000 || r.High != 90_200 {
		t.Errorf("%d to %d", r.Low, r.High)
	}
}

// TestAServerThatIsMissingMayHaveLeft checks that the range extends downwards if a server that was called is not
// configured any more.
func TestAServerThatIsMissingMayHaveLeft(t *testing.T) {
	for configured, want := range map[string]bool{"other": true, "lab": false} {
		s := New(Identity{Model: "one"}, plain{})
		s.Apply(At{1000})
		s.Apply(Appended{Item{Kind: ToolCalls, Name: "mcp__lab__tool", Tokens: 10}})
		s.Apply(measured(20_000, 0))
		s.Apply(ServersConfigured{Names: []string{configured}})
		s.Apply(FilesChanged{Servers: 2000, Memory: Unknown})
		if gone := s.Reading().Low < 19_000; gone != want {
			t.Errorf("%s is configured: it may have left: %t", configured, gone)
		}
	}
}
