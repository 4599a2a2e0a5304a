// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"os/exec"
	"syscall"
)

// inShell returns a command for the shell, which Windows kills without its child processes. The shell parses its own
// command line and does not support escaped quotes: with /s it takes the text between the first and the last quote
// unchanged.
func inShell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /s /c "` + command + `"`}
	return cmd
}
