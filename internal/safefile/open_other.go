// Copyright The ctx-lsp authors. MIT licence.

//go:build !windows

package safefile

import (
	"io/fs"
	"os"
	"syscall"
)

// open does not wait if the file has become a pipe since the check.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// OpenShared opens a file like os.OpenFile. On this system other programs can always rename and remove an open file.
func OpenShared(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}
