// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

const (
	// maxImport is the size of the largest file that is imported.
	maxImport = 1 << 20
	// maxLookups bounds how many targets are looked for at a time.
	maxLookups = 1000
	// maxLinks is how many links on disk one path may lead over.
	maxLinks = 40
)

// A reach looks for files in the places while one document is worked on. It decides by the text of a path, link by
// link, whether the path may be looked at, before it asks the disk: on Windows, looking at \\server\share means to log
// in there. A file that may be looked at is opened through its root, which lets no link lead out.
type reach struct {
	places Places
	roots  []*root
	found  map[lookup]found
}

// A root is a directory that may be read.
type root struct {
	written, real string // as it was named, and with links resolved
	dir           *os.Root
}

type lookup struct{ folder, target string }

// reach opens a reach, which the caller must close.
func (p Places) reach() *reach {
	r := &reach{places: p, found: map[lookup]found{}}
	add := func(dir string) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(real) {
			r.roots = append(r.roots, &root{written: filepath.Clean(dir), real: real})
		}
	}
	for _, folder := range p.Folders {
		add(folder)
	}
	if p.Home != "" {
		for _, folder := range agentFolders() {
			add(filepath.Join(p.Home, filepath.FromSlash(folder)))
		}
	}
	return r
}

func (r *reach) close() {
	for _, each := range r.roots {
		if each.dir != nil {
			each.dir.Close()
		}
	}
}

// holding finds the root that contains a path, by the path's text, and the path relative to it.
func (r *reach) holding(path string) (in *root, rel string, ok bool) {
	for _, each := range r.roots {
		for _, dir := range []string{each.written, each.real} {
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
				return each, rel, true
			}
		}
	}
	return nil, "", false
}

// elsewhere says whether a path names another machine, in the notation of any system.
func elsewhere(path string) bool {
	slash := func(c byte) bool { return c == '/' || c == '\\' }
	return len(path) > 1 && slash(path[0]) && slash(path[1])
}

// A fileState tells whether a file has changed since it was read.
type fileState struct {
	size     int64
	modified time.Time
}

// A place is a file or a folder that may be read, with all links followed.
type place struct {
	in   *root
	rel  string
	info fs.FileInfo
}

func (p place) same(other place) bool {
	return p.info != nil && other.info != nil && os.SameFile(p.info, other.info)
}

// follow finds the place to which a path leads.
func (r *reach) follow(path string) (p place, problem string) {
	for range maxLinks {
		in, rel, ok := r.holding(path)
		if !ok {
			return place{}, "outside"
		}
		if in.dir == nil {
			dir, err := os.OpenRoot(in.real)
			if err != nil {
				return place{}, "missing"
			}
			in.dir = dir
		}
		info, err := in.dir.Stat(rel)
		switch {
		case err == nil:
			return place{in, rel, info}, ""
		case errors.Is(err, fs.ErrNotExist):
			return place{}, "missing"
		}
		if path, ok = in.overLink(rel); !ok {
			return place{}, "missing"
		}
	}
	return place{}, "missing"
}

// overLink follows the first link in a path that is absolute or leads out of the root, and returns where it leads.
func (in *root) overLink(rel string) (path string, ok bool) {
	parts := strings.Split(filepath.Clean(rel), string(filepath.Separator))
	for i := range parts {
		link := filepath.Join(parts[:i+1]...)
		info, err := in.dir.Lstat(link)
		if err != nil {
			return "", false
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := in.dir.Readlink(link)
		if err != nil || elsewhere(target) {
			return "", false
		}
		target = from(filepath.Join(in.real, filepath.Dir(link)), target)
		return filepath.Join(append([]string{target}, parts[i+1:]...)...), true
	}
	return "", false
}

// from is where a path leads from a folder. On Windows a path that begins with a slash is on the folder's drive, and is
// not absolute.
func from(folder, path string) string {
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case path != "" && os.IsPathSeparator(path[0]):
		return filepath.Clean(filepath.VolumeName(folder) + path)
	}
	return filepath.Join(folder, path)
}

