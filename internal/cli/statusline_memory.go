// Copyright The ctx-lsp authors. MIT licence.

package cli

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

// memory keeps the last good Reading of each session in the cache directory. A Reading holds numbers and labels, and no
// text of a conversation.
type memory struct{ folder string }

// remembered is one file of the memory.
type remembered struct {
	At      int64            `json:"at"` // milliseconds
	Stamp   string           `json:"stamp"`
	Taught  int64            `json:"taught,omitempty"`
	Reading json.RawMessage  `json:"reading"`
	Place   *transcript.Kept `json:"place,omitempty"` // of the session, where its agent does not say it
}

// maxRemembered is how many sessions are remembered.
const maxRemembered = 64

func openMemory(env *environment) memory {
	return memoryIn(env.host().CacheDir(), "statusline")
}

// memoryIn is the memory in a folder of a directory. Without a directory it keeps nothing.
func memoryIn(dir, name string) memory {
	if dir == "" {
		return memory{}
	}
	return memory{filepath.Join(dir, name)}
}

func (m memory) path(session string) string {
	return filepath.Join(m.folder, fingerprintOf(session)+".json")
}

// ledgerPath is where the ledger of a session is kept, beside its last Reading.
func (m memory) ledgerPath(session string) string {
	if m.folder == "" || session == "" {
		return ""
	}
	return filepath.Join(m.folder, fingerprintOf(session)+ledgerExt)
}

const ledgerExt = ".ledger"

func fingerprintOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

func (m memory) read(path string) (remembered, bool) {
	var r remembered
	if m.folder == "" {
		return r, false
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) > maxStatus || json.Unmarshal(text, &r) != nil || len(r.Reading) == 0 {
		return remembered{}, false
	}
	return r, true
}

// last is the last good Reading of a session; none when it is not known which
// one is meant, because another session's number would be wrong.
func (m memory) last(session string) ([]byte, time.Time) {
	r, ok := m.read(m.path(session))
	if !ok || session == "" {
		return nil, time.Time{}
	}
	return r.Reading, time.UnixMilli(r.At)
}

// same is the Reading that was made in exactly this state, or nil.
func (m memory) same(session, stamp string) []byte {
	if r, ok := m.read(m.path(session)); ok && r.Stamp == stamp {
		return r.Reading
	}
	return nil
}

// taught is how often a session had taught something when its last Reading was kept.
func (m memory) taught(session string) int64 {
	r, _ := m.read(m.path(session))
	return r.Taught
}

// place is where a session lay when its last Reading was kept, or nil.
func (m memory) place(session string) *transcript.Kept {
	r, _ := m.read(m.path(session))
	return r.Place
}

// keep remembers a Reading. Errors are ignored, because the status line is of use without it.
func (m memory) keep(session string, reading []byte, stamp string, taught int64, place *transcript.Kept) {
	if session == "" || m.folder == "" || os.MkdirAll(m.folder, 0o700) != nil {
		return
	}
	path := m.path(session)
	if old, ok := m.read(path); ok && stamp != "" && old.Stamp == stamp {
		return
	}
	text, err := json.Marshal(remembered{time.Now().UnixMilli(), stamp, taught, reading, place})
	if err != nil {
		return
	}
	m.write(path, text)
	m.prune(maxRemembered)
}

// write puts a file in its place, whole or not at all.
func (m memory) write(path string, text []byte) {
	if os.MkdirAll(m.folder, 0o700) != nil {
		return
	}
	_ = safefile.Replace(path, text)
}

// maxMemoryAge is how long a Reading is kept after it was made.
const maxMemoryAge = 30 * 24 * time.Hour

// prune removes old files, and all except the newest.
func (m memory) prune(most int) {
	for i, file := range m.files() {
		if i >= most || time.Since(file.at) > maxMemoryAge {
			os.Remove(file.path)
			os.Remove(strings.TrimSuffix(file.path, ".json") + ledgerExt)
		}
	}
}

type memoryFile struct {
	path string
	at   time.Time
}

// files lists the files of the memory, the newest first.
func (m memory) files() []memoryFile {
	if m.folder == "" {
		return nil
	}
	entries, _ := os.ReadDir(m.folder)
	var files []memoryFile
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && filepath.Ext(entry.Name()) == ".json" {
			files = append(files, memoryFile{filepath.Join(m.folder, entry.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b memoryFile) int { return b.at.Compare(a.at) })
	return files
}
