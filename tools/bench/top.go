// Copyright The ctx-lsp authors. MIT licence.

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

func topFlags(flags *flag.FlagSet) func([]string) error {
	program := programFlag(flags)
	sessions := flags.Int("sessions", 200, "sessions that grow")
	every := flags.Duration("every", 5*time.Second, "time between two requests of a session, each of two records")
	length := flags.Duration("for", time.Minute, "length of the measurement")
	page := flags.Bool("page", false, "show the page of a session instead of the table")
	return func([]string) error {
		path, err := program()
		if err != nil {
			return err
		}
		return measureTop(path, *sessions, *every, *length, *page)
	}
}

// measureTop measures the CPU time of `ctx-lsp top` in tmux while sessions grow. It requires Linux.
func measureTop(program string, sessions int, every, length time.Duration, page bool) error {
	home, err := os.MkdirTemp("", "ctx-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	all := make([]*growing, sessions)
	for i := range all {
		if all[i], err = newGrowing(home, i); err != nil {
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
	pane, err := tmux("display-message", "-p", "#{pane_pid}")
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(pane)
	if err != nil {
		return err
	}

	growth := make(chan error, 1)
	stop := make(chan struct{})
	go func() { growth <- grow(all, every, stop) }()
	time.Sleep(15 * time.Second) // all sessions are read, and each has grown
	if page {
		if _, err := tmux("send-keys", "Enter"); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	before, err := usedSoFar(pid)
	if err != nil {
		return err
	}
	began := time.Now()
	time.Sleep(length)
	after, err := usedSoFar(pid)
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
	spent := after - before
	fmt.Printf("%s\n", heading)
	fmt.Printf("%d sessions, a request (two records, 7 KB) each in %v: %.2f %% of a core (%.2f s of %.0f s)\n",
		sessions, every, 100*spent.Seconds()/wall.Seconds(), spent.Seconds(), wall.Seconds())
	return nil
}
