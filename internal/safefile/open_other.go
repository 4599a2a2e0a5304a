// Copyright The ctx-lsp authors. MIT licence.

//go:build !windows

package safefile

import (
	"io/fs"
	"os"
	"syscall"
)

// open does not wait where a pipe stands by now.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// OpenShared opens a file as os.OpenFile does. Here others can always rename and remove it meanwhile.
func OpenShared(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}
