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
	// maxLookups limits how many targets are looked up at a time.
	maxLookups = 1000
	// maxLinks is the maximum number of links on disk that one path may follow.
	maxLinks = 40
)

// A reach looks up files in the allowed directories while one document is processed. It decides from the text of a
// path, link by link, whether the path may be accessed at all, because on Windows even a check of \\server\share means
// to log in there. A file that may be accessed is opened through its root, so that no link can lead out of it.
type reach struct {
	places Places
	roots  []*root
	found  map[lookup]found
}

// A root is a directory that may be read.
type root struct {
	written, real string // the configured path, and the path with links resolved
	dir           *os.Root
}

type lookup struct{ folder, target string }

// reach returns a reach, which the caller must close.
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

// holding returns the root that contains a path, judging by the path's text, and the path relative to it.
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

// elsewhere reports whether a path refers to another machine, in the notation of any system.
func elsewhere(path string) bool {
	slash := func(c byte) bool { return c == '/' || c == '\\' }
	return len(path) > 1 && slash(path[0]) && slash(path[1])
}

// A fileState shows whether a file has changed since it was read.
type fileState struct {
	size     int64
	modified time.Time
}

// A location is a file or directory that may be read, with all links resolved.
type location struct {
	in   *root
	rel  string
	info fs.FileInfo
}

func (p location) same(other location) bool {
	return p.info != nil && other.info != nil && os.SameFile(p.info, other.info)
}

// locate returns the location that a path leads to, or why it cannot be read.
func (r *reach) locate(path string) (p location, problem string) {
	for range maxLinks {
		in, rel, ok := r.holding(path)
		if !ok {
			return location{}, "outside"
		}
		if in.dir == nil {
			dir, err := os.OpenRoot(in.real)
			if err != nil {
				return location{}, "missing"
			}
			in.dir = dir
		}
		info, err := in.dir.Stat(rel)
		switch {
		case err == nil:
			return location{in, rel, info}, ""
		case errors.Is(err, fs.ErrNotExist):
			return location{}, "missing"
		}
		if path, ok = in.throughLink(rel); !ok {
			return location{}, "missing"
		}
	}
	return location{}, "missing"
}

// throughLink returns the path with the first link in rel resolved; false if there is no link or it may not be
// followed. It handles links that os.Root refuses: absolute ones and those that lead out of the root.
func (in *root) throughLink(rel string) (path string, ok bool) {
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

// from returns a path resolved against a directory. On Windows a path that begins with a slash is on the directory's
// drive, and not absolute.
func from(folder, path string) string {
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case path != "" && os.IsPathSeparator(path[0]):
		return filepath.Clean(filepath.VolumeName(folder) + path)
	}
	return filepath.Join(folder, path)
}

// candidates returns the paths that a target may refer to, the likeliest first; nil if none may be read.
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
	path    string // the path of the file; "" if none was found
	size    int64
	problem string // missing, outside, tooLarge, unreadable
}

// find looks up the file that a target refers to. Results are cached.
func (r *reach) find(target, importer string) found {
	key := lookup{filepath.Dir(importer), target}
	if known, ok := r.found[key]; ok {
		return known
	}
	if len(r.found) >= maxLookups {
		return found{problem: "tooLarge"}
	}
	result := r.firstFile(r.places.candidates(target, importer))
	r.found[key] = result
	return result
}

func (r *reach) firstFile(paths []string) found {
	if len(paths) == 0 {
		return found{problem: "outside"}
	}
	outside := false
	for i, path := range paths {
		result, problem := r.locate(path)
		outside = outside || i == 0 && problem == "outside"
		switch {
		case problem != "" || result.info.IsDir():
			continue
		case !result.info.Mode().IsRegular() || result.info.Size() > maxImport:
			return found{path: path, problem: "tooLarge"}
		}
		return found{path: path, size: result.info.Size()}
	}
	if outside {
		return found{problem: "outside"}
	}
	return found{problem: "missing"}
}

// read returns the contents and state of an allowed file, or why it cannot be read.
func (r *reach) read(path string) ([]byte, fileState, string) {
	result, problem := r.locate(path)
	switch {
	case problem != "":
		return nil, fileState{}, problem
	case !result.info.Mode().IsRegular() || result.info.Size() > maxImport:
		return nil, fileState{}, "tooLarge"
	}
	// The file may have become a pipe since the check, so opening it must not block.
	file, err := result.in.dir.OpenFile(result.rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
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

// state returns the state of a file without reading it, the zero value if it cannot be accessed.
func (r *reach) state(path string) fileState {
	result, problem := r.locate(path)
	if problem != "" {
		return fileState{}
	}
	return fileState{result.info.Size(), result.info.ModTime()}
}

// companions returns the files that an agent loads together with its own always-loaded files; for "", those that agents
// share.
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

// glob returns the files below a directory that match a pattern, which may begin with plain names.
func (r *reach) glob(dir, pattern string) []string {
	parts := strings.Split(pattern, "/")
	plain := slices.IndexFunc(parts, func(part string) bool { return strings.Contains(part, "*") })
	if plain < 0 {
		plain = len(parts)
	}
	path := filepath.Join(append([]string{dir}, parts[:plain]...)...)
	result, problem := r.locate(path)
	if problem != "" || plain == len(parts) {
		if problem != "" || result.info.IsDir() {
			return nil
		}
		return []string{path}
	}
	if !result.info.IsDir() {
		return nil
	}
	below, err := fs.Sub(result.in.dir.FS(), filepath.ToSlash(result.rel))
	if err != nil {
		return nil
	}
	names, _ := fs.Glob(below, strings.Join(parts[plain:], "/")) // the patterns are our own and thus valid
	for i, name := range names {
		names[i] = filepath.Join(path, filepath.FromSlash(name))
	}
	return names
}
