// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLedgersSurviveAPowerCut cuts the power a thousand times at any call to the disk, while ledgers are saved, closed,
// left and resumed. It checks that nothing synced or older than a second is lost, that a resumed ledger is identical to
// the saved one, and that closed conversations stay closed. CTX_SEED repeats a run.
func TestLedgersSurviveAPowerCut(t *testing.T) {
	seed := time.Now().UnixNano()
	if text := os.Getenv("CTX_SEED"); text != "" {
		seed, _ = strconv.ParseInt(text, 10, 64)
	}
	t.Logf("CTX_SEED=%d", seed)
	random := rand.New(rand.NewSource(seed))
	cuts, resumed, saves := 0, 0, 0
	for cuts < 1000 && !t.Failed() {
		w := newWorld(t, random)
		for range 50 {
			w.live()
			w.cut()
			cuts++
		}
		resumed, saves = resumed+w.resumed, saves+w.saves
	}
	t.Logf("%d cuts, %d ledgers saved, %d found again", cuts, saves, resumed)
	if resumed < cuts {
		t.Errorf("the test says little: of %d cuts only %d sessions were found again", cuts, resumed)
	}
}

// world is a machine that loses its power repeatedly.
type world struct {
	t        *testing.T
	random   *rand.Rand
	root     string
	disk     *forgetfulDisk
	clock    time.Time
	timers   []timer
	state    *Ledgers
	sessions []*conversation
	saves    int
	resumed  int
	syncing  bool
}

type timer struct {
	at  time.Time
	run func()
}

// conversation records what was done with one conversation, and which of its ledgers must survive.
type conversation struct {
	name   string
	file   string // empty when it is not open
	last   int    // the number of its last ledger
	saved  []savedAt
	synced int       // the last ledger that a completed round has synced
	closed time.Time // when it was removed from the directory, if it is closed
}

type savedAt struct {
	n    int
	when time.Time
}

func newWorld(t *testing.T, random *rand.Rand) *world {
	w := &world{t: t, random: random, root: t.TempDir(), clock: time.Now().Add(-2 * time.Hour)}
	w.disk = newForgetfulDisk(random, func() time.Time {
		w.clock = w.clock.Add(time.Microsecond) // no two files are written at the same time
		return w.clock
	}, w.root)
	w.disk.during = w.duringSync
	for i := range 4 {
		w.sessions = append(w.sessions, &conversation{name: fmt.Sprintf("name%d", i)})
	}
	w.open()
	t.Cleanup(func() { w.state.Owners.Abandon() }) // Windows does not remove a locked file
	return w
}

func (w *world) open() {
	w.timers = nil
	w.state = openWith(w.disk, filepath.Join(w.root, "state"), func(pause time.Duration, round func()) {
		w.timers = append(w.timers, timer{w.clock.Add(pause), round})
	})
	w.state.syncs.workers = 1 // so that a seed repeats a run
	w.state.Owners.name = func() string { return fmt.Sprintf("%016x", w.random.Uint64()) }
}

// ledger returns the ledger with the given number. The same number always has the same text.
func ledger(name string, n int) json.RawMessage {
	r := rand.New(rand.NewSource(int64(n)))
	return fmt.Appendf(nil, `{"of":%q,"n":%d,"fill":%q}`, name, n, strings.Repeat("0123456789abcdef", r.Intn(1<<r.Intn(11))))
}

func (w *world) save(c *conversation) {
	c.last++
	if w.state.Save(c.file, Saved{Schema: SavedSchema, Session: c.name, SavedAt: w.clock.UnixMilli(), Ledger: ledger(c.name, c.last)}) == nil {
		c.saved = append(c.saved, savedAt{c.last, w.clock})
		w.saves++
	}
}

// live works until the power fails.
func (w *world) live() {
	w.disk.left = 1 + w.random.Intn(400)
	for w.disk.left > 0 {
		c := w.sessions[w.random.Intn(len(w.sessions))]
		switch n := w.random.Intn(40); {
		case c.file == "":
			c.file = w.state.Next(c.name)
			c.closed = time.Time{}
			w.save(c)
		case n == 0: // close it
			w.state.Remove(c.file)
			*c = conversation{name: c.name, last: c.last, closed: w.clock}
		case n == 1: // its client leaves, and comes back
			w.state.Leave(c.file)
			c.file = w.state.Next(c.name)
			if taken, _, _ := w.state.Take(c.name, c.file); taken {
				w.save(c)
			}
		case n < 30:
			w.save(c)
		default:
			w.pass(time.Duration(w.random.Intn(120)) * time.Millisecond)
		}
	}
}

// pass advances the clock, and runs what is due.
func (w *world) pass(time time.Duration) {
	until := w.clock.Add(time)
	for {
		next := -1
		for i, each := range w.timers {
			if !each.at.After(until) && (next < 0 || each.at.Before(w.timers[next].at)) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		due := w.timers[next]
		w.timers = append(w.timers[:next], w.timers[next+1:]...)
		if due.at.After(w.clock) {
			w.clock = due.at
		}
		last := map[*conversation]int{}
		for _, c := range w.sessions {
			if n := len(c.saved); n > 0 && c.file != "" {
				last[c] = c.saved[n-1].n
			}
		}
		w.syncing = true
		due.run()
		w.syncing = false
		if w.disk.left > 0 {
			for c, n := range last {
				c.synced = n
			}
		}
	}
	if until.After(w.clock) {
		w.clock = until
	}
}

// duringSync saves ledgers while the disk syncs, because requests do not wait for a sync.
func (w *world) duringSync() {
	w.clock = w.clock.Add(time.Duration(w.random.Intn(30)) * time.Millisecond)
	if !w.syncing {
		return
	}
	for range w.random.Intn(4) {
		if c := w.sessions[w.random.Intn(len(w.sessions))]; c.file != "" {
			w.save(c)
		}
	}
}

// cut cuts the power, restarts, and checks what is left.
func (w *world) cut() {
	w.state.Owners.Abandon()
	before := w.disk.failed.Add(-time.Second)
	w.disk.cut(w.root)
	w.open()
	for _, c := range w.sessions {
		must := c.synced
		for _, each := range c.saved {
			if each.when.Before(before) {
				must = max(must, each.n)
			}
		}
		closed := !c.closed.IsZero() && c.closed.Before(before)
		file, found := w.resume(c)
		switch {
		case found < must:
			w.t.Errorf("%s: ledger %d was safe, and %d is found", c.name, must, found)
		case found > c.last:
			w.t.Errorf("%s: ledger %d is found, and %d was the last", c.name, found, c.last)
		case closed && found > 0:
			w.t.Errorf("%s was closed more than a second before, and ledger %d is found", c.name, found)
		}
		*c = conversation{name: c.name, file: file, last: c.last}
		if found > 0 {
			w.resumed++
			c.synced = found
		}
	}
}

// resume takes the ledger of a conversation as the daemon does.
func (w *world) resume(c *conversation) (file string, n int) {
	file = w.state.Next(c.name)
	if taken, _, _ := w.state.Take(c.name, file); !taken {
		w.state.Owners.drop(file)
		return "", 0
	}
	text, err := w.state.Load(file)
	var has struct{ N int }
	if err != nil || json.Unmarshal(text, &has) != nil || string(text) != string(ledger(c.name, has.N)) {
		w.t.Errorf("%s: nobody has saved this: %.200s %v", c.name, text, err)
	}
	return file, has.N
}
