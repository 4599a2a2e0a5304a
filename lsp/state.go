// Copyright The ctx-lsp authors. MIT licence.

package lsp

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
	maxStateAge   = 30 * 24 * time.Hour
	maxStateFiles = 2000
	maxLedger     = 64 << 20
	keptLedgers   = 64 << 10 // bytes of earlier ledgers that a file may hold, or four ledgers if that is more
	savedSchema   = "ctx.saved/1"
)

// State is the directory in which ledgers outlive the daemon: counts and labels, one file a session, readable by its
// owner alone. A ledger is written behind the one before it, on a line of its own, and the last whole line counts: what
// a crash or a full disk leaves half written costs nothing that was there. A file that has grown is written anew beside
// itself and put in its own place, so that a reader finds the one or the other. Writing a new file for every ledger
// would cost ten times as much.
type State struct {
	dir    string // of the ledgers
	base   string // above it
	owners *owners
	file   func(name string) string // where the next ledger of a name is written before it takes the old one's place
}

// OpenState creates the directory if need be and removes what is too old. A directory that cannot be written is an
// error at the first save, not here: the daemon is of use without it.
func OpenState(dir string) *State {
	s := &State{dir: filepath.Join(dir, "ledgers"), base: dir, owners: newOwners(filepath.Join(dir, "owners"))}
	s.file = func(name string) string { return filepath.Join(s.dir, fmt.Sprintf(".%s.%d.next", name, os.Getpid())) }
	s.age(time.Now())
	s.owners.clean()
	return s
}

type savedLedger struct {
	Schema  string          `json:"schema"`
	Session string          `json:"session"`
	SavedAt int64           `json:"savedAt"`
	Ledger  json.RawMessage `json:"ledger"`
}

// encode writes the file; the ledger is JSON already and is not looked at again.
func (l savedLedger) encode() []byte {
	session, _ := json.Marshal(l.Session) // a string always encodes
	out := append(make([]byte, 0, len(l.Ledger)+len(session)+96), `{"schema":"`+l.Schema+`","session":`...)
	out = append(append(out, session...), `,"savedAt":`...)
	out = append(strconv.AppendInt(out, l.SavedAt, 10), `,"ledger":`...)
	return append(append(out, l.Ledger...), '}')
}

func (s *State) path(name string) string { return filepath.Join(s.dir, name+".json") }

// save writes one ledger.
func (s *State) save(name string, saved savedLedger) error {
	body := saved.encode()
	if len(body) > maxLedger {
		return fmt.Errorf("the ledger has %d bytes, and %d is the most that is kept", len(body), maxLedger)
	}
	if done, err := s.add(name, body); done || err != nil {
		return err
	}
	next := s.file(name)
	err := os.WriteFile(next, body, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.dir, 0o700); err == nil {
			err = os.WriteFile(next, body, 0o600)
		}
	}
	if err == nil {
		err = os.Rename(next, s.path(name))
	}
	if err != nil {
		os.Remove(next) // what is left of it helps nobody
	}
	return err
}

// add writes a ledger behind the ones before it, unless the file is to be written anew.
func (s *State) add(name string, body []byte) (done bool, err error) {
	f, err := os.OpenFile(s.path(name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false, nil // there is none yet; if it is something else, writing it anew will tell
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size()+int64(len(body)) > int64(min(max(keptLedgers, 4*len(body)), maxLedger)) {
		return false, nil
	}
	// The line break comes first, for the line before may have been left without its end.
	_, err = f.Write(append(append(make([]byte, 0, len(body)+1), '\n'), body...))
	return err == nil, err
}

// load returns the last ledger that was saved, nil when there is none that can be used.
func (s *State) load(name string) (json.RawMessage, error) {
	ledgers, err := s.loadLast(name, 1)
	if len(ledgers) == 0 {
		return nil, err
	}
	return ledgers[0], nil
}

// loadLast returns so many of the ledgers that a file holds, the last one first: what the core refuses to go on with
// may have a good one before it. It tells of damage where there is none at all.
func (s *State) loadLast(name string, most int) ([]json.RawMessage, error) {
	info, err := os.Stat(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > maxLedger {
		return nil, fmt.Errorf("%s is longer than %d bytes", s.path(name), maxLedger)
	}
	body, err := os.ReadFile(s.path(name))
	if err != nil {
		return nil, err
	}
	var ledgers []json.RawMessage
	var damage error
	for {
		start := bytes.LastIndexByte(body, '\n') + 1
		var saved savedLedger
		switch err := json.Unmarshal(body[start:], &saved); {
		case err != nil && damage == nil:
			damage = fmt.Errorf("%s is damaged: %w", s.path(name), err)
		case err == nil && saved.Schema == savedSchema:
			ledgers = append(ledgers, saved.Ledger)
		case err == nil && damage == nil:
			damage = fmt.Errorf("%s has the schema %q, this version reads %q", s.path(name), saved.Schema, savedSchema)
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
