// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unreadable is the error where the disk does not let saved ledgers be read or listed, because it fails or the daemon
// has no file handle left. It means neither damage nor absence: the ledgers may be as good as ever, and nothing is done
// to them.
type Unreadable struct{ Err error }

func (e *Unreadable) Error() string { return e.Err.Error() }

// Unwrap returns the error of the disk.
func (e *Unreadable) Unwrap() error { return e.Err }

// unreadable turns a disk's error into an Unreadable. A folder or file that does not exist is no error: nothing is
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
