// Copyright The ctx-lsp authors. MIT licence.

package dirs

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Local says whether a path that somebody else has written may be looked at. It
// must be a full path of this system that leads to no other machine: a
// transcript can name any directory as its own, and on Windows even looking at
// \\server\share means to log in there.
func Local(path string) bool {
	slash := func(i int) bool { return i < len(path) && (path[i] == '/' || path[i] == '\\') }
	return filepath.IsAbs(path) && !(slash(0) && slash(1))
}

// PathNames lists the forms in which a path is compared with others: as it is
// written, and with links followed if they lead elsewhere.
func PathNames(path string) []string {
	names := []string{Comparable(path)}
	if !Local(path) {
		return names // even looking at another machine may mean to log in there
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && Comparable(real) != names[0] {
		names = append(names, Comparable(real))
	}
	return names
}

// Comparable is a path in a form that is equal for two names of one directory
// on this system.
func Comparable(path string) string {
	path = filepath.ToSlash(filepath.Clean(path))
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path = strings.ToLower(path)
	}
	return path
}
