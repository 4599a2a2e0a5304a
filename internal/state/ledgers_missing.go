// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// A conversation that was saved and whose ledger was removed by something else must not look like a new one. The
// records of ends show that it was saved: a record is cleared when its ledger is removed or renamed on purpose. The
// records of other daemons are read when a ledger is not found: of those that have ended once, of the others when they
// have changed.

// nameDigest identifies the name of a conversation in a record.
type nameDigest uint64

func digestOf(name string) nameDigest {
	sum := sha256.Sum256([]byte(name))
	return nameDigest(binary.BigEndian.Uint64(sum[:]))
}

// recordAt is the position of a record.
type recordAt struct {
	owner string
	n     int64
}

// savedNames has the records that are known, by the names of their conversations.
type savedNames struct {
	mu     sync.Mutex // guards the fields below
	at     map[nameDigest][]recordAt
	seen   map[string]seenEnds // the files that were read, by owner
	folder time.Time           // the time of the folder when it was read
}

// seenEnds describes a file of records when it was read.
type seenEnds struct {
	changed time.Time
	size    int64
	ended   bool // its daemon had ended
}

func newSavedNames() savedNames {
	return savedNames{at: map[nameDigest][]recordAt{}, seen: map[string]seenEnds{}}
}

func (n *savedNames) add(name nameDigest, at recordAt) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.at[name], at) {
		n.at[name] = append(n.at[name], at)
	}
}

func (n *savedNames) remove(name nameDigest, at recordAt) {
	n.mu.Lock()
	defer n.mu.Unlock()
	left := slices.DeleteFunc(n.at[name], func(each recordAt) bool { return each == at })
	if len(left) == 0 {
		delete(n.at, name)
		return
	}
	n.at[name] = left
}

// recordsOf returns the known records of a name.
func (n *savedNames) recordsOf(name nameDigest) []recordAt {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.at[name])
}

// replace sets the names of an owner's records.
func (n *savedNames) replace(owner string, names map[int64]nameDigest, seen seenEnds) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, before := n.seen[owner]; before {
		for name, all := range n.at {
			if left := slices.DeleteFunc(all, func(each recordAt) bool { return each.owner == owner }); len(left) > 0 {
				n.at[name] = left
			} else {
				delete(n.at, name)
			}
		}
	}
	for number, name := range names {
		n.at[name] = append(n.at[name], recordAt{owner, number})
	}
	n.seen[owner] = seen
}

// IsMissing reports whether a conversation of a name was saved, by records of ends. It is meant for a name without
// ledgers.
func (s *Ledgers) IsMissing(name string) bool {
	s.readSavedNames()
	return len(s.saved.recordsOf(digestOf(name))) > 0
}

// missNoMore clears the records of a name whose ledgers nobody holds, because its conversation has started over.
func (s *Ledgers) missNoMore(name string) {
	s.readSavedNames()
	digest := digestOf(name)
	for _, each := range s.saved.recordsOf(digest) {
		if s.Owners.is(each.owner) && s.Owners.holdsNumber(name, each.n) {
			continue
		}
		if lives, err := s.Owners.lives(each.owner); err != nil || lives && !s.Owners.is(each.owner) {
			continue
		}
		s.syncs.recording.Lock()
		_ = s.clearRecord(filepath.Join(s.ends, each.owner), each.n) // if the disk refuses, it is missed once more
		s.syncs.recording.Unlock()
		s.saved.remove(digest, each)
	}
}

// readSavedNames reads the files of records that have changed since they were read.
func (s *Ledgers) readSavedNames() {
	n := &s.saved
	info, err := s.disk.Lstat(s.ends)
	if err != nil {
		return // without the directory there are no records
	}
	n.mu.Lock()
	fresh := info.ModTime().Equal(n.folder)
	n.folder = info.ModTime()
	var living []string
	for owner, seen := range n.seen {
		if !seen.ended {
			living = append(living, owner)
		}
	}
	n.mu.Unlock()
	if fresh {
		for _, owner := range living {
			s.readNamesOf(owner)
		}
		return
	}
	entries, _ := s.disk.ReadDir(s.ends) // like above
	for _, entry := range entries {
		s.readNamesOf(entry.Name())
	}
}

// readNamesOf reads the records of a daemon if they have changed. Those of this daemon are known.
func (s *Ledgers) readNamesOf(owner string) {
	if s.Owners.is(owner) {
		return
	}
	s.saved.mu.Lock()
	before, read := s.saved.seen[owner]
	s.saved.mu.Unlock()
	if read && before.ended {
		return
	}
	lives, err := s.Owners.lives(owner) // before the file, which is final once its daemon has ended
	info, failed := s.disk.Lstat(filepath.Join(s.ends, owner))
	if failed != nil {
		return
	}
	now := seenEnds{info.ModTime(), info.Size(), err == nil && !lives}
	if read && before == now {
		return
	}
	s.saved.replace(owner, s.namesIn(owner), now)
}

// namesIn returns the names in the records of a daemon, by the numbers of its sessions.
func (s *Ledgers) namesIn(owner string) map[int64]nameDigest {
	f, err := s.disk.Open(filepath.Join(s.ends, owner), os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(f) // the records before a fault are good
	names := map[int64]nameDigest{}
	for n := int64(1); (n+1)*endSize <= int64(len(text)); n++ {
		if e, ok := decodeEnd(text[n*endSize:(n+1)*endSize], n); ok {
			names[n] = e.name
		}
	}
	return names
}
