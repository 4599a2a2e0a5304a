// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"errors"
	"os"
	"syscall"
)

// SyncFolder waits until the names in a folder, as they are now, would survive a power cut. File systems without such a
// call keep names by themselves.
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

// Rename gives a file the name of another, which it replaces.
func Rename(from, to string) error { return os.Rename(from, to) }
