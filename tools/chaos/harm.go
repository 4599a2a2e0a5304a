// Copyright The ctx-lsp authors. MIT licence.

//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// harm does one thing that a daemon must survive.
func (w *world) harm() {
	d := w.daemons[w.random.Intn(len(w.daemons))]
	switch n := w.random.Intn(24); {
	case n < 6:
		w.killed(d, func() {})
	case n < 9:
		w.stopped(d)
	case n < 11 && w.mounted:
		w.full()
	case n < 13 && w.mounted:
		w.readOnly()
	case n < 15:
		w.handles(d)
	case n < 17:
		w.jump()
	case n < 19:
		w.killed(d, w.damageCache)
	case n < 21:
		w.killed(d, w.damageLedgers)
	case n == 21:
		w.crowd(d)
	case n == 22:
		go w.deaf(d)
	default:
		go w.garbage(d, w.random.Int63())
	}
}

// killed kills a daemon, calls a function while it is dead, and starts it again.
func (w *world) killed(d *daemon, dead func()) {
	d.kill()
	w.did("kills")
	dead()
	if err := d.start(w.random); err != nil {
		w.broken("daemon %d does not start: %v", d.number, err)
	}
}

func (w *world) stopped(d *daemon) {
	pid := d.pid()
	if unix.Kill(pid, unix.SIGSTOP) == nil {
		time.Sleep(time.Duration(w.random.Intn(2500)) * time.Millisecond)
		_ = unix.Kill(pid, unix.SIGCONT) // the process exists
		w.did("stops")
	}
}

// failingDisk records that changes acknowledged from now on may not be on the disk, which the daemon reports to its
// clients.
func (w *world) failingDisk(failing bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failing = failing
	w.moment++
}

// full fills the disk that contains the state.
func (w *world) full() {
	w.failingDisk(true)
	defer w.failingDisk(false)
	filler := filepath.Join(w.state, "filler")
	if f, err := os.Create(filler); err == nil {
		_, _ = io.Copy(f, zeros{}) // until the disk is full
		f.Close()
	}
	time.Sleep(time.Duration(500+w.random.Intn(2500)) * time.Millisecond)
	_ = os.Remove(filler) // the next one overwrites it
	w.did("full disks")
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func (w *world) readOnly() {
	w.failingDisk(true)
	defer w.failingDisk(false)
	// Remounting fails while a file is open for writing.
	for range 200 {
		if unix.Mount("", w.state, "", unix.MS_REMOUNT|unix.MS_RDONLY, "size=24m") == nil {
			time.Sleep(time.Duration(500+w.random.Intn(2000)) * time.Millisecond)
			w.did("read-only disks")
			break
		}
		time.Sleep(time.Millisecond)
	}
	for unix.Mount("", w.state, "", unix.MS_REMOUNT, "size=24m") != nil {
		time.Sleep(time.Millisecond)
	}
}

// handles limits a process to a few more files than it has open.
func (w *world) handles(d *daemon) {
	w.failingDisk(true)
	defer w.failingDisk(false)
	pid := d.pid()
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	var before unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before) != nil {
		return
	}
	few := unix.Rlimit{Cur: uint64(len(open) + w.random.Intn(3)), Max: before.Max}
	if unix.Prlimit(pid, unix.RLIMIT_NOFILE, &few, nil) == nil {
		time.Sleep(time.Duration(500+w.random.Intn(2000)) * time.Millisecond)
		_ = unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil) // restores the limit
		w.did("times without handles")
	}
}

// jump sets the daemons' clocks wrong by up to two months, or right.
func (w *world) jump() {
	wrong := 0
	if w.random.Intn(3) > 0 {
		wrong = w.random.Intn(120*24*3600) - 60*24*3600
	}
	_ = os.WriteFile(w.clock, []byte(strconv.Itoa(wrong)), 0o600) // if that fails, the clock stays as it was
	w.did("jumps of the clock")
}

// damage damages a file like bad blocks and cleaning tools do.
func damage(path string, random *rand.Rand) {
	text, err := os.ReadFile(path)
	info, unknown := os.Stat(path)
	if err != nil || unknown != nil || len(text) == 0 {
		return
	}
	// A disk that loses bytes does not change the modification time, which would make an old file the newest.
	defer func() { _ = os.Chtimes(path, info.ModTime(), info.ModTime()) }()
	switch random.Intn(4) {
	case 0:
		text = text[:random.Intn(len(text))]
	case 1:
		at := random.Intn(len(text))
		clear(text[at:min(at+512, len(text))])
	case 2:
		text[random.Intn(len(text))] ^= 1 << random.Intn(8)
	default:
		text = append(text, text[:random.Intn(len(text))]...)
	}
	_ = os.WriteFile(path, text, 0o600) // a full disk has done its own damage
}

func (w *world) damageCache() {
	_ = filepath.WalkDir(w.cache, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			damage(path, w.random)
		}
		return nil
	})
	w.did("damaged caches")
}

// damageLedgers damages the ledgers of the client that expects this.
func (w *world) damageLedgers() {
	files, _ := filepath.Glob(filepath.Join(w.state, "ledgers", "*", "*.json"))
	for _, path := range files {
		if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(`"session":"victim"`)) {
			damage(path, w.random)
			w.did("damaged ledgers")
		}
	}
}

// crowd starts a thousand clients at once, each with a session of the same name.
func (w *world) crowd(d *daemon) {
	var coming sync.WaitGroup
	var mu sync.Mutex
	answered := 0
	for n := range 1000 {
		coming.Go(func() {
			c, err := dial(d, "crowd"+strconv.Itoa(n))
			if err != nil {
				return // there may be too few handles for all clients
			}
			defer c.conn.Close()
			_, err = c.call("ctx/session/open", `{"id":"chat","model":"gpt-5.5"}`)
			if err == nil {
				mu.Lock()
				answered++
				mu.Unlock()
			}
		})
	}
	coming.Wait()
	w.measure()
	w.did("crowds of 1,000 clients")
	w.mu.Lock()
	w.done["clients of crowds answered"] += answered
	w.mu.Unlock()
}

// deaf runs a client that sends requests and does not read.
func (w *world) deaf(d *daemon) {
	c, err := dial(d, "deaf")
	if err != nil {
		return
	}
	defer c.conn.Close()
	for n := range 20_000 {
		_ = c.conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
		if c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"d%d","method":"ctx/models","params":{}}`, n)) != nil {
			break
		}
	}
	time.Sleep(2 * time.Second)
	w.did("clients that do not read")
}

// garbage runs clients that send incomplete messages and noise, and disconnect.
func (w *world) garbage(d *daemon, seed int64) {
	random := rand.New(rand.NewSource(seed))
	for range 20 {
		c, err := dial(d, "garbage")
		if err != nil {
			return
		}
		noise := make([]byte, random.Intn(4000))
		random.Read(noise)
		for _, text := range []string{"\xffContent-Length:\n", "Content-Length: 99999999999\r\n\r\n", "Content-Length: 100\r\n\r\n{", string(noise), frame("[]"), frame(`{"jsonrpc":"2.0","id":1,"method":"ctx/session/items","params":{"id":"chat","\u0069d":"chat"}}`)} {
			if random.Intn(2) == 0 {
				_, _ = c.conn.Write([]byte(text)) // the daemon may have closed the connection, rightly
			}
		}
		c.conn.Close()
		w.did("clients that sent garbage and died")
	}
}
