// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// A workspace is a directory to compare the directories of sessions with.
type workspace struct {
	paths []string // see PathNames
	hash  string   // SHA-256 of the path, which an agent may use to name a project
}

func newWorkspace(dir string) workspace {
	elsewhere := filepath.IsAbs(dir) && !dirs.Local(dir) // a transcript can name any directory
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	w := workspace{paths: []string{dirs.Comparable(dir)}, hash: hex.EncodeToString(sum[:])}
	if !elsewhere {
		w.paths = dirs.PathNames(dir)
	}
	return w
}

// holds reports whether a session that was started in dir belongs to the workspace: in it or in a directory below it.
func (w workspace) holds(dir string) bool {
	if dir == "" {
		return false
	}
	dir = dirs.Comparable(dir)
	for _, path := range w.paths {
		if dir == path || strings.HasPrefix(dir, strings.TrimSuffix(path, "/")+"/") {
			return true
		}
	}
	return false
}
