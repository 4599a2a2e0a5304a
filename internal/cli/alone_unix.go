// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"context"
	"os/exec"
	"syscall"
)

// startAlone starts a program that nobody waits for. It has a session of its own, so that the terminal does not end it,
// and none of this process's streams, so that nobody waits for their end.
func startAlone(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// inShell is a command for the shell, which is ended with whatever it has started.
func inShell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
