// Copyright The ctx-lsp authors. MIT licence.

// Command topbench measures what `ctx-lsp top` costs while many sessions grow at once: the processor time of its
// process, in the program and in the system, over a minute, as a share of one core. It runs in a terminal that tmux
// draws.
//
//	go run ./tools/topbench -ctx-lsp bin/ctx-lsp -sessions 200 -every 5s -for 60s
//
// It needs Linux, whose /proc tells the time of a process, and tmux.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	program := flag.String("ctx-lsp", "bin/ctx-lsp", "the program")
	sessions := flag.Int("sessions", 200, "how many sessions grow")
	every := flag.Duration("every", 5*time.Second, "how often each of them makes a request, which is two records")
	length := flag.Duration("for", time.Minute, "how long it is measured")
	page := flag.Bool("page", false, "the page of a session is shown, not the table")
	flag.Parse()
	if err := measure(*program, *sessions, *every, *length, *page); err != nil {
		fmt.Fprintln(os.Stderr, "topbench:", err)
		os.Exit(1)
	}
}

func measure(program string, sessions int, every, length time.Duration, page bool) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "topbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	growing := make([]*session, sessions)
	for i := range growing {
		if growing[i], err = newSession(home, i); err != nil {
			return err
		}
	}
	socket := filepath.Join(home, "tmux")
	tmux := func(args ...string) (string, error) {
		out, err := exec.Command("tmux", append([]string{"-S", socket}, args...)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("tmux %q: %w: %s", args, err, out)
		}
		return strings.TrimSpace(string(out)), nil
	}
	defer func() { _, _ = tmux("kill-server") }()
	line := fmt.Sprintf("exec env HOME=%[1]s XDG_RUNTIME_DIR=%[1]s XDG_STATE_HOME=%[1]s/state XDG_CACHE_HOME=%[1]s/cache LANG=C.UTF-8 %s top", home, program)
	if _, err := tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", line); err != nil {
		return err
	}
	pid, err := tmux("display-message", "-p", "#{pane_pid}")
	if err != nil {
		return err
	}

	growth := make(chan error, 1)
	stop := make(chan struct{})
	go func() { growth <- grow(growing, every, stop) }()
	time.Sleep(15 * time.Second) // reading all of them is over, and each has grown
	if page {
		if _, err := tmux("send-keys", "Enter"); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	before, err := used(pid)
	if err != nil {
		return err
	}
	began := time.Now()
	time.Sleep(length)
	after, err := used(pid)
	if err != nil {
		return err
	}
	wall := time.Since(began)
	screen, err := tmux("capture-pane", "-p")
	if err != nil {
		return err
	}
	close(stop)
	if err := <-growth; err != nil {
		return err
	}
	heading, _, _ := strings.Cut(screen, "\n")
	spent := after.user + after.system - before.user - before.system
	fmt.Printf("%s\n", heading)
	fmt.Printf("%d sessions, a request (two records, 7 KB) each in %v: %.2f %% of a core (%.2f s in the program and %.2f s in the system, of %.0f s)\n",
		sessions, every, 100*spent.Seconds()/wall.Seconds(), (after.user - before.user).Seconds(), (after.system - before.system).Seconds(), wall.Seconds())
	return nil
}

// processor is how much of the processor a process has used.
type processor struct{ user, system time.Duration }

// used reads what a process has used so far. The kernel counts it in hundredths of a second.
func used(pid string) (processor, error) {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return processor{}, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name of the program may hold spaces
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return processor{}, fmt.Errorf("/proc/%s/stat has %d fields", pid, len(fields))
	}
	var ticks [2]int64
	for i := range ticks {
		if ticks[i], err = strconv.ParseInt(fields[11+i], 10, 64); err != nil {
			return processor{}, err
		}
	}
	const tick = 10 * time.Millisecond
	return processor{time.Duration(ticks[0]) * tick, time.Duration(ticks[1]) * tick}, nil
}
