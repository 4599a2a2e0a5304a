// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A file of ledgers only grows, so the file itself does not show whether it was cut at the end of a line. So its end is
// kept outside it as well: each daemon has one file, with a record of fixed size for each of its sessions. The records
// are written in each round of syncs, before the ledgers are synced, and a record is overwritten in place, which a full
// disk permits. A ledger before the recorded end is older than the one saved last. A ledger after it is newer than the
// round, and is good.
type end struct {
	generation int
	size       int64 // of the file, with the line break of the last line
	behind     bool  // a later ledger could not be saved, or it is unknown whether there was one
}

// A record also identifies the conversation's name, so that a ledger that was removed by something else is missed.
type namedEnd struct {
	end
	name nameDigest
}

const endSize = 53 // bytes of a record

// encode returns a record of the session with number n. Its checksum covers n, so that no record is taken for another.
func (e namedEnd) encode(n int64) []byte {
	state := '='
	if e.behind {
		state = '+'
	}
	rest := fmt.Appendf(nil, " %016x %08x %016x%c\n", uint64(e.name), e.generation, e.size, state)
	return append(checksum(rest, n, ""), rest...)
}

// decodeEnd is the inverse of encode; ok is false for a record that is damaged, cleared or missing.
func decodeEnd(record []byte, n int64) (e namedEnd, ok bool) {
	if len(record) != endSize || string(checksum(record[checkSize:], n, "")) != string(record[:checkSize]) {
		return e, false
	}
	var state byte
	_, err := fmt.Sscanf(string(record[checkSize:]), " %016x %08x %016x%c", (*uint64)(&e.name), &e.generation, &e.size, &state)
	e.behind = state == '+'
	return e, err == nil
}

// endAt returns the file with the record of a ledger, and the number of its session. ok is false for a name without an
// owner.
func (s *Ledgers) endAt(file string) (path string, n int64, ok bool) {
	_, whose, _ := strings.Cut(file, ".")
	whose = strings.TrimPrefix(whose, left+"-")
	owner, number, _ := strings.Cut(whose, "-")
	n, err := strconv.ParseInt(number, 10, 64)
	return filepath.Join(s.ends, owner), n, err == nil && n > 0
}

// endOf returns the recorded end of a file of ledgers. If it is unknown, later ledgers may be lost.
func (s *Ledgers) endOf(file string) end {
	unknown := end{behind: true}
	path, n, ok := s.endAt(file)
	if !ok {
		return unknown
	}
	f, err := s.disk.Open(path, os.O_RDONLY)
	if err != nil {
		return unknown
	}
	defer f.Close()
	record := make([]byte, endSize)
	if _, err := f.ReadAt(record, n*endSize); err != nil {
		return unknown
	}
	if e, ok := decodeEnd(record, n); ok {
		return e.end
	}
	return unknown
}

// recordEnds writes records, all of them of this daemon. It returns the path of their file, which has to be synced; a
// record that cannot be written is unknown later.
func (s *Ledgers) recordEnds(ends map[string]end) (path string) {
	var f File
	for file, e := range ends {
		at, n, ok := s.endAt(file)
		if !ok {
			continue
		}
		if f == nil {
			var err error
			if f, err = s.openEnds(at); err != nil {
				return ""
			}
			path = at
		}
		name := digestOf(nameOf(file))
		_, _ = f.WriteAt(namedEnd{e, name}.encode(n), n*endSize)
		s.saved.add(name, recordAt{filepath.Base(at), n})
	}
	if f != nil {
		_ = f.Close()
	}
	return path
}

func (s *Ledgers) openEnds(path string) (File, error) {
	f, err := s.disk.Open(path, os.O_WRONLY)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := s.makeFolders(filepath.Dir(path)); err != nil {
		return nil, err
	}
	s.named(filepath.Dir(path))
	return s.disk.Open(path, os.O_WRONLY|os.O_CREATE)
}

