// Copyright The ctx-lsp authors. MIT licence.

// Command sessionsbench measures what the program costs on a machine with very many sessions: the first `sessions` and
// those after it, each a process of its own; `watch` while nothing happens, in processor time of a minute; and one
// conversation in a database of 2 GB, beside the same conversation alone.
//
//	go run ./tools/sessionsbench -ctx-lsp bin/ctx-lsp -for 60s
//
// It writes 2.2 GB below the system's folder for temporary files, and removes them. Watching is measured on Linux,
// whose /proc tells the time of a process.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

func main() {
	program := flag.String("ctx-lsp", "bin/ctx-lsp", "the program")
	times := flag.Int("n", 15, "runs of each")
	length := flag.Duration("for", time.Minute, "how long watching is measured; 0 leaves it out")
	large := flag.Int("mb", 2048, "size of the database; 0 leaves it out")
	flag.Parse()
	if err := measure(*program, *times, *length, *large); err != nil {
		fmt.Fprintln(os.Stderr, "sessionsbench:", err)
		os.Exit(1)
	}
}

func measure(program string, times int, length time.Duration, large int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "sessionsbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if large > 0 {
		if err := measureDatabase(program, home, times, large); err != nil {
			return err
		}
	}
	many := filepath.Join(home, "many")
	n, err := manySessions(many)
	if err != nil {
		return err
	}
	if err := measureSearch(program, many, n, times); err != nil {
		return err
	}
	if length > 0 {
		return measureWatch(program, many, n, length)
	}
	return nil
}

// measureSearch measures `sessions` as a person runs it, the newest fifty with what fills each, and as a program does,
// which is also told which of them is shown in this folder: of all that is asked where it was started.
func measureSearch(program, home string, n, times int) error {
	for _, args := range [][]string{{"sessions"}, {"sessions", "--json"}} {
		first, err := once(program, home, args...)
		if err != nil {
			return err
		}
		var after []run
		for range times {
			r, err := once(program, home, args...)
			if err != nil {
				return err
			}
			after = append(after, r)
		}
		fmt.Printf("%s, %d of all agents, the first time: %v\n", strings.Join(args, " "), n, first)
		fmt.Printf("%s, by each process after it: %s\n", strings.Join(args, " "), summary(after))
	}
	var floor []run
	for range times {
		r, err := once(program, home, "version", "--json")
		if err != nil {
			return err
		}
		floor = append(floor, r)
	}
	fmt.Printf("version, which only starts: %s\n", summary(floor))
	return nil
}

// measureDatabase measures what 2 GB of other conversations add to one.
func measureDatabase(program, home string, times, megabytes int) error {
	small, big := filepath.Join(home, "small"), filepath.Join(home, "big")
	if err := cursorDatabase(small, 0); err != nil {
		return err
	}
	if err := cursorDatabase(big, megabytes); err != nil {
		return err
	}
	var alone, among []run
	for range times {
		for _, each := range []struct {
			home string
			runs *[]run
		}{{small, &alone}, {big, &among}} {
			r, err := once(program, each.home, "status", "--json", "c1")
			if err != nil {
				return err
			}
			*each.runs = append(*each.runs, r)
		}
	}
	info, err := os.Stat(filepath.Join(big, cursorPath))
	if err != nil {
		return err
	}
	fmt.Printf("status, a conversation alone in its database: %s\n", summary(alone))
	fmt.Printf("status, the same in a database of %.1f GB: %s\n", float64(info.Size())/1e9, summary(among))
	return os.RemoveAll(big)
}

// A run is what one process cost.
type run struct {
	wall, processor time.Duration
	kb              int64
}

func (r run) String() string {
	return fmt.Sprintf("%.1f ms, %.1f ms of processor time, %.0f MB", ms(r.wall), ms(r.processor), float64(r.kb)/1024)
}

// summary is the least and the median of several runs.
func summary(runs []run) string {
	walls, processors := make([]time.Duration, len(runs)), make([]time.Duration, len(runs))
	kb := int64(0)
	for i, r := range runs {
		walls[i], processors[i], kb = r.wall, r.processor, max(kb, r.kb)
	}
	slices.Sort(walls)
	slices.Sort(processors)
	middle := len(runs) / 2
	return fmt.Sprintf("least %.1f ms, median %.1f ms; processor time least %.1f ms, median %.1f ms; at most %.0f MB (%d runs)",
		ms(walls[0]), ms(walls[middle]), ms(processors[0]), ms(processors[middle]), float64(kb)/1024, len(runs))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// command runs the program with a home of its own.
func command(program, home string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = home
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_RUNTIME_DIR=" + home, "LANG=C.UTF-8",
	}
	return cmd
}

func once(program, home string, args ...string) (run, error) {
	cmd := command(program, home, args...)
	began := time.Now()
	out, err := cmd.Output()
	r := run{wall: time.Since(began)}
	if state := cmd.ProcessState; state != nil {
		r.processor, r.kb = state.UserTime()+state.SystemTime(), rusage.Peak(state)
	}
	if err == nil && len(out) < 20 {
		err = fmt.Errorf("it says only %q", out)
	}
	if err != nil {
		return r, fmt.Errorf("%v: %w", cmd.Args, err)
	}
	return r, nil
}
