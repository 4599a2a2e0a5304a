// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"os/exec"
	"syscall"
)

// inShell is a command for the shell, which Windows ends without what it has started. The shell reads its own line and
// knows no escaped quotes: with /s it takes what stands between the first and the last one as it is.
func inShell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /s /c "` + command + `"`}
	return cmd
}
