// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package presence

import "golang.org/x/sys/unix"

// lives says whether a process exists. One that belongs to somebody else does.
func lives(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || err == unix.EPERM
}
