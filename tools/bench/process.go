// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// A run is the cost of one process.
type run struct {
	wall, cpu time.Duration
	kb        int64
	output    []byte
}

// runOnce runs a command to its end.
func runOnce(cmd *exec.Cmd) (run, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	r := run{wall: time.Since(began), output: out.Bytes()}
	if cmd.ProcessState != nil {
		r.cpu, r.kb = used(cmd), rusage.Peak(cmd.ProcessState)
	}
	if err != nil {
		return r, fmt.Errorf("%v: %w: %.200s", cmd.Args, err, strings.TrimSpace(errs.String()))
	}
	return r, nil
}

func (r run) String() string {
	return fmt.Sprintf("%.1f ms, %.1f ms of CPU time, %.0f MB", ms(r.wall), ms(r.cpu), float64(r.kb)/1024)
}

// sorted returns one duration of each run, the smallest first.
func sorted(runs []run, of func(run) time.Duration) []time.Duration {
	list := make([]time.Duration, len(runs))
	for i, r := range runs {
		list[i] = of(r)
	}
	slices.Sort(list)
	return list
}

func wallOf(r run) time.Duration { return r.wall }
func cpuOf(r run) time.Duration  { return r.cpu }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// used returns the CPU time of a process that has ended.
func used(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// usedSoFar returns the CPU time of a running process. Linux reports it for each thread in nanoseconds, in schedstat;
// if that is missing, in hundredths of a second.
func usedSoFar(pid int) (time.Duration, error) {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	threads, _ := filepath.Glob(filepath.Join(folder, "task", "*", "schedstat"))
	sum := time.Duration(0)
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		if fields := strings.Fields(string(text)); len(fields) == 3 {
			n, _ := strconv.ParseInt(fields[0], 10, 64)
			sum += time.Duration(n)
		}
	}
	if sum > 0 {
		return sum, nil
	}
	text, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name of the program may contain spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("%s/stat has %d fields", folder, len(fields))
	}
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum, nil
}
