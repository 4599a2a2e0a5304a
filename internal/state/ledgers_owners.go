// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Two editors may have the same name and give two conversations the same id. So the name of a ledger's file is that of
// the conversation, a point, and its owner: the daemon, by random characters, and its session by a number. A daemon
// holds a lock as long as it lives. A file whose daemon has ended, or whose session has left it, may be resumed by
// another session. That session renames the file, which succeeds only once. A daemon's name ends with its process id,
// so that others can report who holds a ledger.

// left stands in the place of the owner in the name of a ledger that its session has left.
const left = "left"

// processMark is between the random characters of a daemon's name, all of them capitals or digits, and its process id.
const processMark = "p"

// owners knows which ledgers the sessions of this daemon hold, and which daemons live.
type owners struct {
	dir  string        // the folder of the locks
	name func() string // makes a name that nobody else has

	mu   sync.Mutex // guards the fields below
	me   string     // this daemon's name; empty until it holds something
	lock *flock.Flock
	last int
	held map[string]bool // the files of living sessions
}

func newOwners(dir string) *owners {
	return &owners{dir: dir, name: func() string { return rand.Text()[:16] + processMark + strconv.Itoa(os.Getpid()) }, held: map[string]bool{}}
}

func (o *owners) next(name string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.me == "" {
		o.me = o.name()
	}
	o.begin()
	o.last++
	file := name + "." + o.me + "-" + strconv.Itoa(o.last)
	o.held[file] = true
	return file
}

// begin locks this daemon's name, unless that is done. Where it fails nothing can be saved either, and the client is
// told so; begin is tried again with the next session, and before a file begins. It is called with the lock held.
func (o *owners) begin() {
	if o.lock != nil || os.MkdirAll(o.dir, 0o700) != nil {
		return
	}
	lock := flock.New(o.path(o.me), flock.SetPermissions(0o600))
	if locked, _ := lock.TryLock(); locked {
		o.lock = lock
	}
}

// writes is called before a write. If the daemon's name could not be locked, it tries again: without the lock it would
// look as if it had ended.
func (o *owners) writes() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.me != "" {
		o.begin()
	}
}

func (o *owners) path(owner string) string { return filepath.Join(o.dir, owner+".lock") }

// ownerOf returns the daemon in the name of a file.
func ownerOf(file string) string {
	_, whose, _ := strings.Cut(file, ".")
	owner, _, _ := strings.Cut(whose, "-")
	return owner
}

// processOf returns the process id in a daemon's name, or 0.
func processOf(owner string) int {
	_, id, _ := strings.Cut(owner, processMark)
	process, _ := strconv.Atoi(id) // a name without a number has no process
	return process
}

// holds says whether a living owner holds a file: a session of this daemon, or another daemon. With an error it is not
// known, and nobody else may have the file.
func (o *owners) holds(file string) (bool, error) {
	owner := ownerOf(file)
	o.mu.Lock()
	mine := owner == o.me
	held := o.held[file]
	o.mu.Unlock()
	switch {
	case mine:
		return held, nil
	case owner == left || owner == "":
		return false, nil
	}
	return o.lives(owner)
}

// is reports whether an owner is this daemon.
func (o *owners) is(owner string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return owner == o.me
}

// lives says whether a daemon still has its lock. On a file system without locks every daemon counts as living.
func (o *owners) lives(owner string) (bool, error) {
	if _, err := os.Lstat(o.path(owner)); err != nil {
		return o.unknown(err)
	}
	look := flock.New(o.path(owner), flock.SetFlag(os.O_RDONLY), flock.SetPermissions(0o600))
	free, err := look.TryRLock()
	look.Close()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return o.unknown(err)
	}
	return !free, nil
}

// unknown is the answer about a daemon whose lock could not be looked at; a daemon without a lock file has ended.
func (o *owners) unknown(err error) (bool, error) {
	err = unreadable(err)
	if isUnreadable(err) {
		return true, err
	}
	return false, nil
}

func (o *owners) drop(file string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.held, file)
}

// Abandon drops everything as the end of a killed process does, so that tests can look at what comes after.
func (o *owners) Abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock != nil {
		o.lock.Close()
	}
}

// End lets go of everything that this daemon holds.
func (o *owners) End() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock != nil {
		o.lock.Close() // first, because Windows removes no file that is open
		os.Remove(o.path(o.me))
	}
	o.me, o.lock = "", nil
	clear(o.held)
}

// clean removes the locks of daemons that were killed. It leaves young files alone, because a daemon may be about to
// lock them.
func (o *owners) clean() {
	entries, _ := os.ReadDir(o.dir) // without the folder there is nothing to remove
	for _, entry := range entries {
		owner, is := strings.CutSuffix(entry.Name(), ".lock")
		info, err := entry.Info()
		if !is || err != nil || time.Since(info.ModTime()) <= time.Hour {
			continue
		}
		if lives, err := o.lives(owner); err == nil && !lives {
			os.Remove(o.path(owner))
		}
	}
}

// keptApart is how many ledgers of one name are kept that nobody holds.
const keptApart = 4

