// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// StartDetached starts a program without waiting for it. The program gets its own session, so that the terminal does
// not end it, and none of this process's streams.
func StartDetached(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
