// Copyright The ctx-lsp authors. MIT licence.

// Package safefile opens files that others have written, such as those of a repository or of an agent, and replaces
// files so that they are there completely or not at all.
package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrNoFile is the error for a name that stands for something else than a file: a folder, a pipe or a device.
var ErrNoFile = errors.New("it is not a regular file")

// Open opens a regular file below a folder. A link inside the folder is followed, and one that leads out of it is an
// error: what lies there is not even looked at, for it may be on another machine. A pipe is not waited for.
func Open(folder, name string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	// What stands there may be exchanged between a look and the opening, so the look comes after it.
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: ErrNoFile}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// File opens a regular file by its path, wherever links lead. It neither waits for a pipe nor touches a device that has
// the name of a transcript or a database, and it keeps nobody from renaming or removing the file meanwhile.
func File(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNoFile}
	}
	return open(path)
}