// candidates are the paths that a target may mean, the likeliest first.
func (p Places) candidates(target, importer string) []string {
	local := filepath.FromSlash(target)
	switch {
	case elsewhere(target):
		return nil
	case target == "~" || strings.HasPrefix(target, "~/"):
		if p.Home == "" {
			return nil
		}
		return []string{filepath.Join(p.Home, strings.TrimPrefix(local, "~"))}
	case filepath.IsAbs(local):
		return []string{filepath.Clean(local)}
	}
	paths := []string{from(filepath.Dir(importer), local)}
	for _, folder := range p.Folders {
		if path := from(folder, local); path != paths[0] {
			paths = append(paths, path)
		}
	}
	return paths
}

// A found is the result of looking for a file.
type found struct {
	path    string // the path of the file; empty when there is none
	size    int64
	problem string // missing, outside, tooLarge, unreadable
}

// find looks for the file that a target means.
func (r *reach) find(target, importer string) found {
	key := lookup{filepath.Dir(importer), target}
	if known, ok := r.found[key]; ok {
		return known
	}
	if len(r.found) >= maxLookups {
		return found{problem: "tooLarge"}
	}
	there := r.look(r.places.candidates(target, importer))
	r.found[key] = there
	return there
}

func (r *reach) look(paths []string) found {
	if len(paths) == 0 {
		return found{problem: "outside"}
	}
	outside := false
	for i, path := range paths {
		there, problem := r.follow(path)
		outside = outside || i == 0 && problem == "outside"
		switch {
		case problem != "" || there.info.IsDir():
			continue
		case !there.info.Mode().IsRegular() || there.info.Size() > maxImport:
			return found{path: path, problem: "tooLarge"}
		}
		return found{path: path, size: there.info.Size()}
	}
	if outside {
		return found{problem: "outside"}
	}
	return found{problem: "missing"}
}

// read reads a file in one of the places.
func (r *reach) read(path string) ([]byte, fileState, string) {
	there, problem := r.follow(path)
	switch {
	case problem != "":
		return nil, fileState{}, problem
	case !there.info.Mode().IsRegular() || there.info.Size() > maxImport:
		return nil, fileState{}, "tooLarge"
	}
	// A file may have become a pipe since it was looked at, which must not be waited for.
	file, err := there.in.dir.OpenFile(there.rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fileState{}, "unreadable"
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, fileState{}, "unreadable"
	}
	text, err := io.ReadAll(io.LimitReader(file, maxImport+1))
	switch {
	case err != nil:
		return nil, fileState{}, "unreadable"
	case len(text) > maxImport, bytes.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0:
		return nil, fileState{}, "tooLarge"
	}
	return text, fileState{info.Size(), info.ModTime()}, ""
}

// state looks at a file without reading it.
func (r *reach) state(path string) fileState {
	there, problem := r.follow(path)
	if problem != "" {
		return fileState{}
	}
	return fileState{there.info.Size(), there.info.ModTime()}
}

// companions are the files that an agent loads together with one of its own files that is always loaded.
func (r *reach) companions(of string) []string {
	const most = 60
	var patterns []string
	if of == "" {
		patterns = agents.SharedPromptFiles()
	} else if a := agents.ByID(of); a != nil {
		patterns = a.PromptFiles
	}
	var paths []string
	for _, pattern := range patterns {
		dirs := r.places.Folders
		if home, ok := strings.CutPrefix(pattern, "~/"); ok {
			pattern, dirs = home, []string{r.places.Home}
		}
		for _, dir := range dirs {
			if dir != "" {
				paths = append(paths, r.glob(filepath.Clean(dir), pattern)...)
			}
		}
	}
	return paths[:min(len(paths), most)]
}

// glob finds the files below a directory that match a pattern, which may begin with plain names.
func (r *reach) glob(dir, pattern string) []string {
	parts := strings.Split(pattern, "/")
	plain := slices.IndexFunc(parts, func(part string) bool { return strings.Contains(part, "*") })
	if plain < 0 {
		plain = len(parts)
	}
	path := filepath.Join(append([]string{dir}, parts[:plain]...)...)
	there, problem := r.follow(path)
	if problem != "" || plain == len(parts) {
		if problem != "" || there.info.IsDir() {
			return nil
		}
		return []string{path}
	}
	if !there.info.IsDir() {
		return nil
	}
	below, err := fs.Sub(there.in.dir.FS(), filepath.ToSlash(there.rel))
	if err != nil {
		return nil
	}
	names, _ := fs.Glob(below, strings.Join(parts[plain:], "/")) // the pattern is one of ours, so it is valid
	for i, name := range names {
		names[i] = filepath.Join(path, filepath.FromSlash(name))
	}
	return names
}
