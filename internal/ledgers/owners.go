// Copyright The ctx-lsp authors. MIT licence.

package ledgers

import (
	"crypto/rand"
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
	dir string // of the locks

	mu   sync.Mutex // guards the fields below
	me   string     // this daemon; empty until it holds something
	lock *flock.Flock
	last int
	held map[string]bool // files of sessions that live
}

func newOwners(dir string) *owners { return &owners{dir: dir, held: map[string]bool{}} }

// Next is a file of this daemon's own for the ledgers of a name. It is held until it is removed or left.
func (o *owners) Next(name string) string {
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
	o.me = rand.Text()[:16]
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
// many more there are.
func (s *State) Take(name, file string) (taken bool, others int) {
	free := s.free(name)
	for i, each := range free {
		if os.Rename(s.Path(each), s.Path(file)) == nil { // else another daemon was faster
			return true, len(free) - i - 1
		}
	}
	return false, 0
}

// Supersede removes what nobody holds of a name: the conversation has begun anew.
func (s *State) Supersede(name string) {
	for _, each := range s.free(name) {
		os.Remove(s.Path(each))
	}
}

// free are the files of a name that nobody holds, the one that was written last first.
func (s *State) free(name string) []string {
	paths, _ := filepath.Glob(filepath.Join(s.dir, name+".*.json")) // a name has no character that means anything here
	times := map[string]time.Time{}
	var free []string
	for _, path := range paths {
		file := strings.TrimSuffix(filepath.Base(path), ".json")
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && !s.Owners.holds(file) {
			free = append(free, file)
			times[file] = info.ModTime()
		}
	}
	slices.SortFunc(free, func(a, b string) int { return times[b].Compare(times[a]) })
	return free
}

// Leave gives a file to whoever resumes its conversation.
func (s *State) Leave(file string) {
	name, whose, _ := strings.Cut(file, ".")
	if os.Rename(s.Path(file), s.Path(name+"."+left+"-"+whose)) == nil {
		for i, each := range s.free(name) {
			if i >= keptApart {
				os.Remove(s.Path(each))
			}
		}
	}
	s.Owners.drop(file)
}

// Remove deletes a file and lets it go.
func (s *State) Remove(file string) {
	os.Remove(s.Path(file))
	s.Owners.drop(file)
}
