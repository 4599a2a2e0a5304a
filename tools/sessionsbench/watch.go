// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// measureWatch measures `watch` while no session changes, once it has read those of the last day.
func measureWatch(program, home string, n int, length time.Duration) error {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		fmt.Println("watch is not measured without /proc")
		return nil
	}
	cmd := command(program, home, "top", "--json")
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	time.Sleep(20 * time.Second) // it has read all that it follows, and has searched a second time
	before, err := used(cmd.Process.Pid)
	if err != nil {
		return err
	}
	began := time.Now()
	time.Sleep(length)
	after, err := used(cmd.Process.Pid)
	if err != nil {
		return err
	}
	share := 100 * (after - before).Seconds() / time.Since(began).Seconds()
	fmt.Printf("watch, %d sessions of which it follows %d, idle: %.3f %% of a core (%v in %v)\n",
		n, followed, share, after-before, length)
	return nil
}

// used is how much of the processor a process has used so far. schedstat tells it to the nanosecond where the
// kernel has it, for each thread; else it is counted in hundredths of a second.
func used(pid int) (time.Duration, error) {
	threads, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "schedstat"))
	sum := time.Duration(0)
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(text)); len(fields) == 3 {
			n, _ := strconv.ParseInt(fields[0], 10, 64)
			sum += time.Duration(n)
		}
	}
	if sum > 0 {
		return sum, nil
	}
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
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
