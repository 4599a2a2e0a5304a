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

// Two editors may have the same name and give two conversations the same id. So the name of a ledger's file is the
// conversation's name, a period and the owner: a daemon, identified by random characters, and the number of one of its
// sessions. A daemon holds a lock as long as it runs. A file whose daemon has ended, or that its session has left, may
// be resumed by another session. That session renames the file, which succeeds only once. A daemon's name ends with its
// process id, so that others can report which process holds a ledger.

// left replaces the owner in the name of a ledger that its session has left.
const left = "left"

// processMark separates the random characters of a daemon's name, all of them capitals or digits, from its process id.
const processMark = "p"

// ownersName is the name of the directory of the locks, below the state directory.
const ownersName = "owners"

// owners records which ledgers the sessions of this daemon hold, and finds out which daemons are running.
type owners struct {
	dir  string        // the directory of the locks
	name func() string // returns a unique name

	mu   sync.Mutex // guards the fields below
	me   string     // this daemon's name; empty until it holds something
	lock *flock.Flock
	last int
	held map[string]bool // the files of open sessions
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

// begin locks this daemon's name, unless it is locked already. If this fails, nothing can be saved either, and the
// client learns of that; begin is tried again with the next session, and before a file is written. The lock must be
// held.
func (o *owners) begin() {
	if o.lock != nil || os.MkdirAll(o.dir, 0o700) != nil {
		return
	}
	lock := flock.New(o.path(o.me), flock.SetPermissions(0o600))
	if locked, _ := lock.TryLock(); locked {
		o.lock = lock
	}
}

// writes must be called before a write. If the daemon's name could not be locked, it tries again: without the lock the
// daemon would look as if it had ended.
func (o *owners) writes() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.me != "" {
		o.begin()
	}
}

func (o *owners) path(owner string) string { return filepath.Join(o.dir, owner+".lock") }

// ownerOf returns the name of the daemon in the name of a file.
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

// holds reports whether a file is held, by a session of this daemon or by another running daemon. With an error that is
// unknown, and no other session may take the file.
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

// lives reports whether a daemon still holds its lock. On a file system without locks every daemon is treated as
// running.
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

// unknown returns the result of lives for a lock file that cannot be opened: a daemon without a lock file has ended.
func (o *owners) unknown(err error) (bool, error) {
	err = unreadable(err)
	if isUnreadable(err) {
		return true, err
	}
	return false, nil
}

// holdsNumber reports whether a session of this daemon with a number holds a file of a name.
func (o *owners) holdsNumber(name string, n int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held[name+"."+o.me+"-"+strconv.FormatInt(n, 10)]
}

func (o *owners) drop(file string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.held, file)
}

// Abandon releases the lock as the end of a killed process does, so that tests can check what follows.
func (o *owners) Abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock != nil {
		o.lock.Close()
	}
}

// End releases everything that this daemon holds.
func (o *owners) End() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock != nil {
		o.lock.Close() // first, because Windows does not remove an open file
		os.Remove(o.path(o.me))
	}
	o.me, o.lock = "", nil
	clear(o.held)
}

