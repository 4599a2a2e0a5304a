// Copyright The ctx-lsp authors. MIT licence.

package ledgers

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The generations of a file are FILE.json, FILE.g2.json, FILE.g3.json and so on. There is more than one only for a
// moment, until the newest is safe, or after a crash within it. The newest in which a ledger can be read counts.
type generations struct {
	last  int   // the highest number that was ever used, so that none is used twice
	there []int // those that there are, in ascending order
}

func (g generations) newest() int {
	if len(g.there) == 0 {
		return 0
	}
	return g.there[len(g.there)-1]
}

const suffix = ".json"

// place is the path of a generation.
func (s *State) place(file string, generation int) string {
	return filepath.Join(s.dir, file+ending(generation)+suffix)
}

func ending(generation int) string {
	if generation == 1 {
		return ""
	}
	return ".g" + strconv.Itoa(generation)
}

// split takes a file's name apart; it is false for the name of anything else.
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

// generationsOf are those of a file: as this daemon has written them, or else as the disk has them.
func (s *State) generationsOf(file string) (generations, error) {
	s.mu.Lock()
	known, ok := s.files[file]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	all, err := s.list(func(each string) bool { return each == file })
	return all[file], err
}

// Next is a file of this daemon's own for the ledgers of a name. It is held until it is removed or left.
func (s *State) Next(name string) string {
	file := s.Owners.next(name)
	s.remember(file, generations{})
	return file
}

func (s *State) remember(file string, has generations) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[file] = has
}

// grown notes a further generation of a file that had these.
func (s *State) grown(file string, had generations) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.files[file]; ok {
		had = known // some may have been removed meanwhile
	}
	had.last++
	had.there = append(slices.Clone(had.there), had.last)
	s.files[file] = had
}

func (s *State) forget(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, file)
}

// list finds the files on the disk that are asked for. Where there is no folder, there are none.
func (s *State) list(wanted func(file string) bool) (map[string]generations, error) {
	entries, err := s.disk.ReadDir(s.dir)
	if err = unreadable(err); isUnreadable(err) {
		return nil, err
	}
	found := map[string]generations{}
	for _, entry := range entries {
		if file, n, ok := split(entry.Name()); ok && entry.Type().IsRegular() && wanted(file) {
			has := found[file]
			has.there = append(has.there, n)
			found[file] = has
		}
	}
	for file, has := range found {
		slices.Sort(has.there)
		has.last = has.newest()
		found[file] = has
	}
	return found, nil
}

// crowd is how many generations wait for a disk that is slow or fails.
const crowd = 8

// thin removes generations when too many wait: neither the oldest, which may be the last that is safe, nor the newest.
// A round that is under way may be about to rely on any of them.
func (s *State) thin(file string, has *generations) {
	if len(has.there) < crowd || !s.syncs.round.TryLock() {
		return
	}
	defer s.syncs.round.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	between := has.there[1 : len(has.there)-1]
	for _, n := range between {
		_ = s.disk.Remove(s.place(file, n))
	}
	has.there = []int{has.there[0], has.newest()}
	if _, ok := s.files[file]; ok {
		s.files[file] = *has
	}
}

// single finds the newest generation in which a ledger can be read. Of several that a crash has left it makes that one
// safe and removes the others: while they are renamed, a power cut could part them. Whoever does the same meanwhile
// comes to the same. It tells of damage where there is none, stops where it may not read, and tells whether the file
// ends as it should: what is written behind a torn end could harm the line before.
func (s *State) single(file string, has generations) (left generations, torn bool, damage error) {
	for i := len(has.there) - 1; i >= 0; i-- {
		path := s.place(file, has.there[i])
		text, err := s.read(path)
		if err == nil {
			var ledgers []json.RawMessage
			if ledgers, err = lastIn(text, 1, nil); len(ledgers) > 0 {
				left := s.only(file, has, i)
				return left, text[len(text)-1] != '\n' || left.newest() != has.there[i], nil
			}
		}
		if isUnreadable(err) {
			return has, false, err // an older one is not what was saved last
		}
		if damage == nil {
			damage = fmt.Errorf("%s: %w", path, err)
		}
	}
	return has, false, damage
}

// only removes all but one of several generations, as soon as that one is safe.
func (s *State) only(file string, has generations, kept int) generations {
	path := s.place(file, has.there[kept])
	if len(has.there) == 1 || s.syncFile(path) != nil || s.disk.SyncFolder(s.dir) != nil {
		return has // they stay together as long as the power does
	}
	for i, n := range has.there {
		if i != kept {
			_ = s.disk.Remove(s.place(file, n)) // the other one who does this may have been faster
		}
	}
	has.there = []int{has.there[kept]}
	return has
}

// move renames every generation of a file, the newest first: whoever succeeds with that one has all of them. What is
// renamed was perhaps not safe yet, and then it is not under its new name either. It is false where somebody else was
// faster. Where the disk refuses, all of them keep their names.
func (s *State) move(from string, has generations, place func(generation int) string) (bool, error) {
	for i := len(has.there) - 1; i >= 0; i-- {
		n := has.there[i]
		err := unreadable(s.disk.Rename(s.place(from, n), place(n)))
		switch {
		case err == nil:
			s.wrote(place(n))
		case isUnreadable(err):
			for _, moved := range has.there[i+1:] {
				_ = s.disk.Rename(place(moved), s.place(from, moved)) // else the newest is found under its new name
				s.wrote(s.place(from, moved))
			}
			return false, err
		case n == has.newest():
			return false, nil
		}
	}
	s.named(s.dir)
	return true, nil
}

// erase removes every generation of a file, the oldest first: what is left half removed is the newest.
func (s *State) erase(file string) {
	has, _ := s.generationsOf(file) // what cannot be listed cannot be removed
	for _, n := range has.there {
		_ = s.disk.Remove(s.place(file, n)) // it may have gone already
	}
	if len(has.there) > 0 {
		s.named(s.dir)
	}
}
