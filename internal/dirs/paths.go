// Copyright The ctx-lsp authors. MIT licence.

package dirs

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Local reports whether it is safe to access a path from an untrusted source. It must be an absolute path of this
// system that does not lead to another machine: a transcript can name any directory, and on Windows merely checking
// \\server\share means to log in there.
func Local(path string) bool {
	slash := func(i int) bool { return i < len(path) && (path[i] == '/' || path[i] == '\\') }
	return filepath.IsAbs(path) && !(slash(0) && slash(1))
}

// PathNames returns the forms in which a path is compared with others: as it is written, and with its links resolved if
// that differs.
func PathNames(path string) []string {
	names := []string{Comparable(path)}
	if !Local(path) {
		return names // even checking a path on another machine may mean to log in there
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && Comparable(real) != names[0] {
		names = append(names, Comparable(real))
	}
	return names
}

// Comparable returns a path in a form that is equal for different spellings of one path on this system.
func Comparable(path string) string {
	path = filepath.ToSlash(filepath.Clean(path))
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path = strings.ToLower(path)
	}
	return path
}
