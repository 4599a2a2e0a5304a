// Copyright The ctx-lsp authors. MIT licence.

package textfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Sentence returns a message about why the named file cannot be used.
func Sentence(name string, err error) string {
	var about *fs.PathError
	if errors.As(err, &about) {
		return AboutFile(name, about.Err)
	}
	for _, known := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.EISDIR, syscall.ENOTDIR} {
		if errors.Is(err, known) {
			return AboutFile(name, err)
		}
	}
	return name + ": " + err.Error()
}

// AboutFile returns a message about a system error for a file.
func AboutFile(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if folder := filepath.Dir(path); !exists(folder) { // writing fails for this reason
			return "there is no file " + path + ": its directory " + folder + " does not exist"
		}
		return "there is no file " + path
	case errors.Is(err, fs.ErrPermission):
		return path + " cannot be opened: permission denied"
	case errors.Is(err, syscall.EISDIR):
		return path + " is a directory"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of " + path + " is not a directory"
	}
	return path + ": " + err.Error()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// InSentence converts an error of [Files.Texts] to a message. name prepares a path for the reader.
func InSentence(err error, name func(string) string) error {
	var of *FileError
	switch {
	case !errors.As(err, &of):
		return err
	case errors.Is(of.Err, ErrBinary):
		return fmt.Errorf("%s is not text", name(of.Path))
	}
	return errors.New(Sentence(name(of.Path), of.Err))
}
