// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// The ledger of a closed conversation is removed. If the disk refuses, it is doomed: no session of this daemon resumes
// it, and each round of syncs tries again to remove it. Otherwise a closed conversation would come back when the next
// one with its name has no readable ledger.

// destroy removes a file, now or as soon as the disk permits.
func (s *Ledgers) destroy(path string) {
	err := s.disk.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) { // it may have been removed already
		return
	}
	s.syncs.mu.Lock()
	defer s.syncs.mu.Unlock()
	s.syncs.doomed[path] = true
	s.arm(syncAgain)
}

// destroyDoomed tries again to remove the doomed files.
func (s *Ledgers) destroyDoomed() {
	s.syncs.mu.Lock()
	doomed := slices.Sorted(maps.Keys(s.syncs.doomed))
	s.syncs.mu.Unlock()
	for _, path := range doomed {
		s.destroy(path)
		if _, err := s.disk.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			s.syncs.mu.Lock()
			delete(s.syncs.doomed, path)
			s.syncs.mu.Unlock()
			s.named(filepath.Dir(path))
		}
	}
}

// isDoomed reports whether a file only waits to be removed.
func (y *syncs) isDoomed(path string) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.doomed[path]
}
