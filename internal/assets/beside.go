// Copyright The ctx-lsp authors. MIT licence.

package assets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folders are the directories that may contain the program's files, relative to its own directory. The working
// directory is not among them: it belongs to the open project.
var folders = []string{
	".",
	"wasm/js",      // the program is at the root of a checkout
	"../wasm/js",   // the program is in the checkout's bin
	"../dist/core", // the package of VS Code, in which an engine in JavaScript reads the same files
}

// ErrNone is the error if no file is found.
var ErrNone = errors.New("there is no such file next to this program")

// Read returns the content of the first file with this name in the directories for files of this program.
func Read(name string) ([]byte, error) {
	place, err := Find(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(place)
}

// Find returns the path of the file that Read reads.
func Find(name string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("%w: the path of this program is unknown: %v", ErrNone, err)
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return find(filepath.Dir(exe), name)
}

func find(dir, name string) (string, error) {
	var tried []string
	for _, folder := range folders {
		place := filepath.Join(dir, filepath.FromSlash(folder), name)
		if info, err := os.Stat(place); err == nil && info.Mode().IsRegular() {
			return place, nil
		}
		tried = append(tried, place)
	}
	return "", fmt.Errorf("%w: tried %s", ErrNone, strings.Join(tried, ", "))
}
