// Copyright The ctx-lsp authors. MIT licence.

// Package safefile opens files from untrusted sources, such as those of a repository or an agent, and replaces files
// atomically.
package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrNoFile is the error for a name that is not a file but a directory, a pipe or a device.
var ErrNoFile = errors.New("it is not a regular file")

// Open opens a regular file below a directory. Links inside the directory are followed, but a link that leads out of it
// is an error: its target is not even checked, because it may be on another machine. Open does not wait for a pipe.
func Open(folder, name string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	// The name may be given to something else between a check and the opening, so the check comes after it.
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

// File opens a regular file by its path, wherever links lead. It neither waits for a pipe nor touches a device with the
// name of a transcript or database, and it does not keep other programs from renaming or removing the file.
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
