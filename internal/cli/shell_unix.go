// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"context"
	"os/exec"
	"syscall"
)

// inShell is a command for the shell, which is ended with whatever it has started.
func inShell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
