// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os/exec"
	"syscall"
)

// startAlone starts a program that nobody waits for, without a console, and without this process's streams.
func startAlone(cmd *exec.Cmd) error {
	const detached, group = 0x8, 0x200
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: detached | group}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// inGroup leaves the program alone: Windows ends it without what it has started.
func inGroup(*exec.Cmd) {}
