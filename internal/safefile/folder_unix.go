// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"errors"
	"os"
	"syscall"
)

// SyncFolder returns once the current names in a directory would survive a power cut. Errors of file systems without
// such a call are ignored.
func SyncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// Rename renames a file, replacing any file that has the new name.
func Rename(from, to string) error { return os.Rename(from, to) }