// clean removes the locks of daemons that were killed. It leaves young files alone, because a daemon may be about to
// lock them.
func (o *owners) clean() {
	entries, _ := os.ReadDir(o.dir) // without the directory there is nothing to remove
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

// keptApart is the maximum number of unowned ledgers kept for each name.
const keptApart = 4

// Take gives a session the ledger of a name that was saved last among the unowned ones, as its own file. It also
// returns the number of other unowned ledgers. A file without a readable ledger, which a power cut may leave, is set
// aside, and the previous one is used. If there are only such files, damage is the reason. If the disk refuses to list,
// read or rename, the error is an Unreadable and nothing is changed: a later attempt may succeed.
func (s *Ledgers) Take(name, file string) (taken bool, others int, damage error) {
	all, err := s.list(name)
	if err == nil && len(all) == 0 {
		all, err = s.list(name) // a file renamed while the folder is read may appear under neither name
	}
	if err != nil {
		return false, 0, err
	}
	free, err := s.free(all)
	if err != nil {
		return false, 0, err
	}
	for i, each := range free {
		newest := all[each].newest()
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
		known := s.endOf(each)
		known.behind = known.behind || has.newest() != newest // the newest was damaged, and is removed
		s.recordEnd(file, known)
		moved, err := s.move(each, has, func(generation int) string { return s.place(file, generation) })
		if err != nil {
			return false, 0, err
		}
		if moved {
			s.clearEnd(each)
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
	Here    bool // whether it is this daemon
}

// Holder returns the daemon that holds a ledger of a name other than file, nil if none does.
func (s *Ledgers) Holder(name, file string) (*Holder, error) {
	all, err := s.list(name)
	if err != nil {
		return nil, err
	}
	delete(all, file)
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

// Supersede removes the unowned ledgers of a name, because its conversation has started over.
func (s *Ledgers) Supersede(name string) {
	all, _ := s.list(name) // ledgers that cannot be listed stay
	free, _ := s.free(all)
	for _, each := range free {
		s.erase(each)
	}
	s.missNoMore(name)
}

// free returns the unowned ones of some files, the last written first.
func (s *Ledgers) free(all map[string]generations) ([]string, error) {
	times := map[string]time.Time{}
	var free []string
	for file, has := range all {
		info, err := s.disk.Lstat(s.place(file, has.newest()))
		if err != nil {
			if err = unreadable(err); isUnreadable(err) {
				return nil, err
			}
			continue // the file was removed in the meantime
		}
		held, err := s.Owners.holds(file)
		if err != nil {
			return nil, err
		}
		if !held {
			free = append(free, file)
			times[file] = info.ModTime()
		}
	}
	slices.SortFunc(free, func(a, b string) int {
		return cmp.Or(times[b].Compare(times[a]), strings.Compare(a, b))
	})
	return free, nil
}

// Leave gives up a file, so that another session can resume its conversation.
func (s *Ledgers) Leave(file string) {
	if has, _ := s.generationsOf(file); len(has.existing) > 1 {
		s.Sync() // makes one generation safe, and removes the others
	}
	name, whose, _ := strings.Cut(file, ".")
	to := name + "." + left + "-" + whose
	s.flushEnd(file)
	has, _ := s.generationsOf(file) // the generations are known until the file is forgotten
	// A file that cannot be renamed stays free for this daemon, and for others when the daemon has ended.
	if moved, _ := s.move(file, has, func(generation int) string { return s.place(to, generation) }); moved {
		all, _ := s.list(name) // ledgers that cannot be listed stay
		free, _ := s.free(all)
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

// SetAside keeps an unusable file under a name that is never resumed, and returns its path. The next save uses a new
// generation.
func (s *Ledgers) SetAside(file string) (path string) {
	has, _ := s.generationsOf(file)
	_ = s.setAside(file, has) // if the file cannot be renamed, the next generation is read instead
	s.remember(file, generations{last: has.last})
	return s.aside(file, max(has.newest(), 1))
}

func (s *Ledgers) setAside(file string, has generations) error {
	_, err := s.move(file, has, func(generation int) string { return s.aside(file, generation) })
	return err
}

const asideSuffix = ".aside"

func (s *Ledgers) aside(file string, generation int) string {
	return filepath.Join(s.folder(nameOf(file)), file+ending(generation)+asideSuffix)
}

// LedgerFiles lists the files and directories below a state directory that a daemon needs for its ledgers.
var LedgerFiles = []string{"ledgers", "ends", ownersName, secretName}

// LedgersInUse reports whether a running daemon holds ledgers in a state directory.
func LedgersInUse(dir string) bool {
	o := newOwners(filepath.Join(dir, ownersName))
	entries, _ := os.ReadDir(o.dir) // an unreadable directory cannot be removed either
	for _, entry := range entries {
		if owner, is := strings.CutSuffix(entry.Name(), ".lock"); is {
			if lives, err := o.lives(owner); err != nil || lives {
				return true
			}
		}
	}
	return false
}
