// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"os/exec"
	"syscall"
)

// StartDetached starts a program without waiting for it, without a console, and without this process's streams.
func StartDetached(cmd *exec.Cmd) error {
	const detached, group = 0x8, 0x200
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: detached | group}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
