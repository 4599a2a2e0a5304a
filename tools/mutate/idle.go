// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// idleCPU is how much CPU time a process may use while it is treated as idle: the daemon's timers use a little.
const idleCPU = 200 * time.Millisecond

// waitIdle returns true once a process has used next to no CPU time for a while, and false when ctx ends. Only Linux
// shows the CPU time of a running process.
func waitIdle(ctx context.Context, pid int, while time.Duration) bool {
	poll := time.NewTicker(while / 20)
	defer poll.Stop()
	last, since := time.Duration(0), time.Now()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-poll.C:
		}
		used, known := cpuTime(pid)
		switch {
		case !known || used-last >= idleCPU:
			last, since = used, time.Now()
		case time.Since(since) >= while:
			return true
		}
	}
}

// cpuTime returns the CPU time that a running process has used, if it is known.
func cpuTime(pid int) (used time.Duration, known bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	var user, system int64                         // hundredths of a second
	_, after, _ := strings.Cut(string(text), ") ") // the name may contain spaces
	if fields := strings.Fields(after); len(fields) > 12 {
		user, _ = strconv.ParseInt(fields[11], 10, 64)
		system, err = strconv.ParseInt(fields[12], 10, 64)
		known = err == nil
	}
	return time.Duration(user+system) * 10 * time.Millisecond, known
}
