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
		o.begin()
	}
	o.last++
	file := name + "." + o.me + "-" + strconv.Itoa(o.last)
	o.held[file] = true
	return file
}

// begin gives this daemon a name and locks it. Where that fails nothing can be saved either, and that is told.
func (o *owners) begin() {
	o.me = o.name()
	if os.MkdirAll(o.dir, 0o700) != nil {
		return
	}
	o.lock = flock.New(o.path(o.me), flock.SetPermissions(0o600))
	_, _ = o.lock.TryLock()
}

func (o *owners) path(owner string) string { return filepath.Join(o.dir, owner+".lock") }

// holds says whether somebody who lives holds a file: a session of this daemon, or another daemon.
func (o *owners) holds(file string) bool {
	_, whose, _ := strings.Cut(file, ".")
	owner, _, _ := strings.Cut(whose, "-")
	o.mu.Lock()
	mine := owner == o.me
	held := o.held[file]
	o.mu.Unlock()
	switch {
	case mine:
		return held
	case owner == left || owner == "":
		return false
	}
	return o.lives(owner)
}

// lives says whether a daemon still has its lock.
func (o *owners) lives(owner string) bool {
	if _, err := os.Lstat(o.path(owner)); err != nil {
		return false
	}
	look := flock.New(o.path(owner), flock.SetFlag(os.O_RDONLY), flock.SetPermissions(0o600))
	free, err := look.TryRLock()
	look.Close()
	return !free || err != nil
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
	o.lock.Close()
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
		if is && err == nil && time.Since(info.ModTime()) > time.Hour && !o.lives(owner) {
			os.Remove(o.path(owner))
		}
	}
}

// keptApart is how many ledgers of one name are kept that nobody holds.
const keptApart = 4

// Take makes the ledger of a name that was saved last, of those that nobody holds, a session's own file. It says how
// many more there are. A file in which no ledger can be read is set aside, and the one before it counts: a power cut
// may leave such a file. Where there is none but those, it tells of the damage.
func (s *State) Take(name, file string) (taken bool, others int, damage error) {
	free, all := s.free(name)
	for i, each := range free {
		has, torn, err := s.single(each, all[each])
		if errors.Is(err, fs.ErrNotExist) {
			continue // another daemon was faster
		}
		if err != nil {
			s.setAside(each, has)
			damage = cmp.Or(damage, err)
			continue
		}
		if s.move(each, has, func(generation int) string { return s.place(file, generation) }) {
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
	free, _ := s.free(name)
	for _, each := range free {
		s.erase(each)
	}
}

// free are the files of a name that nobody holds, the one that was written last first, and the generations of each.
func (s *State) free(name string) ([]string, map[string]generations) {
	all := s.list(func(file string) bool { return strings.HasPrefix(file, name+".") })
	times := map[string]time.Time{}
	var free []string
	for file, has := range all {
		info, err := s.disk.Lstat(s.place(file, has.newest()))
		if err == nil && !s.Owners.holds(file) {
			free = append(free, file)
			times[file] = info.ModTime()
		}
	}
	slices.SortFunc(free, func(a, b string) int {
		return cmp.Or(times[b].Compare(times[a]), strings.Compare(a, b))
	})
	return free, all
}

// Leave gives a file to whoever resumes its conversation.
func (s *State) Leave(file string) {
	if len(s.generationsOf(file).there) > 1 {
		s.Sync() // one generation is left
	}
	name, whose, _ := strings.Cut(file, ".")
	to := name + "." + left + "-" + whose
	if s.move(file, s.generationsOf(file), func(generation int) string { return s.place(to, generation) }) {
		free, _ := s.free(name)
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
	has := s.generationsOf(file)
	s.setAside(file, has)
	s.remember(file, generations{last: has.last})
}

func (s *State) setAside(file string, has generations) {
	s.move(file, has, func(generation int) string { return filepath.Join(s.dir, file+ending(generation)+".damaged") })
}
