// Copyright The ctx-lsp authors. MIT licence.

// Package ledgers keeps saved sessions between runs of the daemon, each with the one process that may write it.
package ledgers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
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

// State is the directory in which ledgers outlive the daemon: counts and labels, one file a session, readable by its
// owner alone. A ledger is written behind the one before it, on a line of its own, and the last whole line counts: what
// a crash or a full disk leaves half written costs nothing that was there. A file that has grown is followed by the
// next of its generations, under a name that was never used. The one before it is removed when the new one is safe from
// a power cut. Writing a new file for every ledger would cost ten times as much.
type State struct {
	dir    string // of the ledgers
	base   string // above it
	Owners *owners
	disk   Disk
	syncs  syncs

	mu    sync.Mutex             // guards the field below
	files map[string]generations // of the files that this daemon writes
}

// Open removes what is too old and begins to sync what a daemon that was killed may have left in memory. A directory
// that cannot be written is an error at the first save, not here: the daemon is of use without it.
func Open(dir string) *State { return OpenOn(System{}, dir) }

// OpenOn is Open on another disk.
func OpenOn(disk Disk, dir string) *State {
	s := &State{
		dir: filepath.Join(dir, "ledgers"), base: dir, disk: disk,
		Owners: newOwners(filepath.Join(dir, "owners")), syncs: newSyncs(), files: map[string]generations{},
	}
	s.Age(time.Now())
	s.Owners.clean()
	return s
}

// Path is where the first of the ledgers of a file is kept.
func (s *State) Path(file string) string { return s.place(file, 1) }

// Save writes one ledger. It is safe from a crash when Save returns, and from a power cut within a second; see syncs.
func (s *State) Save(file string, saved Saved) error {
	body := saved.encode()
	if len(body) > MaxBytes {
		return fmt.Errorf("the ledger has %d bytes, and %d is the most that is kept", len(body), MaxBytes)
	}
	has, err := s.generationsOf(file)
	if err != nil {
		return err
	}
	if newest := has.newest(); newest > 0 {
		path := s.place(file, newest)
		if !s.syncs.distrusts(path) {
			if done, err := s.add(path, body); done || err != nil {
				if done {
					s.wrote(path)
				}
				return err
			}
		}
	}
	return s.begin(file, has, body)
}

// begin writes the first ledger of a new generation.
func (s *State) begin(file string, has generations, body []byte) error {
	s.Owners.writes()
	path := s.place(file, has.last+1)
	f, err := s.disk.Open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.makeFolders(s.dir); err == nil {
			f, err = s.disk.Open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		}
	}
	if err == nil {
		_, err = f.Write(append(seal(body, 0), '\n'))
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			_ = s.disk.Remove(path) // what is left of it helps nobody
		}
	}
	if err != nil {
		return err
	}
	s.thin(file, &has)
	s.grown(file, has)
	s.follows(path, replaced{file, has.there})
	return nil
}

// makeFolders makes a folder and those above it that are missing, and has their names synced.
func (s *State) makeFolders(path string) error {
	err := s.disk.Mkdir(path)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
		if err = s.makeFolders(filepath.Dir(path)); err == nil {
			err = s.disk.Mkdir(path)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		s.named(filepath.Dir(path))
	}
	return err
}

// add writes a ledger behind the ones before it, unless the file is full or not there.
func (s *State) add(path string, body []byte) (done bool, err error) {
	f, err := s.disk.Open(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return false, nil // there is none any more; if it is something else, a new generation will tell
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
	// There is a line break before it, for the line before may have been left without its end, and one behind it, so
	// that it does not need what is written next.
	line := append(append(make([]byte, 0, len(body)+2), '\n'), seal(body, info.Size()+1)...)
	_, err = f.Write(append(line, '\n'))
	return err == nil, err
}

// Load returns the last ledger that was saved, nil when there is none that can be used.
func (s *State) Load(file string) (json.RawMessage, error) {
	ledgers, err := s.LoadLast(file, 1)
	if len(ledgers) == 0 {
		return nil, err
	}
	return ledgers[0], nil
}

// LoadLast returns so many of the ledgers that a file holds, the last one first: what the core refuses to go on with
// may have a good one before it. It tells of damage where there is none at all. Where one cannot be read now it returns
// none: an older one would be taken for the last.
func (s *State) LoadLast(file string, most int) ([]json.RawMessage, error) {
	var ledgers []json.RawMessage
	var damage error
	has, err := s.generationsOf(file)
	if err != nil {
		return nil, err
	}
	for there := has.there; len(there) > 0 && len(ledgers) < most; there = there[:len(there)-1] {
		body, err := s.read(s.place(file, there[len(there)-1]))
		if err == nil {
			ledgers, err = lastIn(body, most, ledgers)
		}
		if isUnreadable(err) {
			return nil, err
		}
		if err != nil && damage == nil {
			damage = fmt.Errorf("%s: %w", s.place(file, there[len(there)-1]), err)
		}
	}
	if len(ledgers) > 0 {
		damage = nil
	}
	return ledgers, damage
}
