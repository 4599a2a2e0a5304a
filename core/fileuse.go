// Copyright The ctx-lsp authors. MIT licence.

package core

// FileUse is an agent's use of a file, if it makes the agent send more of that file or of files near it than any record
// shows.
type FileUse uint8

// The uses of a file.
const (
	// FilesForgotten means that the agent has dropped its record of the files it sent: after a compaction it sends them
	// again. It has no path.
	FilesForgotten FileUse = iota
	// FileMentioned is a file that the user mentioned: it is sent with the prompt.
	FileMentioned
	// FileRead and FileReadInPart are files that the agent read: the memory files of their directories are sent with
	// them, and for a file that was read completely also its later changes.
	FileRead
	FileReadInPart
	// FileWritten is a file that the agent itself changes.
	FileWritten
)

func (u FileUse) String() string {
	return [...]string{"forgotten", "mentioned", "read", "readInPart", "written"}[u]
}

// FileUsed requests from a host with access to the file the content that is sent without a record. Hosts without files
// never get it.
type FileUsed struct {
	Path string // as written in the record, perhaps relative to the workspace
	Use  FileUse
}

func (FileUsed) event() {}

// WantedFile is a FileUsed with the time of its record, Unknown if it has none. Sent is set once a prompt has been
// measured, which contains the file.
type WantedFile struct {
	FileUsed
	At   int64
	Sent bool
}

// wantedKept and wantedBytes bound the list and the paths in it. The oldest entries are dropped.
const (
	wantedKept  = 200
	wantedBytes = 16 << 10
)

// wantFile records that an agent uses a file.
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

// filesSent marks all wanted files as sent with a measured prompt.
func (s *Session) filesSent() {
	for i := range s.wanted {
		s.wanted[i].Sent = true
	}
}

// TakeWanted returns the files that were used since its last call, in the order of their last uses.
func (s *Session) TakeWanted() []WantedFile {
	taken := s.wanted
	s.wanted = nil
	return taken
}
