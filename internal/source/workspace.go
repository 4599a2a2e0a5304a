// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"runtime"
	"strings"
)

// A workspace is a directory with which the directories of sessions are
// compared.
type workspace struct {
	paths []string // see PathNames
	hash  string   // SHA-256 of the path, as Gemini CLI names projects
}

func newWorkspace(dir string) workspace {
	elsewhere := filepath.IsAbs(dir) && !Local(dir) // a transcript can name any directory
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	w := workspace{paths: []string{comparable(dir)}, hash: hex.EncodeToString(sum[:])}
	if !elsewhere {
		w.paths = PathNames(dir)
	}
	return w
}

// PathNames lists the forms in which a path is compared with others: as it is
// written, and with links followed if they lead elsewhere.
func PathNames(path string) []string {
	names := []string{comparable(path)}
	if !Local(path) {
		return names // even looking at another machine may mean to log in there
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && comparable(real) != names[0] {
		names = append(names, comparable(real))
	}
	return names
}

// comparable is a path in a form that is equal for two names of one directory
// on this system.
func comparable(path string) string {
	path = filepath.ToSlash(filepath.Clean(path))
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path = strings.ToLower(path)
	}
	return path
}

// holds says whether a session that was started in dir belongs to the
// workspace: it was started there or in a directory below it.
func (w workspace) holds(dir string) bool {
	if dir == "" {
		return false
	}
	dir = comparable(dir)
	for _, path := range w.paths {
		if dir == path || strings.HasPrefix(dir, strings.TrimSuffix(path, "/")+"/") {
			return true
		}
	}
	return false
}
