// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Notes are small files in one directory, one for each session: the last good Reading of a status line, or a mark of
// what was already reported. A Reading contains numbers, labels and the title, and no other text of a conversation.
type Notes struct{ Folder string }

// remembered is a note with a Reading.
type remembered struct {
	At      int64            `json:"at"` // milliseconds
	Stamp   string           `json:"stamp"`
	Lessons int64            `json:"taught,omitempty"`
	Reading json.RawMessage  `json:"reading"`
	Place   *transcript.Kept `json:"place,omitempty"` // the session's position, if its agent does not report it
}

// maxRemembered is how many sessions are remembered.
const maxRemembered = 64

// NotesIn returns the notes in a subdirectory of dir. If dir is empty, nothing is kept.
func NotesIn(dir, name string) Notes {
	if dir == "" {
		return Notes{}
	}
	return Notes{filepath.Join(dir, name)}
}

// Path returns the path of a session's note.
func (n Notes) Path(session string) string {
	return filepath.Join(n.Folder, Fingerprint(session)+".json")
}

// LedgerPath returns the path of a session's ledger, next to its last Reading; "" if nothing is kept.
func (n Notes) LedgerPath(session string) string {
	if n.Folder == "" || session == "" {
		return ""
	}
	return filepath.Join(n.Folder, Fingerprint(session)+ledgerExt)
}

// maxNoteBytes is the size limit of a note that is read.
const maxNoteBytes = 1 << 20

const ledgerExt = ".ledger"

// Fingerprint returns a short hash of a text, for use as a file name.
func Fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

func (n Notes) read(path string) (remembered, bool) {
	var r remembered
	if n.Folder == "" {
		return r, false
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) > maxNoteBytes || json.Unmarshal(text, &r) != nil || len(r.Reading) == 0 {
		return remembered{}, false
	}
	return r, true
}

// Last returns a session's last good Reading and its time; nil if there is none, or if session is "", because another
// session's number would be wrong.
func (n Notes) Last(session string) ([]byte, time.Time) {
	r, ok := n.read(n.Path(session))
	if !ok || session == "" {
		return nil, time.Time{}
	}
	return r.Reading, time.UnixMilli(r.At)
}

// Same returns the session's Reading if it was made with the same stamp, or nil.
func (n Notes) Same(session, stamp string) []byte {
	if r, ok := n.read(n.Path(session)); ok && r.Stamp == stamp {
		return r.Reading
	}
	return nil
}

// Lessons returns how often corrections had been learned from a session when its last Reading was kept.
func (n Notes) Lessons(session string) int64 {
	r, _ := n.read(n.Path(session))
	return r.Lessons
}

// Place returns a session's position when its last Reading was kept, or nil.
func (n Notes) Place(session string) *transcript.Kept {
	r, _ := n.read(n.Path(session))
	return r.Place
}

// Keep saves a Reading. Errors are ignored, because the status line works without it.
func (n Notes) Keep(session string, reading []byte, stamp string, taught int64, place *transcript.Kept) {
	if session == "" || n.Folder == "" || os.MkdirAll(n.Folder, 0o700) != nil {
		return
	}
	path := n.Path(session)
	if old, ok := n.read(path); ok && stamp != "" && old.Stamp == stamp {
		return
	}
	text, err := json.Marshal(remembered{time.Now().UnixMilli(), stamp, taught, reading, place})
	if err != nil {
		return
	}
	n.Write(path, text)
	n.Prune(maxRemembered)
}

// Write replaces a file atomically.
func (n Notes) Write(path string, text []byte) {
	if os.MkdirAll(n.Folder, 0o700) != nil {
		return
	}
	_ = safefile.Replace(path, text)
}

// maxNoteAge is how long a Reading is kept after it was made.
const maxNoteAge = 30 * 24 * time.Hour

// Prune removes old notes, and all but the newest if there are more than most. It removes the ledgers of the same
// sessions too.
func (n Notes) Prune(most int) {
	for i, file := range n.Files() {
		if i >= most || time.Since(file.At) > maxNoteAge {
			os.Remove(file.Path)
			os.Remove(strings.TrimSuffix(file.Path, ".json") + ledgerExt)
		}
	}
}

// A Note is one file.
type Note struct {
	Path string
	At   time.Time
}

// Files lists the notes, the newest first.
func (n Notes) Files() []Note {
	if n.Folder == "" {
		return nil
	}
	entries, _ := os.ReadDir(n.Folder)
	var files []Note
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && filepath.Ext(entry.Name()) == ".json" {
			files = append(files, Note{filepath.Join(n.Folder, entry.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b Note) int { return b.At.Compare(a.At) })
	return files
}
