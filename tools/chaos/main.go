// Copyright The ctx-lsp authors. MIT licence.

//go:build linux

// Command chaos damages real daemons and their environment for a while, and checks what they send to their clients.
//
//	chaos [-for 10m] [-seed N] [-patience 5m] PROGRAM PROGRAM
//	chaos -handovers 1000 [-at-once 2] [-seed N] PROGRAM PROGRAM
//
// The programs are two versions of ctx-lsp, built with -tags chaos. Natively, neither restores the ledgers of the
// other.
//
// Two daemons share one state directory and one cache. They are killed, stopped, and started as the other version or
// with the other engine; their disk is full, read-only or damaged; they run out of handles; their clock jumps; and
// clients come by the thousand, do not read, send garbage, or die. At all times: nothing acknowledged is lost, except
// that a session saved by another build has an unknown past; no client sees another's session; every Reading equals
// that of a fresh computation; and memory is bounded.
//
// With -handovers, shared daemons replace each other while they are busy, and each must have everything that the one
// before it acknowledged.
package main

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// mostMemory is the maximum memory of a daemon with a thousand clients and the data that it keeps for them.
const mostMemory = 1 << 30

func main() {
	last := flag.Duration("for", 10*time.Minute, "how long")
	seed := flag.Int64("seed", time.Now().UnixNano(), "repeats the order of what is done")
	flag.DurationVar(&patience, "patience", patience, "how long an answer may take")
	rounds := flag.Int("handovers", 0, "run so many rounds of handovers, and nothing else")
	atOnce := flag.Int("at-once", 2, "rounds of handovers at a time")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "chaos: it takes two programs")
		os.Exit(2)
	}
	w, err := newWorld(*seed, flag.Args())
	switch {
	case err != nil:
	case *rounds > 0:
		fmt.Printf("chaos: seed %d, %d handovers\n", *seed, *rounds)
		w.handovers(*rounds, *atOnce)
		w.close()
	default:
		fmt.Printf("chaos: seed %d, %s\n", *seed, *last)
		err = w.run(*last)
		w.close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(2)
	}
	if w.report() > 0 {
		os.Exit(1)
	}
}

// world is the machine as the daemons see it.
type world struct {
	dir, state, cache, clock string
	mounted                  bool // whether the state is on its own small disk
	programs                 []string
	random                   *rand.Rand // determines the order of the harm
	seed                     int64
	daemons                  []*daemon
	workers                  []*worker

	mu       sync.Mutex // guards the fields below
	done     map[string]int
	wrong    []string
	memory   int64
	failing  bool  // the disk fails, or has failed until a moment ago
	moment   int64 // the number of times that failing has changed
	stopping bool
}

func newWorld(seed int64, programs []string) (*world, error) {
	dir, err := os.MkdirTemp("", "chaos")
	if err != nil {
		return nil, err
	}
	w := &world{
		dir: dir, state: filepath.Join(dir, "state"), cache: filepath.Join(dir, "cache"), clock: filepath.Join(dir, "clock"),
		programs: programs, random: rand.New(rand.NewSource(seed)), seed: seed, done: map[string]int{},
	}
	for _, each := range []string{w.state, w.cache, filepath.Join(dir, "home")} {
		if err := os.MkdirAll(each, 0o700); err != nil {
			return nil, err
		}
	}
	w.mounted = mountSmall(w.state)
	if !w.mounted {
		fmt.Println("chaos: no disk of its own can be mounted here: the disk is neither full nor read-only, and files are bounded instead")
	}
	for n := range 2 {
		w.daemons = append(w.daemons, &daemon{world: w, number: n})
	}
	return w, nil
}

func (w *world) run(last time.Duration) error {
	for _, d := range w.daemons {
		if err := d.start(w.random); err != nil {
			return err
		}
	}
	var working sync.WaitGroup
	for n := range 8 {
		one := &worker{world: w, number: n, daemon: w.daemons[n%2], random: rand.New(rand.NewSource(w.seed + int64(n) + 1)), victim: n == 7}
		w.workers = append(w.workers, one)
		working.Go(one.run)
	}
	end := time.Now().Add(last)
	for time.Now().Before(end) && w.faults() == 0 {
		w.harm()
		w.measure()
		time.Sleep(time.Duration(w.random.Intn(1500)) * time.Millisecond)
	}
	w.mu.Lock()
	w.stopping = true
	w.mu.Unlock()
	working.Wait()
	return nil
}

func (w *world) close() {
	for _, d := range w.daemons {
		d.kill()
	}
	if w.mounted {
		unmount(w.state)
	}
	if w.faults() == 0 {
		_ = os.RemoveAll(w.dir) // after an error, the directory stays for inspection
	}
}

func (w *world) ended() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopping || len(w.wrong) > 0
}

func (w *world) faults() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.wrong)
}

// broken records a violation.
func (w *world) broken(format string, args ...any) {
	text := time.Now().Format(time.TimeOnly) + " " + fmt.Sprintf(format, args...)
	fmt.Println("WRONG", text)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = append(w.wrong, text)
}

// did counts an action.
func (w *world) did(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[what]++
}

func (w *world) report() (wrong int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, what := range sortedKeys(w.done) {
		fmt.Printf("  %6d %s\n", w.done[what], what)
	}
	fmt.Printf("  %6d MB of memory at most\n", w.memory>>20)
	if len(w.wrong) > 0 {
		fmt.Println("what was done stands in", w.dir)
	}
	fmt.Printf("chaos: seed %d, %d changes acknowledged, %d compared, %d wrong\n", w.seed, w.done["changes acknowledged"], w.done["Readings compared"], len(w.wrong))
	return len(w.wrong)
}
