// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The generations of a file are FILE.json, FILE.g2.json, FILE.g3.json and so on. There is more than one only for a
// moment, until the newest is safe, or after a crash in that moment. The newest generation with a readable ledger is
// used.
type generations struct {
	last     int   // the highest number ever used, so that no number is used twice
	existing []int // the generations that exist, in ascending order
}

func (g generations) newest() int {
	if len(g.existing) == 0 {
		return 0
	}
	return g.existing[len(g.existing)-1]
}

const suffix = ".json"

// place returns the path of a generation.
func (s *Ledgers) place(file string, generation int) string {
	return filepath.Join(s.folder(nameOf(file)), file+ending(generation)+suffix)
}

func ending(generation int) string {
	if generation == 1 {
		return ""
	}
	return ".g" + strconv.Itoa(generation)
}

// split splits a file name into file and generation; ok is false for any other name.
func split(name string) (file string, generation int, ok bool) {
	base, ok := strings.CutSuffix(name, suffix)
	if !ok || base == "" {
		return "", 0, false
	}
	if at := strings.LastIndex(base, ".g"); at > 0 {
		if n, err := strconv.Atoi(base[at+2:]); err == nil && n > 1 && ending(n) == base[at:] {
			return base[:at], n, true
		}
	}
	return base, 1, true
}

// generationsOf returns the generations of a file: from memory if this daemon writes it, otherwise from the disk.
func (s *Ledgers) generationsOf(file string) (generations, error) {
	s.mu.Lock()
	known, ok := s.files[file]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	all, err := s.list(nameOf(file))
	return all[file], err
}

// Next returns a new file name for the ledgers of a conversation. This daemon holds it until Remove or Leave.
func (s *Ledgers) Next(name string) string {
	file := s.Owners.next(name)
	s.remember(file, generations{})
	return file
}

func (s *Ledgers) remember(file string, has generations) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[file] = has
}

// grown records one more generation of a file.
func (s *Ledgers) grown(file string, had generations) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.files[file]; ok {
		had = known // some generations may have been removed in the meantime
	}
	had.last++
	had.existing = append(slices.Clone(had.existing), had.last)
	s.files[file] = had
}

func (s *Ledgers) forget(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, file)
	delete(s.behind, file)
}

// crowd is how many generations may wait for a slow or failing disk.
const crowd = 8

// thin removes generations when too many wait. It keeps the newest and the oldest, which may be the only safe one. It
// does nothing during a sync, which may be about to rely on any of the others.
func (s *Ledgers) thin(file string, has *generations) {
	if len(has.existing) < crowd || !s.syncs.round.TryLock() {
		return
	}
	defer s.syncs.round.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	between := has.existing[1 : len(has.existing)-1]
	for _, n := range between {
		_ = s.disk.Remove(s.place(file, n))
	}
	has.existing = []int{has.existing[0], has.newest()}
	if _, ok := s.files[file]; ok {
		s.files[file] = *has
	}
}

// single finds the newest generation with a readable ledger. If a crash has left several generations, it makes that one
// safe and removes the others, because a power cut while all are renamed could separate them; another daemon that does
// the same at the same time gets the same result. If no ledger can be read, damage is the reason. If the disk refuses
// to read anything, nothing is changed. torn reports whether the file ends in the middle of a line, so that appending
// to it could harm that line.
func (s *Ledgers) single(file string, has generations) (left generations, torn bool, damage error) {
	for i := len(has.existing) - 1; i >= 0; i-- {
		path := s.place(file, has.existing[i])
		text, err := s.read(path)
		if err == nil {
			var found lines
			if found, err = lastIn(text, 1, nameOf(file)); len(found.ledgers) > 0 {
				left := s.only(file, has, i)
				return left, text[len(text)-1] != '\n' || left.newest() != has.existing[i], nil
			}
		}
		if isUnreadable(err) {
			return has, false, err // an older generation is not what was saved last
		}
		if damage == nil {
			damage = fmt.Errorf("%s: %w", path, err)
		}
	}
	return has, false, damage
}

// only removes all generations except one, once that one is safe.
func (s *Ledgers) only(file string, has generations, kept int) generations {
	path := s.place(file, has.existing[kept])
	if len(has.existing) == 1 || s.syncFile(path) != nil || s.disk.SyncFolder(filepath.Dir(path)) != nil {
		return has // the others stay until this one is safe
	}
	for i, n := range has.existing {
		if i != kept {
			_ = s.disk.Remove(s.place(file, n)) // another daemon that does the same may have been faster
		}
	}
	has.existing = []int{has.existing[kept]}
	return has
}

// move renames every generation of a file, the newest first: the daemon that renames the newest gets all of them. A
// generation that was unsynced before is still unsynced under its new name. move returns false if another daemon was
// faster. If the disk refuses, all generations keep their names.
func (s *Ledgers) move(from string, has generations, place func(generation int) string) (bool, error) {
	s.mu.Lock()
	_, own := s.files[from]
	s.mu.Unlock()
	for i := len(has.existing) - 1; i >= 0; i-- {
		n := has.existing[i]
		safe := own && s.syncs.isSafe(s.place(from, n))
		err := unreadable(s.disk.Rename(s.place(from, n), place(n)))
		switch {
		case err == nil && safe:
		case err == nil:
			s.wrote(place(n))
		case isUnreadable(err):
			for _, moved := range has.existing[i+1:] {
				_ = s.disk.Rename(place(moved), s.place(from, moved)) // if that fails, the newest is found under its new name
				s.wrote(s.place(from, moved))
			}
			return false, err
		case n == has.newest():
			return false, nil
		}
	}
	s.named(s.folder(nameOf(from)))
	return true, nil
}

// erase removes every generation of a file, the oldest first, so that an interrupted removal leaves the newest.
func (s *Ledgers) erase(file string) {
	has, _ := s.generationsOf(file) // generations that cannot be listed cannot be removed
	for _, n := range has.existing {
		s.destroy(s.place(file, n))
	}
	if len(has.existing) > 0 {
		s.named(s.folder(nameOf(file)))
	}
	s.clearEnd(file)
}
