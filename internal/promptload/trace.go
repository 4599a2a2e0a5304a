// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// A Trace records the directories and files that were checked, and their state at that time, so that a result that
// depends on them can be used again while they stay the same. It contains paths and times, and no text.
type Trace struct {
	Folders []*TracedFolder `json:"folders"`
}

// A TracedFolder is a directory that was opened.
type TracedFolder struct {
	Dir   string       `json:"dir"`
	Real  string       `json:"real"` // the path with all links resolved; "" if it could not be opened
	Files []TracedFile `json:"files"`

	noted map[string]bool
}

// A TracedFile is a file or a directory below a TracedFolder.
type TracedFile struct {
	Path     string      `json:"path"`
	Mode     fs.FileMode `json:"mode"`     // 0 for a missing file
	Size     int64       `json:"size"`     // 0 for a directory
	Modified int64       `json:"modified"` // nanoseconds
}

// folder records that a directory was opened.
func (t *Trace) folder(dir, real string) *TracedFolder {
	if t == nil {
		return nil
	}
	for _, f := range t.Folders {
		if f.Dir == dir && f.Real == real {
			return f
		}
	}
	f := &TracedFolder{Dir: dir, Real: real, noted: map[string]bool{}}
	t.Folders = append(t.Folders, f)
	return f
}

// note records the state of a file before it is read. The first state stays.
func (f *Folder) note(path string) {
	if t := f.trace; t != nil && !t.noted[path] {
		t.noted[path] = true
		t.Files = append(t.Files, stateIn(f.Root, path))
	}
}

// Stat returns the state of a file below the directory.
func (f *Folder) Stat(path string) (fs.FileInfo, error) {
	f.note(path)
	return f.Root.Stat(filepath.FromSlash(path))
}

func stateIn(root *os.Root, path string) TracedFile {
	file := TracedFile{Path: path}
	if info, err := root.Stat(filepath.FromSlash(path)); err == nil {
		file.Mode, file.Modified = info.Mode(), info.ModTime().UnixNano()
		if info.Mode().IsRegular() {
			file.Size = info.Size()
		}
	}
	return file
}

// Len returns the number of files.
func (t *Trace) Len() (n int) {
	for _, f := range t.Folders {
		n += len(f.Files)
	}
	return n
}

// Settled reports whether no file has changed since a time: later changes may have left the time of the file as it was.
func (t *Trace) Settled(since time.Time) bool {
	for _, f := range t.Folders {
		for i := range f.Files {
			if f.Files[i].Modified > since.UnixNano() {
				return false
			}
		}
	}
	return true
}

// Same reports whether every directory and file is as it was.
func (t *Trace) Same() bool {
	for _, f := range t.Folders {
		if !f.same() {
			return false
		}
	}
	return true
}

func (f *TracedFolder) same() bool {
	if !dirs.Local(f.Dir) {
		return false
	}
	real, err := filepath.EvalSymlinks(f.Dir)
	if err != nil {
		return f.Real == ""
	}
	if real != f.Real {
		return false
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return false
	}
	defer root.Close()
	for i := range f.Files {
		if stateIn(root, f.Files[i].Path) != f.Files[i] {
			return false
		}
	}
	return true
}
