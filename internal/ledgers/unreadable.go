// Copyright The ctx-lsp authors. MIT licence.

package ledgers

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unreadable says that the disk does not let anybody know or have what is saved: it is read-only, or the daemon has no
// handle left. That is neither damage nor absence. What is saved may be as good as ever, and nothing is done to it.
type Unreadable struct{ Err error }

func (e *Unreadable) Error() string { return e.Err.Error() }

// Unwrap is what the disk has said.
func (e *Unreadable) Unwrap() error { return e.Err }

// unreadable is what a disk's error means for what is saved. Where there is no folder or file, nothing is.
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
