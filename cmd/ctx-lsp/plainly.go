// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// plainly words an error for a person. What the system says of a file ("open x: no such file or directory") becomes a
// sentence; the rest of the error stays.
func plainly(err error) string {
	text := err.Error()
	var about *fs.PathError
	if errors.As(err, &about) {
		return strings.Replace(text, about.Error(), aboutFile(about.Path, about.Err), 1)
	}
	return text
}

// inSentence says what is the matter with a file that a person has named.
func inSentence(name string, err error) string {
	var about *fs.PathError
	if errors.As(err, &about) {
		return aboutFile(name, about.Err)
	}
	for _, known := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.EISDIR, syscall.ENOTDIR} {
		if errors.Is(err, known) {
			return aboutFile(name, err)
		}
	}
	return name + ": " + err.Error()
}

// aboutFile says in a sentence what is the matter with a file.
func aboutFile(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no file " + path
	case errors.Is(err, fs.ErrPermission):
		return path + " may not be opened"
	case errors.Is(err, syscall.EISDIR):
		return path + " is a folder"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of " + path + " is no folder"
	}
	return path + ": " + err.Error()
}
