// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

// ErrTaken says that another export writes into the folder.
var ErrTaken = errors.New("another export writes into this folder")

// A Folder is a table in files, one for each session and day: day=2026-11-22/agent=claude-code/NAME.parquet. A session
// that has not changed is left alone when the folder is written again, and the files of one that has are replaced.
type Folder struct {
	path   string
	format string
	lock   *flock.Flock

	mu      sync.Mutex
	journal *os.File
	done    map[string]entry
}

// An entry of the journal says what was written for a transcript. The last one of a transcript counts.
type entry struct {
	Transcript string   `json:"transcript"` // a hash of its path
	Size       int64    `json:"size"`
	Modified   int64    `json:"modified"`
	Format     string   `json:"format"`
	Schema     string   `json:"schema"`
	Named      string   `json:"named"` // how sessions are named, without the key
	Files      []string `json:"files"`
}

const journalName = "_ctx-export.jsonl"

// OpenFolder makes or opens a folder for rows in a format.
func OpenFolder(path, format string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	f := &Folder{path: path, format: format, lock: flock.New(filepath.Join(path, "_ctx-export.lock")), done: map[string]entry{}}
	held, err := f.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, ErrTaken
	}
	f.journal, err = os.OpenFile(filepath.Join(path, journalName), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, errors.Join(err, f.lock.Unlock())
	}
	lines := bufio.NewScanner(f.journal)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) == nil { // a line that was cut off counts for nothing
			f.done[e.Transcript] = e
		}
	}
	if err := lines.Err(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	_, err = f.journal.WriteString("\n") // behind a line that was cut off
	return f, err
}

// Close ends the writing.
func (f *Folder) Close() error {
	err := f.journal.Close()
	return errors.Join(err, f.lock.Unlock()) // the file of the lock stays: who waits for it may hold it already
}

func entryOf(s source.Session, format string, names Names) entry {
	path := sha256.Sum256([]byte(s.Path + "\x00" + s.ID))
	named := "plain"
	if !names.Plain {
		key := sha256.Sum256(append([]byte("ctx export"), names.Key...))
		named = hex.EncodeToString(key[:8])
	}
	return entry{
		Transcript: hex.EncodeToString(path[:16]), Size: s.Size, Modified: s.Modified.UnixMilli(), Format: format, Schema: Schema, Named: named, Files: []string{},
	}
}

// Has says whether a session stands in the folder as it is now.
func (f *Folder) Has(s source.Session, names Names) bool {
	now := entryOf(s, f.format, names)
	f.mu.Lock()
	defer f.mu.Unlock()
	was, ok := f.done[now.Transcript]
	now.Files = was.Files
	return ok && now.Size == was.Size && now.Modified == was.Modified && now.Format == was.Format && now.Schema == was.Schema && now.Named == was.Named
}

// Put writes the rows of a session. Each file appears whole or not at all, and those that the session had before and
// has no more are removed.
func (f *Folder) Put(s source.Session, names Names, rows []*Row) error {
	now := entryOf(s, f.format, names)
	byFile := map[string][]*Row{}
	var files []string
	for _, row := range rows {
		day := "unknown"
		if row.Time != nil {
			day = row.Time.Format("2006-01-02")
		}
		name := filepath.Join("day="+day, "agent="+safe(row.Agent), now.Transcript+"."+f.format)
		if byFile[name] == nil {
			files = append(files, name)
		}
		byFile[name] = append(byFile[name], row)
	}
	for _, name := range files {
		if err := f.write(name, byFile[name]); err != nil {
			return err
		}
	}
	for _, name := range files {
		now.Files = append(now.Files, filepath.ToSlash(name))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, old := range f.done[now.Transcript].Files {
		if path := filepath.FromSlash(old); !slices.Contains(now.Files, old) && filepath.IsLocal(path) {
			_ = os.Remove(filepath.Join(f.path, path)) // it may be gone already
		}
	}
	line, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if _, err := f.journal.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("the journal of the folder: %w", err)
	}
	f.done[now.Transcript] = now
	return nil
}

func (f *Folder) write(name string, rows []*Row) (err error) {
	path := filepath.Join(f.path, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary := path + ".part"
	out, err := os.Create(temporary)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary))
		}
	}()
	w, err := NewWriter(f.format, out)
	for i := 0; i < len(rows) && err == nil; i++ {
		err = w.Write(rows[i])
	}
	if w != nil {
		err = errors.Join(err, w.Close())
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// safe is an agent's name as a part of a path.
func safe(agent string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, agent)
}
