// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Written bytes are safe from a crash of the daemon, but safe from a power cut only when they are synced. Syncing takes
// a disk some milliseconds, so no request waits for it: everything written recently is synced together, and everything
// at the end. A round syncs the files, then the directories that contain their names. Only then are the generations
// removed that the files have replaced. So a session that has been synced once always has one complete ledger on disk.
const (
	syncPause = 400 * time.Millisecond // the delay of a round; it leaves the disk the rest of a second
	syncAgain = 5 * time.Second        // after a round that failed
	syncing   = 8                      // files synced at once, because a disk combines writes that arrive together
)

// syncs records what is not safe yet.
type syncs struct {
	after   func(pause time.Duration, round func())
	report  func(error) // called after the first of several failed rounds
	workers int

	round     sync.Mutex // held while syncing
	recording sync.Mutex // held while the ends of a round are written, and where one of them is overtaken

	mu         sync.Mutex // guards the fields below
	files      map[string]bool
	current    map[string]bool // the files of a running round
	folders    map[string]bool
	ends       map[string]end      // to be recorded in the next round, by file
	replaced   map[string]replaced // keyed by the path that must be safe before the replaced ones are removed
	suspicious map[string]bool     // paths with a torn end, or with a failed sync that may have lost something
	doomed     map[string]bool     // paths that could not be removed yet
	uncleared  map[string]bool     // files whose records could not be cleared yet
	due        bool
	failing    bool
}

// replaced lists the generations of a file that a newer one replaces.
type replaced struct {
	file        string
	generations []int
}

func newSyncs(after func(pause time.Duration, round func())) syncs {
	return syncs{
		after:   after,
		workers: syncing,
		files:   map[string]bool{}, folders: map[string]bool{}, replaced: map[string]replaced{}, suspicious: map[string]bool{},
		doomed: map[string]bool{}, ends: map[string]end{}, uncleared: map[string]bool{},
	}
}

// OnSyncFailure sets a function that is called when a sync fails, and not again until one has succeeded.
func (s *Ledgers) OnSyncFailure(report func(error)) { s.syncs.report = report }

// wrote records that a file has changed.
func (s *Ledgers) wrote(path string) {
	s.syncs.mu.Lock()
	defer s.syncs.mu.Unlock()
	s.syncs.files[path] = true
	s.arm(syncPause)
}

// named records that the names in a directory have changed.
func (s *Ledgers) named(folder string) {
	s.syncs.mu.Lock()
	defer s.syncs.mu.Unlock()
	s.syncs.folders[folder] = true
	s.arm(syncPause)
}

// follows records that a generation is new, and which ones it replaces.
func (s *Ledgers) follows(path string, before replaced) {
	s.wrote(path)
	s.named(filepath.Dir(path))
	s.syncs.mu.Lock()
	defer s.syncs.mu.Unlock()
	for _, n := range before.generations {
		delete(s.syncs.replaced, s.place(before.file, n)) // the generations that this one was to replace are among them
	}
	if len(before.generations) > 0 {
		s.syncs.replaced[path] = before
	}
}

// arm starts the timer of the next round. The lock must be held.
func (s *Ledgers) arm(pause time.Duration) {
	if !s.syncs.due {
		s.syncs.due = true
		s.syncs.after(pause, s.Sync)
	}
}

// isSafe reports whether a file that this daemon writes has been synced since it was written.
func (y *syncs) isSafe(path string) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return !y.files[path] && !y.current[path]
}

// distrust records that the next ledger must go to another file.
func (y *syncs) distrust(path string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.suspicious[path] = true
}

// distrusts reports whether the next ledger must go to another file.
func (y *syncs) distrusts(path string) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.suspicious[path]
}

// Sync makes everything written so far safe, and returns when that is done.
func (s *Ledgers) Sync() {
	y := &s.syncs
	y.round.Lock()
	defer y.round.Unlock()
	s.recordWaiting()
	s.clearAgain()
	y.mu.Lock()
	files, folders, before := y.files, y.folders, y.replaced
	y.current = files
	y.files, y.folders, y.replaced, y.due = map[string]bool{}, map[string]bool{}, map[string]replaced{}, false
	y.mu.Unlock()
	s.destroyDoomed()
	outcomes := s.syncEach(files, s.syncFile)
	unsafe := s.syncEach(folders, s.disk.SyncFolder)
	maps.DeleteFunc(unsafe, func(_ string, err error) bool { return err == nil || errors.Is(err, fs.ErrNotExist) })
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if err, synced := outcomes[path]; synced && err == nil && len(unsafe) == 0 {
			s.removeReplaced(before[path])
			s.named(filepath.Dir(path))
		}
	}
	s.failed(outcomes, unsafe, before)
}

// recordWaiting records the ends that wait for this round.
func (s *Ledgers) recordWaiting() {
	y := &s.syncs
	y.recording.Lock()
	defer y.recording.Unlock()
	y.mu.Lock()
	ends := y.ends
	y.ends = map[string]end{}
	y.mu.Unlock()
	if path := s.recordEnds(ends); path != "" {
		s.wrote(path)
	}
}

// failed puts back for the next round everything that did not succeed in this one.
func (s *Ledgers) failed(outcomes, unsafe map[string]error, before map[string]replaced) {
	y := &s.syncs
	y.mu.Lock()
	defer y.mu.Unlock()
	y.current = nil
	var first error
	for path, err := range outcomes {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			delete(before, path) // it was removed, or renamed and noted under its new name
			delete(y.suspicious, path)
		case err != nil:
			y.files[path], y.suspicious[path] = true, true
			first = err
		}
	}
	for folder, err := range unsafe {
		y.folders[folder] = true
		first = err
	}
	if first == nil {
		y.failing = false
		return
	}
	for path, each := range before {
		if outcomes[path] == nil && len(unsafe) == 0 {
			continue
		}
		for newer, its := range y.replaced { // a newer generation has been added in the meantime, and replaces these too
			if its.file == each.file {
				path = newer
				each.generations = append(each.generations, its.generations...)
			}
		}
		y.replaced[path] = each
		y.files[path] = true
	}
	if !y.failing && y.report != nil {
		go y.report(first)
	}
	y.failing = true
	s.arm(syncAgain)
}

// removeReplaced removes the generations that a safe one has replaced.
func (s *Ledgers) removeReplaced(before replaced) {
	for _, n := range before.generations {
		_ = s.disk.Remove(s.place(before.file, n)) // it may have been removed with its session
	}
	s.syncs.mu.Lock()
	for _, n := range before.generations {
		delete(s.syncs.suspicious, s.place(before.file, n))
	}
	s.syncs.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if has, ok := s.files[before.file]; ok {
		has.existing = slices.DeleteFunc(slices.Clone(has.existing), func(n int) bool { return slices.Contains(before.generations, n) })
		s.files[before.file] = has
	}
}

// syncEach syncs files or folders, several at a time, and returns the error of each.
func (s *Ledgers) syncEach(all map[string]bool, one func(path string) error) map[string]error {
	outcomes := map[string]error{}
	paths := make(chan string)
	var mu sync.Mutex
	var working sync.WaitGroup
	for range min(s.syncs.workers, len(all)) {
		working.Go(func() {
			for path := range paths {
				err := one(path)
				mu.Lock()
				outcomes[path] = err
				mu.Unlock()
			}
		})
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		paths <- path
	}
	close(paths)
	working.Wait()
	return outcomes
}

func (s *Ledgers) syncFile(path string) error {
	f, err := s.disk.Open(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
