// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unreadable is the error if the disk refuses to read or list saved ledgers, because it fails or the daemon has run out
// of file handles. It means neither damage nor absence: the ledgers may be perfectly good, and they are left alone.
type Unreadable struct{ Err error }

func (e *Unreadable) Error() string { return e.Err.Error() }

// Unwrap returns the error of the disk.
func (e *Unreadable) Unwrap() error { return e.Err }

// unreadable turns a disk's error into an Unreadable. A missing file or directory is returned as it is: nothing is
// saved there.
func unreadable(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	return &Unreadable{err}
}

func isUnreadable(err error) bool {
	var e *Unreadable
	return errors.As(err, &e)
}
