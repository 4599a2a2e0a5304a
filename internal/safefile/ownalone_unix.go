// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"fmt"
	"io/fs"
	"os"
)

// ownAlone returns an error for a file that belongs to another user or that others can change, because they
// may know the secret in it.
func ownAlone(path string, info fs.FileInfo) error {
	switch by := owner(info); {
	case by != os.Geteuid():
		return fmt.Errorf("%s belongs to another user; remove it", path)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("other users can write to %s; remove it", path)
	}
	return nil
}
