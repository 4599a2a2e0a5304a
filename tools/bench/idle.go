// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"time"
)

// measureIdle measures `top` while no session grows, after it has read the sessions of the last day.
func measureIdle(program, home string, n int, length time.Duration) error {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		fmt.Println("top is not measured without /proc")
		return nil
	}
	cmd := command(program, home, "top", "--json")
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	time.Sleep(20 * time.Second) // all sessions that it follows are read, and it has searched a second time
	before, err := usedSoFar(cmd.Process.Pid)
	if err != nil {
		return err
	}
	began := time.Now()
	time.Sleep(length)
	after, err := usedSoFar(cmd.Process.Pid)
	if err != nil {
		return err
	}
	share := 100 * (after - before).Seconds() / time.Since(began).Seconds()
	fmt.Printf("top, %d sessions of which it follows %d, idle: %.3f %% of a core (%v in %v)\n",
		n, followed, share, after-before, length)
	return nil
}
