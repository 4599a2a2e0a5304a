// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownedAlone is given by the user's own profile.
func ownedAlone(string) error { return nil }

// detach lets a process outlive the editor that started it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
