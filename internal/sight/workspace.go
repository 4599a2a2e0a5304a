// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"io/fs"
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
	switch {
	case !w.Inside:
		found = followed(path)
	case within(path, w.Root):
		rest, _ := filepath.Rel(w.Root, path)
		found = w.followedInside(rest)
	case within(path, w.root):
		rest, _ := filepath.Rel(w.root, path)
		found = w.followedInside(rest)
	}
	if found != "" { // a path that leads nowhere may do so later
		w.known[path] = found
	}
	return found
}

// mostLinks bounds how many links a path may have.
const mostLinks = 40

// followedInside returns the path of a file below the root with its links followed, or "" if one leads out of the root.
// What is outside of it is not touched.
func (w *Workspace) followedInside(rest string) string {
	left := strings.Split(rest, string(filepath.Separator))
	at, links := w.root, 0
	for len(left) > 0 {
		next := filepath.Join(at, left[0])
		if left = left[1:]; !within(next, w.root) {
			return ""
		}
		info, err := os.Lstat(next)
		if err != nil {
			if missing := filepath.Join(append([]string{next}, left...)...); within(missing, w.root) {
				return missing
			}
			return ""
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > mostLinks {
			return ""
		}
		if filepath.IsAbs(target) {
			switch root := w.root; {
			case within(target, w.Root):
				root = w.Root
				fallthrough
			case within(target, w.root):
				target, _ = filepath.Rel(root, target)
				at = w.root
			default:
				return ""
			}
		}
		left = append(strings.Split(filepath.Clean(target), string(filepath.Separator)), left...)
	}
	return at
}

// followed returns a path with its links followed. Of a file that does not exist, those of its folder are.
func followed(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return path
}

// within reports whether a path is inside a folder.
func within(path, folder string) bool {
	if folder == "" {
		return false
	}
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

// Read implements Files. A link that leads out of a root is not followed.
func (w *Workspace) Read(path string) (string, bool) {
	if w.Inside {
		root, err := os.OpenRoot(w.root)
		if err != nil {
			return "", false
		}
		defer root.Close()
		rest, err := filepath.Rel(w.root, path)
		if err != nil {
			return "", false
		}
		info, err := root.Stat(rest)
		if err != nil || !readable(info) {
			return "", false
		}
		text, err := root.ReadFile(rest)
		return string(text), err == nil
	}
	info, err := os.Stat(path)
	if err != nil || !readable(info) {
		return "", false
	}
	text, err := os.ReadFile(path)
	return string(text), err == nil
}

func readable(info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Size() <= MostFile }
