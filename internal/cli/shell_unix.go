// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"context"
	"os/exec"
	"syscall"
)

// inShell returns a command for the shell that is killed together with its child processes.
func inShell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
