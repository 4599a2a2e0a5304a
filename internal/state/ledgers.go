// Copyright The ctx-lsp authors. MIT licence.

// Package state keeps small things between runs, each whole or not at all, bounded, and without text of a conversation:
//
//   - [Ledgers]: the daemon's saved sessions; only one process writes each of them
//   - [Learned]: learned corrections, as small numbers
//   - [Limits]: account limits that agents reported
//   - [Index]: what was found in files of sessions
//   - [Notes] and [HookMarks]: the last Reading of a status line, and the levels that hooks have reported
package state

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

// Limits on the ledgers kept.
const (
	maxAge   = 30 * 24 * time.Hour
	maxFiles = 2000
	// MaxLedgerBytes is the largest ledger that is kept.
	MaxLedgerBytes = 64 << 20
	// KeptLedgerBytes is how many bytes of earlier ledgers a file may hold; four ledgers may stay even if they are more.
	KeptLedgerBytes = 64 << 10
)

// Ledgers is the directory in which ledgers outlive the daemon: counts, labels and titles, one file for each session,
// readable only by its owner. Each ledger is appended to its file as a line, and the last complete line is used, so
// that a crash or a full disk during a write loses no earlier ledger. When a file has grown too large, the next ledger
// starts a new generation under a name never used before; the old generation is removed as soon as the new one is safe
// from a power cut. Writing a new file for every ledger would cost ten times as much.
type Ledgers struct {
	dir    string // the folder of the ledgers' folders
	base   string // the folder above it
	ends   string // the folder of the ends of ledgers
	Owners *owners
	disk   Disk
	syncs  syncs
	saved  savedNames

	folders    int
	secretOnce sync.Once
	secret     string

	mu     sync.Mutex             // guards the fields below
	files  map[string]generations // the files that this daemon writes
	behind map[string]bool        // the files without the latest change
}

// OpenLedgers removes ledgers that are too old, and starts to sync what a killed daemon may have left in memory. If the
// directory cannot be written, the first save returns the error, because the daemon is useful without it.
func OpenLedgers(dir string) *Ledgers { return OpenLedgersOn(System{}, dir) }

// OpenLedgersOn is OpenLedgers on a given disk.
func OpenLedgersOn(disk Disk, dir string) *Ledgers {
	return openWith(disk, dir, func(pause time.Duration, round func()) { time.AfterFunc(pause, round) })
}

// openWith is OpenLedgersOn with a timer for the rounds of syncs. The first round may be due at once.
func openWith(disk Disk, dir string, after func(pause time.Duration, round func())) *Ledgers {
	s := &Ledgers{
		dir: filepath.Join(dir, "ledgers"), base: dir, ends: filepath.Join(dir, "ends"), disk: disk,
		Owners: newOwners(filepath.Join(dir, ownersName)), syncs: newSyncs(after), folders: folders, files: map[string]generations{},
		behind: map[string]bool{}, saved: newSavedNames(),
	}
	s.Age(time.Now())
	s.Owners.clean()
	return s
}

// Path returns the path of a file's first generation.
func (s *Ledgers) Path(file string) string { return s.place(file, 1) }

// Save appends one ledger to its file. When it returns, the ledger is safe from a crash of the daemon; within a second
// it is also safe from a power cut (see syncs).
func (s *Ledgers) Save(file string, saved Saved) error {
	body := saved.encode()
	if len(body) > MaxLedgerBytes {
		return fmt.Errorf("the ledger has %d bytes, and at most %d are saved", len(body), MaxLedgerBytes)
	}
	has, err := s.generationsOf(file)
	if err != nil {
		return err
	}
	if newest := has.newest(); newest > 0 {
		path := s.place(file, newest)
		if !s.syncs.distrusts(path) {
			if done, size, err := s.add(file, newest, body); done || err != nil {
				if done {
					s.ended(file, newest, size)
					s.wrote(path)
				}
				return err
			}
		}
	}
	return s.begin(file, has, body)
}

// begin writes the first ledger of a new generation.
func (s *Ledgers) begin(file string, has generations, body []byte) error {
	s.Owners.writes()
	path := s.place(file, has.last+1)
	f, err := s.disk.Open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.makeAllFolders(nameOf(file)); err == nil {
			f, err = s.disk.Open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		}
	}
	if err != nil {
		return err
	}
	if has.last == 0 {
		s.recordEnd(file, end{generation: 1})
	}
	_, err = f.Write(append(seal(body, 0, nameOf(file)), '\n'))
	if closed := f.Close(); err == nil {
		err = closed
	}
	switch {
	case err == nil:
		s.ended(file, has.last+1, int64(len(body))+1)
	case has.last == 0:
		s.grown(file, has) // the file shows that there is a session, whose ledger could not be written
		return err
	default:
		_ = s.disk.Remove(path) // an unfinished generation is of no use
		return err
	}
	s.thin(file, &has)
	s.grown(file, has)
	s.follows(path, replaced{file, has.existing})
	return nil
}

// makeFolders creates a directory and its missing parents, and schedules a sync of their names.
func (s *Ledgers) makeFolders(path string) error {
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

// add appends a ledger to a generation of its file, and returns the generation's new size. done is false if it is full
// or missing.
func (s *Ledgers) add(file string, generation int, body []byte) (done bool, size int64, err error) {
	f, err := s.disk.Open(s.place(file, generation), os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return false, 0, nil // if something else has this name, starting a new generation returns the error
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size()+int64(len(body)) > int64(min(max(KeptLedgerBytes, 4*len(body)), MaxLedgerBytes)) {
		return false, 0, nil
	}
	// A line break comes first because the previous line may be unterminated, and another one follows so that this line
	// is complete without the next.
	line := append(append(make([]byte, 0, len(body)+2), '\n'), seal(body, info.Size()+1, nameOf(file))...)
	_, err = f.Write(append(line, '\n'))
	return err == nil, info.Size() + int64(len(line)) + 1, err
}

// Load returns the ledger saved last, nil if there is no usable one.
func (s *Ledgers) Load(file string) (json.RawMessage, error) {
	ledgers, _, err := s.LoadLast(file, 1)
	if len(ledgers) == 0 {
		return nil, err
	}
	return ledgers[0], nil
}

// LoadLast returns at most that many ledgers of a file, the latest first: if core refuses the latest, the previous one
// may be good. older reports that the latest of them is not the one saved last, which is damaged or lost. If there is
// no usable ledger, the error describes the damage. If a file cannot be read now, LoadLast returns no ledgers, because
// an older one would be taken for the latest.
func (s *Ledgers) LoadLast(file string, most int) (ledgers []json.RawMessage, older bool, damage error) {
	has, err := s.generationsOf(file)
	if err != nil {
		return nil, false, err
	}
	for i := len(has.existing) - 1; i >= 0 && len(ledgers) < most; i-- {
		n := has.existing[i]
		body, err := s.read(s.place(file, n))
		var found lines
		if err == nil {
			found, err = lastIn(body, most-len(ledgers), nameOf(file))
		}
		if isUnreadable(err) {
			return nil, false, err
		}
		if len(found.ledgers) > 0 && len(ledgers) == 0 {
			older = i < len(has.existing)-1 || found.torn || found.unnamed || s.endOf(file).isOlder(n, found.end)
		}
		ledgers = append(ledgers, found.ledgers...)
		if err != nil && damage == nil {
			damage = fmt.Errorf("%s: %w", s.place(file, n), err)
		}
	}
	if len(ledgers) > 0 {
		damage = nil
	}
	return ledgers, older, damage
}
