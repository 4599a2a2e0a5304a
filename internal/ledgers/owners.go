// Copyright The ctx-lsp authors. MIT licence.

package ledgers

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

// Two editors may be called alike and give two conversations one id. So a ledger's file has the name of the
// conversation, a point, and whose it is: the daemon, by random characters, and the session in it by a number. A daemon
// holds a lock as long as it lives; what belongs to one that lives no more, or was left by its session, may be resumed.
// Taking it is renaming it, which succeeds once.

// left stands in the place of an owner where a session has let its ledger go.
const left = "left"

// owners knows which ledgers this daemon's sessions hold, and which daemons live.
type owners struct {
	dir  string        // of the locks
	name func() string // a name that nobody else has

	mu   sync.Mutex // guards the fields below
	me   string     // this daemon; empty until it holds something
	lock *flock.Flock
	last int
	held map[string]bool // files of sessions that live
}

func newOwners(dir string) *owners {
	return &owners{dir: dir, name: func() string { return rand.Text()[:16] }, held: map[string]bool{}}
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

// begin locks this daemon's name, unless it has done so. Where that fails nothing can be saved either, and that is
// told; it is tried again with the next session and before a file begins. It is called with the lock.
func (o *owners) begin() {
	if o.lock != nil || os.MkdirAll(o.dir, 0o700) != nil {
		return
	}
	lock := flock.New(o.path(o.me), flock.SetPermissions(0o600))
	if locked, _ := lock.TryLock(); locked {
		o.lock = lock
	}
}

// writes has the files of this daemon held: one whose name could not be locked would look as if it had ended.
func (o *owners) writes() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.me != "" {
		o.begin()
	}
}

func (o *owners) path(owner string) string { return filepath.Join(o.dir, owner+".lock") }

// holds says whether somebody who lives holds a file: a session of this daemon, or another daemon. With an error it is
// not known, and nobody else may have it.
func (o *owners) holds(file string) (bool, error) {
	_, whose, _ := strings.Cut(file, ".")
	owner, _, _ := strings.Cut(whose, "-")
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

// lives says whether a daemon still has its lock. A file system that has no locks tells of nobody that has ended.
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

// unknown is what is said of a daemon at whose lock nobody could look; without a lock it has ended.
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

// Abandon lets go of everything as the end of a killed process does, for tests of what comes after.
func (o *owners) Abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock != nil {
		o.lock.Close()
	}
}

// End lets everything go that this daemon held.
func (o *owners) End() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lock != nil {
		os.Remove(o.path(o.me))
		o.lock.Close()
	}
	o.me, o.lock = "", nil
	clear(o.held)
}

// clean removes the locks of daemons that were killed. A young one may be about to be locked.
func (o *owners) clean() {
	entries, _ := os.ReadDir(o.dir) // where there is none, there is nothing to clean
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

// Take makes the ledger of a name that was saved last, of those that nobody holds, a session's own file. It says how
// many more there are. A file in which no ledger can be read is set aside, and the one before it counts: a power cut
// may leave such a file. Where there is none but those, it tells of the damage. Where the disk refuses to tell, to read
// or to rename, that is an Unreadable, and everything stays as it is: whoever asks again later may have it.
func (s *State) Take(name, file string) (taken bool, others int, damage error) {
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

// Supersede removes what nobody holds of a name: the conversation has begun anew.
func (s *State) Supersede(name string) {
	free, _, _ := s.free(name) // what cannot be listed stays
	for _, each := range free {
		s.erase(each)
	}
}

// free are the files of a name that nobody holds, the one that was written last first, and the generations of each.
func (s *State) free(name string) ([]string, map[string]generations, error) {
	all, err := s.list(func(file string) bool { return strings.HasPrefix(file, name+".") })
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
			continue // it has gone meanwhile
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

// Leave gives a file to whoever resumes its conversation.
func (s *State) Leave(file string) {
	if has, _ := s.generationsOf(file); len(has.there) > 1 {
		s.Sync() // one generation is left
	}
	name, whose, _ := strings.Cut(file, ".")
	to := name + "." + left + "-" + whose
	has, _ := s.generationsOf(file) // it is known until it is forgotten
	// What cannot be renamed stays free for this daemon, and for others when it has ended.
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

// Remove deletes a file and lets it go.
func (s *State) Remove(file string) {
	s.erase(file)
	s.forget(file)
	s.Owners.drop(file)
}

// SetAside keeps a file that cannot be used from being resumed again, for whoever wants to look at it. What comes next
// has a name of its own.
func (s *State) SetAside(file string) {
	has, _ := s.generationsOf(file)
	_ = s.setAside(file, has) // where it stays, the next generation is the one that counts
	s.remember(file, generations{last: has.last})
}

func (s *State) setAside(file string, has generations) error {
	_, err := s.move(file, has, func(generation int) string { return filepath.Join(s.dir, file+ending(generation)+".damaged") })
	return err
}
