// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"os"
	"path/filepath"
	"strings"
)

// MostFile bounds the size of a file on disk.
const MostFile = 32 << 20

// A Workspace opens the files of a session.
type Workspace struct {
	Root string
	// Was is where the workspace was when the session ran, if that is elsewhere: its paths are taken as those in Root.
	Was string
	// Inside limits files to those in Root, after links are followed.
	Inside bool

	known map[string]string
	root  string
}

// Of returns the files of a session's workspace. If there is no such folder on this machine, dir takes its place.
func Of(workspace, dir string) *Workspace {
	if info, err := os.Stat(workspace); workspace != "" && err == nil && info.IsDir() {
		return &Workspace{Root: workspace}
	}
	return &Workspace{Root: dir, Was: workspace}
}

// Resolve implements Files.
func (w *Workspace) Resolve(folder, path string) string {
	if path == "" || strings.ContainsAny(path, "\n\x00*") {
		return ""
	}
	if !filepath.IsAbs(path) {
		if folder == "" || folder == w.Was {
			folder = w.Root
		}
		if folder == "" {
			return ""
		}
		path = filepath.Join(folder, path)
	}
	path = filepath.Clean(path)
	if w.Was != "" && within(path, w.Was) {
		if rest, err := filepath.Rel(w.Was, path); err == nil {
			path = filepath.Join(w.Root, rest)
		}
	}
	if found, ok := w.known[path]; ok {
		return found
	}
	if w.known == nil {
		w.known = map[string]string{}
		w.root = w.Root
		if root, err := filepath.EvalSymlinks(w.Root); err == nil {
			w.root = root
		}
	}
	found := ""
	if !w.Inside || within(path, w.Root) || within(path, w.root) {
		found = path
		if real, err := filepath.EvalSymlinks(path); err == nil {
			found = real
		}
		if w.Inside && !within(found, w.root) {
			found = ""
		}
	}
	w.known[path] = found
	return found
}

// within reports whether a path is inside a folder.
func within(path, folder string) bool {
	if folder == "" {
		return false
	}
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

// Read implements Files.
func (w *Workspace) Read(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MostFile {
		return "", false
	}
	text, err := os.ReadFile(path)
	return string(text), err == nil
}