// recordEnd writes one record now.
func (s *Ledgers) recordEnd(file string, e end) {
	if path := s.recordEnds(map[string]end{file: e}); path != "" {
		s.wrote(path)
	}
}

// flushEnd records the end of a file now if it waits for the next round.
func (s *Ledgers) flushEnd(file string) {
	s.syncs.recording.Lock()
	defer s.syncs.recording.Unlock()
	if e, waits := s.takeEnd(file); waits {
		s.recordEnd(file, e)
	}
}

// takeEnd removes the end of a file from those that wait for the next round.
func (s *Ledgers) takeEnd(file string) (e end, waits bool) {
	s.syncs.mu.Lock()
	defer s.syncs.mu.Unlock()
	e, waits = s.syncs.ends[file]
	delete(s.syncs.ends, file)
	return e, waits
}

// clearEnd removes the record of a file, whose ledgers are no longer meant to exist under its name.
func (s *Ledgers) clearEnd(file string) {
	path, n, ok := s.endAt(file)
	if !ok {
		return
	}
	s.syncs.recording.Lock()
	defer s.syncs.recording.Unlock()
	s.takeEnd(file)
	s.saved.remove(digestOf(nameOf(file)), recordAt{filepath.Base(path), n})
	if err := s.clearRecord(path, n); err != nil { // it would be missed later
		s.syncs.mu.Lock()
		defer s.syncs.mu.Unlock()
		s.syncs.uncleared[file] = true
		s.arm(syncAgain)
	}
}

// clearAgain tries again to clear the records that the disk refused to clear.
func (s *Ledgers) clearAgain() {
	s.syncs.mu.Lock()
	files := slices.Collect(maps.Keys(s.syncs.uncleared))
	clear(s.syncs.uncleared)
	s.syncs.mu.Unlock()
	for _, file := range files {
		s.clearEnd(file)
	}
}

// clearRecord clears a record, unless there is none.
func (s *Ledgers) clearRecord(path string, n int64) error {
	f, err := s.disk.Open(path, os.O_WRONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > n*endSize {
		_, err = f.WriteAt(make([]byte, endSize), n*endSize)
		s.wrote(path)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// Behind records that a change of a session could not be saved, so that its ledger is older than what was acknowledged.
// The next ledger that is saved ends that.
func (s *Ledgers) Behind(file string) {
	s.mu.Lock()
	already := s.behind[file]
	s.behind[file] = true
	s.mu.Unlock()
	if already {
		return
	}
	s.syncs.recording.Lock()
	defer s.syncs.recording.Unlock()
	s.takeEnd(file)
	s.recordEnd(file, end{behind: true})
}

// ended records the end of a file in the next round of syncs, or now if it is recorded that a change is missing.
func (s *Ledgers) ended(file string, generation int, size int64) {
	e := end{generation: generation, size: size}
	s.mu.Lock()
	behind := s.behind[file]
	delete(s.behind, file)
	s.mu.Unlock()
	if behind {
		s.recordEnd(file, e)
		return
	}
	s.syncs.mu.Lock()
	defer s.syncs.mu.Unlock()
	s.syncs.ends[file] = e
}

// isOlder reports whether a ledger that ends at size in a generation is older than the one saved last.
func (e end) isOlder(generation int, size int64) bool {
	return e.behind || generation < e.generation || generation == e.generation && size < e.size
}

// cleanEnds removes the records of daemons that have ended, unless a ledger has one there or is missed by one.
func (s *Ledgers) cleanEnds(used map[string]bool) {
	entries, _ := s.disk.ReadDir(s.ends) // without the directory there is nothing to remove
	for _, entry := range entries {
		owner := entry.Name()
		info, err := entry.Info()
		if err != nil || used[owner] || time.Since(info.ModTime()) <= time.Hour {
			continue
		}
		if time.Since(info.ModTime()) <= maxAge && len(s.namesIn(owner)) > 0 {
			continue
		}
		if lives, err := s.Owners.lives(owner); err == nil && !lives {
			_ = s.disk.Remove(filepath.Join(s.ends, owner))
		}
	}
}
