// Copyright The ctx-lsp authors. MIT licence.

//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A daemon is a socket path at which clients find a daemon, whichever process currently serves there.
type daemon struct {
	world  *world
	number int

	mu      sync.Mutex // guards the fields below
	process *exec.Cmd
	saves   string // the format of its ledgers: the module's, which both programs share, or a native program's
}

// format returns the format of the process's ledgers.
func (d *daemon) format() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.saves
}

func (d *daemon) socket() string {
	return filepath.Join(d.world.dir, "socket"+strconv.Itoa(d.number))
}

// start starts one of the two versions, with one of the engines.
func (d *daemon) start(random *rand.Rand) error {
	w := d.world
	engine := []string{"wasm", "native"}[random.Intn(2)]
	program := w.programs[random.Intn(len(w.programs))]
	args := []string{program, "serve", "--pipe=" + d.socket(), "--state=" + w.state, "--engine=" + engine, "--log-level=info", "--log=" + filepath.Join(w.dir, "log"+strconv.Itoa(d.number))}
	if !w.mounted {
		args = append([]string{"sh", "-c", `ulimit -f 4096; exec "$@"`, "sh"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(w.dir, "home"), "XDG_CACHE_HOME=" + w.cache, "CTX_CHAOS_CLOCK=" + w.clock, "GOTRACEBACK=all"}
	trace, err := os.OpenFile(filepath.Join(w.dir, "errors"+strconv.Itoa(d.number)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer trace.Close()
	cmd.Stdout, cmd.Stderr = trace, trace
	if err := cmd.Start(); err != nil {
		return err
	}
	d.mu.Lock()
	d.process, d.saves = cmd, w.programs[0]
	if engine == "native" {
		d.saves = program
	}
	d.mu.Unlock()
	w.did("daemons started with the engine " + engine)
	go func() {
		err := cmd.Wait()
		var exit *exec.ExitError
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); errors.As(err, &exit) && ok && status.Signal() != syscall.SIGKILL {
			w.broken("daemon %d has ended by itself: %v, see %s", d.number, err, trace.Name())
		}
	}()
	return nil
}

func (d *daemon) pid() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.process.Process.Pid
}

func (d *daemon) kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.process != nil {
		_ = d.process.Process.Kill() // it may have ended already
		for range 1000 {             // its lock is free once the process has ended
			if unix.Kill(d.process.Process.Pid, 0) != nil {
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// dumpStacks makes a process that does not respond print the stacks of its goroutines, which ends it.
func (d *daemon) dumpStacks() { _ = unix.Kill(d.pid(), unix.SIGQUIT) }

func (d *daemon) dial() (net.Conn, error) { return net.DialTimeout("unix", d.socket(), 5*time.Second) }

// resident returns the resident memory of the process.
func (d *daemon) resident() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.pid())) // a process that was killed has no status
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			kb, _ := strconv.ParseInt(strings.Fields(string(rest))[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// measure records the memory that the daemons use.
func (w *world) measure() {
	for _, d := range w.daemons {
		now := d.resident()
		w.mu.Lock()
		w.memory = max(w.memory, now)
		w.mu.Unlock()
		if now > mostMemory {
			w.broken("daemon %d has %d MB", d.number, now>>20)
		}
	}
}

// mountSmall mounts a disk of 24 MB, if the system permits that.
func mountSmall(at string) bool {
	return unix.Mount("tmpfs", at, "tmpfs", 0, "size=24m,mode=0700") == nil
}

func unmount(at string) { _ = unix.Unmount(at, unix.MNT_DETACH) } // anything left disappears when the machine restarts

func sortedKeys(of map[string]int) []string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
