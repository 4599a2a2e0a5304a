// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// KeptFor is how long the texts of a session stay in memory after the last answer.
	KeptFor = time.Minute
	// MostKept is how many sessions may have their texts in memory.
	MostKept = 3
)

// Sessions are those whose texts are in memory, because a client asks what they hold of files.
type Sessions struct {
	For time.Duration // KeptFor, but in tests

	mu    sync.Mutex // guards the fields below
	known map[string]*Entry
}

// An Entry is such a session. It must be locked while it answers.
type Entry struct {
	sync.Mutex
	*Live
	Workspace *Workspace // set by the first answer

	// These are guarded by the mutex of all of them.
	key   string
	used  uint64 // the number of the last use
	timer *time.Timer
}

// Of returns a session's entry, with files of its workspace or of another root. Its texts are dropped some time after
// the last call.
func (s *Sessions) Of(at transcript.Session, root string) *Entry {
	key := at.Path + "\x00" + at.ID
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]*Entry{}
	}
	last := uint64(0)
	for _, each := range s.known {
		last = max(last, each.used)
	}
	entry := s.known[key]
	if entry == nil {
		for len(s.known) >= MostKept {
			s.drop(s.oldest())
		}
		entry = &Entry{key: key}
		entry.Live = Follow(at, func(workspace string) Files {
			if root != "" {
				workspace = root
			}
			entry.Workspace = &Workspace{Root: workspace, Inside: true}
			return entry.Workspace
		})
		entry.timer = time.AfterFunc(s.For, func() { s.Drop(entry) })
		s.known[key] = entry
	}
	entry.used = last + 1
	entry.timer.Reset(s.For)
	return entry
}

// Len returns how many sessions have their texts in memory.
func (s *Sessions) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.known)
}

// oldest returns the session that was used least recently.
func (s *Sessions) oldest() (found *Entry) {
	for _, each := range s.known {
		if found == nil || each.used < found.used {
			found = each
		}
	}
	return found
}

// drop forgets a session; s.mu must be held.
func (s *Sessions) drop(entry *Entry) {
	entry.timer.Stop()
	delete(s.known, entry.key)
}

// Drop forgets a session, unless another entry has taken its place. It must be called after an error of its Next.
func (s *Sessions) Drop(entry *Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[entry.key] == entry {
		s.drop(entry)
	}
}
