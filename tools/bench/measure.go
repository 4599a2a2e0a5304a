// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/tools/internal/longsession"
)

// A program is ctx-lsp of one commit, with its own home directory.
type program struct{ path, home string }

func (p program) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.path, args...)
	cmd.Dir = p.home
	cmd.Env = []string{
		"HOME=" + p.home, "XDG_CACHE_HOME=" + p.cache(), "XDG_STATE_HOME=" + filepath.Join(p.home, "state"),
		"XDG_RUNTIME_DIR=" + p.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "NO_COLOR=1",
	}
	return cmd
}

func (p program) cache() string { return filepath.Join(p.home, "cache") }

// run runs a command n times and returns its average CPU time, or an error if it fails.
func (p program) run(n int, input string, args ...string) (time.Duration, error) {
	total := time.Duration(0)
	for range n {
		cmd := p.command(args...)
		cmd.Stdin = strings.NewReader(input)
		cmd.Stdout = io.Discard
		if err := cmd.Run(); err != nil {
			return 0, err
		}
		total += used(cmd)
	}
	return total / time.Duration(n), nil
}

// A measurement returns CPU time.
type measurement struct {
	name string
	take func(program) (time.Duration, error)
}

const updates = 300

// The two measurements that growth compares.
const (
	openingFew  = "a session of 100, open and end"
	openingMany = "a session of 10,000"
)

var measurements = []measurement{
	{"update, native", update("native")},
	{"update, in the module", update("wasm")},
	{"start of a daemon", func(p program) (time.Duration, error) { return daemon(p, "wasm", 0) }},
	{"first exact count", func(p program) (time.Duration, error) {
		return p.run(3, "", "count", "--model", "gpt-5", text(p.home))
	}},
	{"replay, 20 MB", func(p program) (time.Duration, error) {
		return p.run(1, "", "replay", "--json", filepath.Dir(filepath.Dir(long(p.home))))
	}},
	{"status line, the first", func(p program) (time.Duration, error) {
		for _, directory := range []string{p.cache(), filepath.Join(p.home, "state")} {
			if err := os.RemoveAll(directory); err != nil {
				return 0, err
			}
		}
		return p.run(1, longsession.Status(long(p.home), p.home), "statusline")
	}},
	{"status line, warm", func(p program) (time.Duration, error) {
		return p.run(10, longsession.Status(long(p.home), p.home), "statusline")
	}},
	{"version", func(p program) (time.Duration, error) { return p.run(20, "", "version") }},
	{"sessions, 200 of them", func(p program) (time.Duration, error) { return p.run(2, "", "sessions", "--json") }},
	{"60 sessions that grow", followedGrowing},
	{openingFew, opening(openedFew)},
	{openingMany, opening(openedMany)},
}

// update returns the measurement of one update: the difference between a daemon with many updates and one without any,
// divided by their number.
func update(engine string) func(program) (time.Duration, error) {
	return func(p program) (time.Duration, error) {
		without, err := daemon(p, engine, 0)
		if err != nil {
			return 0, err
		}
		with, err := daemon(p, engine, updates)
		return (with - without) / updates, err
	}
}

// times are the CPU times of one measurement for the base and for the commit, one pair for each run.
type times struct {
	of      [2][]time.Duration
	missing [2]error
}

// measure takes a measurement in pairs. The programs alternate in going first, and an extra first pair warms caches,
// except if runs take seconds.
func measure(m measurement, programs [2]program, pairs int) times {
	var result times
	first := 1
	if m.name == openingMany { // each run takes seconds
		pairs, first = 1, 0
	}
	for pair := range pairs + first {
		for turn := range programs {
			which := (pair + turn) % 2
			if result.missing[which] != nil {
				continue
			}
			took, err := m.take(programs[which])
			if err != nil {
				result.missing[which] = err
			} else if pair >= first {
				result.of[which] = append(result.of[which], took)
			}
		}
	}
	return result
}

// row returns the output line of a measurement: both medians, and the median of the pairs' ratios.
func row(m measurement, t times) string {
	cells := [3]string{"-", "-", "-"}
	for which := range t.of {
		if t.missing[which] == nil {
			cells[which] = t.median(which)
		}
	}
	if t.missing[0] == nil && t.missing[1] == nil {
		var ratios []float64
		for pair, base := range t.of[0] {
			if base > 0 {
				ratios = append(ratios, float64(t.of[1][pair])/float64(base))
			}
		}
		if len(ratios) > 0 {
			slices.Sort(ratios)
			cells[2] = fmt.Sprintf("%.2f", ratios[len(ratios)/2])
		}
	}
	line := fmt.Sprintf("%-28s %12s %12s %8s", m.name, cells[0], cells[1], cells[2])
	for which, err := range t.missing {
		if err != nil {
			name := [2]string{"base", "now"}[which]
			if late := (unfinished{}); errors.As(err, &late) {
				line += fmt.Sprintf("  (%s %v)", name, late)
			} else {
				line += fmt.Sprintf("  (%s: %.60s)", name, err)
			}
		}
	}
	return line
}

func (t times) median(which int) string { return fmt.Sprintf("%.2f ms", ms(t.middle(which))) }

func (t times) middle(which int) time.Duration {
	sorted := slices.Sorted(slices.Values(t.of[which]))
	return sorted[len(sorted)/2]
}