// Take gives a session the ledger of a name that was saved last, among those that nobody holds, as its own file. It
// also says how many others there are. A file in which no ledger can be read, as a power cut may leave it, is set
// aside, and the one before it is used. If there are only such files, damage says what is wrong. Where the disk refuses
// to list, read or rename, the error is an Unreadable and nothing is changed: a later attempt may succeed.
func (s *Ledgers) Take(name, file string) (taken bool, others int, damage error) {
	free, all, err := s.free(name)
	if err != nil {
		return false, 0, err
	}
	for i, each := range free {
		has, torn, err := s.single(each, all[each])
		if errors.Is(err, fs.ErrNotExist) {
			continue // another daemon was faster
		}
		if isUnreadable(err) {
			return false, 0, err
		}
		if err != nil {
			if err := s.setAside(each, has); err != nil {
				return false, 0, err
			}
			damage = cmp.Or(damage, err)
			continue
		}
		s.Owners.writes()
		moved, err := s.move(each, has, func(generation int) string { return s.place(file, generation) })
		if err != nil {
			return false, 0, err
		}
		if moved {
			s.remember(file, has)
			if torn {
				s.syncs.distrust(s.place(file, has.newest()))
			}
			return true, len(free) - i - 1, nil
		}
	}
	return false, 0, damage
}

// A Holder is a daemon that holds a ledger.
type Holder struct {
	Process int  // 0 if unknown
	Here    bool // it is this daemon
}

// Holder returns who holds a ledger of a name other than file, nil if none does.
func (s *Ledgers) Holder(name, file string) (*Holder, error) {
	all, err := s.list(func(each string) bool { return each != file && strings.HasPrefix(each, name+".") })
	if err != nil {
		return nil, err
	}
	var here *Holder
	for each := range all {
		held, err := s.Owners.holds(each)
		switch owner := ownerOf(each); {
		case err != nil:
			return nil, err
		case held && !s.Owners.is(owner):
			return &Holder{Process: processOf(owner)}, nil
		case held:
			here = &Holder{Process: processOf(owner), Here: true}
		}
	}
	return here, nil
}

// Supersede removes the ledgers of a name that nobody holds, because the conversation has begun anew.
func (s *Ledgers) Supersede(name string) {
	free, _, _ := s.free(name) // ledgers that cannot be listed stay
	for _, each := range free {
		s.erase(each)
	}
}

// free lists the files of a name that nobody holds, the last written first, and the generations of each.
func (s *Ledgers) free(name string) ([]string, map[string]generations, error) {
	named := func(file string) bool { return strings.HasPrefix(file, name+".") }
	all, err := s.list(named)
	if err == nil && len(all) == 0 {
		all, err = s.list(named) // a file that is renamed while a directory is read may be in neither place
	}
	if err != nil {
		return nil, nil, err
	}
	times := map[string]time.Time{}
	var free []string
	for file, has := range all {
		info, err := s.disk.Lstat(s.place(file, has.newest()))
		if err != nil {
			if err = unreadable(err); isUnreadable(err) {
				return nil, nil, err
			}
			continue // the file was removed meanwhile
		}
		held, err := s.Owners.holds(file)
		if err != nil {
			return nil, nil, err
		}
		if !held {
			free = append(free, file)
			times[file] = info.ModTime()
		}
	}
	slices.SortFunc(free, func(a, b string) int {
		return cmp.Or(times[b].Compare(times[a]), strings.Compare(a, b))
	})
	return free, all, nil
}

// Leave gives up a file, so that another session can resume its conversation.
func (s *Ledgers) Leave(file string) {
	if has, _ := s.generationsOf(file); len(has.there) > 1 {
		s.Sync() // makes one generation safe, and removes the others
	}
	name, whose, _ := strings.Cut(file, ".")
	to := name + "." + left + "-" + whose
	has, _ := s.generationsOf(file) // the generations are known until the file is forgotten
	// A file that cannot be renamed stays free for this daemon, and for others when the daemon has ended.
	if moved, _ := s.move(file, has, func(generation int) string { return s.place(to, generation) }); moved {
		free, _, _ := s.free(name)
		for i, each := range free {
			if i >= keptApart {
				s.erase(each)
			}
		}
	}
	s.forget(file)
	s.Owners.drop(file)
}

// Remove deletes a file and gives it up.
func (s *Ledgers) Remove(file string) {
	s.erase(file)
	s.forget(file)
	s.Owners.drop(file)
}

// SetAside keeps a file that cannot be used under a name that is never resumed, and returns its path. What is saved
// next gets a name of its own.
func (s *Ledgers) SetAside(file string) (path string) {
	has, _ := s.generationsOf(file)
	_ = s.setAside(file, has) // if it stays where it is, the next generation is read instead
	s.remember(file, generations{last: has.last})
	return s.aside(file, max(has.newest(), 1))
}

func (s *Ledgers) setAside(file string, has generations) error {
	_, err := s.move(file, has, func(generation int) string { return s.aside(file, generation) })
	return err
}

func (s *Ledgers) aside(file string, generation int) string {
	return filepath.Join(s.dir, file+ending(generation)+".aside")
}

// LedgersInUse reports whether a running daemon has ledgers in a directory.
func LedgersInUse(dir string) bool {
	o := newOwners(dir)
	entries, _ := os.ReadDir(dir) // an unreadable directory cannot be removed either
	for _, entry := range entries {
		if owner, is := strings.CutSuffix(entry.Name(), ".lock"); is {
			if lives, err := o.lives(owner); err != nil || lives {
				return true
			}
		}
	}
	return false
}
