// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestABlockedProgramIsNoticed checks a program that only waits, and one that has ended.
func TestABlockedProgramIsNoticed(t *testing.T) {
	if _, known := cpuTime(os.Getpid()); !known {
		t.Skip("this system does not show the CPU time of a running process")
	}
	c := exec.Command("sleep", "600")
	if err := c.Start(); err != nil {
		t.Skip("sleep was not found: ", err)
	}
	if !waitIdle(t.Context(), c.Process.Pid, 100*time.Millisecond) {
		t.Error("a program that only waits is not idle")
	}
	c.Process.Kill()
	c.Wait()
	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if waitIdle(soon, c.Process.Pid, 50*time.Millisecond) {
		t.Error("a program that has ended is idle")
	}
}
