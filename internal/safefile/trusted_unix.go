// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is the maximum number of links in a path.
const maxLinks = 40

// Trusted returns an error for a directory that another user could write to or replace. It and every directory above it
// must belong to the user or to root, and must not be writable by others. Sticky directories of root are allowed:
// others cannot remove the user's files there. The directory must not be a link; above it only links of root are
// followed. Elements of the path that do not exist yet are not checked.
func Trusted(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%s is not a full path", dir)
	}
	at, rest := "/", parts(dir)
	if err := ownDirectory(at, nil); err != nil {
		return err
	}
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		if part == ".." { // a link's target may contain it; at has no links
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		info, err := os.Lstat(next)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode()&os.ModeSymlink == 0 {
			if err := ownDirectory(next, info); err != nil {
				return err
			}
			at = next
			continue
		}
		if owner(info) != 0 || len(rest) == 0 {
			return fmt.Errorf("%s is a link", next)
		}
		if links++; links > maxLinks {
			return fmt.Errorf("%s contains too many links", dir)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return err
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		rest = append(parts(target), rest...)
	}
	return nil
}

// parts splits a path into its elements.
func parts(path string) []string {
	return strings.FieldsFunc(filepath.Clean(path), func(r rune) bool { return r == '/' })
}

// ownDirectory returns an error for a directory that another user owns or can write to.
func ownDirectory(path string, info os.FileInfo) error {
	if info == nil {
		var err error
		if info, err = os.Lstat(path); err != nil {
			return err
		}
	}
	switch by := owner(info); {
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case by != 0 && by != os.Geteuid():
		return fmt.Errorf("%s belongs to another user", path)
	case info.Mode().Perm()&0o022 != 0 && (by != 0 || info.Mode()&os.ModeSticky == 0):
		return fmt.Errorf("other users can write to %s", path)
	}
	return nil
}

// owner returns the id of a file's owner.
func owner(info os.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}
