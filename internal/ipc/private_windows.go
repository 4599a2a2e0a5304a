// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"net"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownedAlone accepts every directory, because all of them are in the user's own profile.
func ownedAlone(string) error { return nil }

// listenAlone listens at a socket file, which the permissions of its directory protect.
func listenAlone(path string) (*net.UnixListener, error) {
	return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
}

// detach lets a process outlive the editor that started it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
