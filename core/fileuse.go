// Copyright The ctx-lsp authors. MIT licence.

package core

// FileUse is what an agent does with a file, where that sends more of it, or of
// files around it, than any record shows.
type FileUse uint8

// The uses of a file.
const (
	// FilesForgotten says that the agent has forgotten what it sent of files:
	// after a compaction it sends them anew. It has no path.
	FilesForgotten FileUse = iota
	// FileMentioned is a file that the person named: it is sent with the prompt.
	FileMentioned
	// FileRead and FileReadInPart are files that were read: the memory files of
	// their folders come with them, and of one that was read as a whole what
	// changes later.
	FileRead
	FileReadInPart
	// FileWritten is a file that the agent itself changes.
	FileWritten
)

func (u FileUse) String() string {
	return [...]string{"forgotten", "mentioned", "read", "readInPart", "written"}[u]
}

// FileUsed asks a host that has the files for what is sent of one without a
// record. Whoever has no files never hears of it.
type FileUsed struct {
	Path string // as it is written there, perhaps relative to the workspace
	Use  FileUse
}

func (FileUsed) event() {}

// WantedFile is a FileUsed with the time of its record, Unknown where it has
// none. Sent says that a prompt has been measured since, which holds it.
type WantedFile struct {
	FileUsed
	At   int64
	Sent bool
}

// wantedKept and wantedBytes bound the list and the paths in it. The oldest are
// forgotten.
const (
	wantedKept  = 200
	wantedBytes = 16 << 10
)

// wantFile remembers that an agent uses a file.
func (s *Session) wantFile(e FileUsed) {
	if e.Use == FilesForgotten {
		s.wanted = s.wanted[:0]
	}
	room, from := wantedBytes-len(e.Path), len(s.wanted)
	for from > 0 && len(s.wanted)-from < wantedKept-1 && room >= len(s.wanted[from-1].Path) {
		from--
		room -= len(s.wanted[from].Path)
	}
	kept := s.wanted[:0]
	for _, old := range s.wanted[from:] {
		if old.FileUsed != e {
			kept = append(kept, old)
		}
	}
	s.wanted = append(kept, WantedFile{e, s.now, false})
}

// filesSent notes that a prompt was measured.
func (s *Session) filesSent() {
	for i := range s.wanted {
		s.wanted[i].Sent = true
	}
}

// TakeWanted returns the files that were used since it was last asked, in the
// order of their last uses.
func (s *Session) TakeWanted() []WantedFile {
	taken := s.wanted
	s.wanted = nil
	return taken
}
