// Copyright The ctx-lsp authors. MIT licence.

package sink

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// apart starts the program without a console window.
func apart(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}
