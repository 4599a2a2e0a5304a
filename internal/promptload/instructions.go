// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"path/filepath"
	"slices"
	"strings"
)

// Instructions loads the files that a settings file lists as instructions.
func (l *Loader) Instructions(f *Folder, folders []*Folder, path string) {
	if f == nil {
		return
	}
	v, _ := l.Settings(f, path)
	for each := v.Get("instructions").Elements(); each.Next(); {
		l.instructed(f, folders, each.Value.String())
	}
}

// instructed loads a file or a pattern from settings, below the workspace or a directory above it. The user's own
// settings may name files anywhere on this machine; settings of a workspace, which may be untrusted, cannot. Files that
// are not loaded are noted.
func (l *Loader) instructed(f *Folder, folders []*Folder, path string) {
	path = filepath.ToSlash(path)
	if strings.Contains(path, "://") {
		l.Outside = append(l.Outside, l.Named(path))
		return
	}
	shown := path
	if rest, home := strings.CutPrefix(path, "~/"); home {
		path = filepath.ToSlash(filepath.Join(l.Environment.Home, filepath.FromSlash(rest)))
	}
	if filepath.IsAbs(filepath.FromSlash(path)) {
		in, rest := f, ""
		if rel, err := filepath.Rel(f.Dir, filepath.FromSlash(path)); err == nil && filepath.IsLocal(rel) {
			rest = filepath.ToSlash(rel)
		} else if f.MayImport {
			in, rest = l.elsewhere(path, shown)
		}
		if rest == "" || in == nil {
			l.Outside = append(l.Outside, l.Named(shown))
		} else {
			l.pattern(in, rest)
		}
	} else if path = strings.TrimPrefix(path, "./"); !filepath.IsLocal(filepath.FromSlash(path)) {
		l.Outside = append(l.Outside, l.Named(shown))
	} else {
		for _, f := range slices.Backward(folders) { // the nearest first
			l.pattern(f, path)
		}
	}
}

// elsewhere opens the directory of a file or pattern from the user's own settings, and returns the rest of the path.
func (l *Loader) elsewhere(path, shown string) (in *Folder, rest string) {
	end := len(path)
	if isGlob(path) {
		end = strings.IndexAny(path, "*?[{")
	}
	end = strings.LastIndexByte(path[:end], '/')
	if in = l.Root(filepath.FromSlash(path[:end])); in != nil && in.label == "" && in != l.Workspace {
		in.label = strings.TrimSuffix(shown, path[end+1:])
	}
	return in, path[end+1:]
}

// pattern loads a file, or the files that match a pattern.
func (l *Loader) pattern(f *Folder, path string) {
	if !isGlob(path) {
		l.Memory(f, path)
		return
	}
	found, complete := l.matching(f, path)
	if !complete {
		l.unfinished = append(l.unfinished, path)
	}
	for _, file := range found {
		l.Memory(f, file)
	}
}
