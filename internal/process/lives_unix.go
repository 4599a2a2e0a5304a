// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package process

import "golang.org/x/sys/unix"

// lives reports whether a process exists, regardless of its owner.
func lives(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || err == unix.EPERM
}
