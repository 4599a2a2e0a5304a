// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// together puts a server into its own process group, so that everything it starts ends with it.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
