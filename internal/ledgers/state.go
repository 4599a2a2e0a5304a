// Copyright The ctx-lsp authors. MIT licence.

// Package ledgers keeps saved sessions between runs of the daemon, each with the one process that may write it.
package ledgers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Limits of what is kept.
const (
	maxAge   = 30 * 24 * time.Hour
	maxFiles = 2000
	// MaxBytes is the largest ledger that is kept.
	MaxBytes = 64 << 20
	// Kept is how many bytes of earlier ledgers a file may hold, or four ledgers if that is more.
	Kept = 64 << 10
)

// Schema is the format of a saved line.
const Schema = "ctx.saved/1"

// State is the directory in which ledgers outlive the daemon: counts and labels, one file a session, readable by its
// owner alone. A ledger is written behind the one before it, on a line of its own, and the last whole line counts: what
// a crash or a full disk leaves half written costs nothing that was there. A file that has grown is written anew beside
// itself and put in its own place, so that a reader finds the one or the other. Writing a new file for every ledger
// would cost ten times as much.
type State struct {
	dir    string // of the ledgers
	base   string // above it
	Owners *owners
	File   func(name string) string // where the next ledger of a name is written before it takes the old one's place
}

// Open creates the directory if need be and removes what is too old. A directory that cannot be written is an
// error at the first save, not here: the daemon is of use without it.
func Open(dir string) *State {
	s := &State{dir: filepath.Join(dir, "ledgers"), base: dir, Owners: newOwners(filepath.Join(dir, "owners"))}
	s.File = func(name string) string { return filepath.Join(s.dir, fmt.Sprintf(".%s.%d.next", name, os.Getpid())) }
	s.Age(time.Now())
	s.Owners.clean()
	return s
}

// Saved is one line of a file: the ledger of a session, and when it was saved.
type Saved struct {
	Schema  string          `json:"schema"`
	Session string          `json:"session"`
	SavedAt int64           `json:"savedAt"`
	Ledger  json.RawMessage `json:"ledger"`
}

// encode writes the file; the ledger is JSON already and is not looked at again.
func (l Saved) encode() []byte {
	session, _ := json.Marshal(l.Session) // a string always encodes
	out := append(make([]byte, 0, len(l.Ledger)+len(session)+96), `{"schema":"`+l.Schema+`","session":`...)
	out = append(append(out, session...), `,"savedAt":`...)
	out = append(strconv.AppendInt(out, l.SavedAt, 10), `,"ledger":`...)
	return append(append(out, l.Ledger...), '}')
}

// Path is where the ledgers of a name are kept.
func (s *State) Path(name string) string { return filepath.Join(s.dir, name+".json") }

// Save writes one ledger.
func (s *State) Save(name string, saved Saved) error {
	body := saved.encode()
	if len(body) > MaxBytes {
		return fmt.Errorf("the ledger has %d bytes, and %d is the most that is kept", len(body), MaxBytes)
	}
	if done, err := s.add(name, body); done || err != nil {
		return err
	}
	next := s.File(name)
	err := os.WriteFile(next, body, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.dir, 0o700); err == nil {
			err = os.WriteFile(next, body, 0o600)
		}
	}
	if err == nil {
		err = os.Rename(next, s.Path(name))
	}
	if err != nil {
		os.Remove(next) // what is left of it helps nobody
	}
	return err
}

// add writes a ledger behind the ones before it, unless the file is to be written anew.
func (s *State) add(name string, body []byte) (done bool, err error) {
	f, err := os.OpenFile(s.Path(name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false, nil // there is none yet; if it is something else, writing it anew will tell
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size()+int64(len(body)) > int64(min(max(Kept, 4*len(body)), MaxBytes)) {
		return false, nil
	}
	// The line break comes first, for the line before may have been left without its end.
	_, err = f.Write(append(append(make([]byte, 0, len(body)+1), '\n'), body...))
	return err == nil, err
}

// Load returns the last ledger that was saved, nil when there is none that can be used.
func (s *State) Load(name string) (json.RawMessage, error) {
	ledgers, err := s.LoadLast(name, 1)
	if len(ledgers) == 0 {
		return nil, err
	}
	return ledgers[0], nil
}

// LoadLast returns so many of the ledgers that a file holds, the last one first: what the core refuses to go on with
// may have a good one before it. It tells of damage where there is none at all.
func (s *State) LoadLast(name string, most int) ([]json.RawMessage, error) {
	info, err := os.Stat(s.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxBytes {
		return nil, fmt.Errorf("%s is longer than %d bytes", s.Path(name), MaxBytes)
	}
	body, err := os.ReadFile(s.Path(name))
	if err != nil {
		return nil, err
	}
	var ledgers []json.RawMessage
	var damage error
	for {
		start := bytes.LastIndexByte(body, '\n') + 1
		var saved Saved
		switch err := json.Unmarshal(body[start:], &saved); {
		case err != nil && damage == nil:
			damage = fmt.Errorf("%s is damaged: %w", s.Path(name), err)
		case err == nil && saved.Schema == Schema:
			ledgers = append(ledgers, saved.Ledger)
		case err == nil && damage == nil:
			damage = fmt.Errorf("%s has the schema %q, this version reads %q", s.Path(name), saved.Schema, Schema)
		}
		if start == 0 || len(ledgers) == most {
			break
		}
		body = body[:start-1]
	}
	if len(ledgers) > 0 {
		damage = nil
	}
	return ledgers, damage
}
