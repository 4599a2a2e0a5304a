// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package lsp

import "golang.org/x/sys/unix"

// processLives says whether a process exists. One that belongs to somebody else does.
func processLives(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || err == unix.EPERM
}
