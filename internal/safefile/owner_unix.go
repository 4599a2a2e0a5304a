// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"fmt"
	"os"
	"syscall"
)

// KeepOwner gives a new file the owner of the one at place, which it will replace. If there is none, it does nothing.
func KeepOwner(f *os.File, place string) error {
	info, err := os.Stat(place)
	if err != nil {
		return nil // a new file belongs to the current user
	}
	own, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok := info.Sys().(*syscall.Stat_t)
	is, other := own.Sys().(*syscall.Stat_t)
	if !ok || !other || was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil && was.Uid != is.Uid {
		return fmt.Errorf("%s belongs to another user; nothing was written: %w", place, err)
	}
	return nil
}
