// Copyright The ctx-lsp authors. MIT licence.

package assets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folders are where the files of the program may lie, seen from its own folder. The working directory is not among
// them: it belongs to whatever project is open.
var folders = []string{
	".",
	"wasm/js",      // a program at the root of a checkout
	"../wasm/js",   // and one in its bin
	"../dist/core", // the package of VS Code, whose own engine reads the same files
}

// ErrNone says that no file was found.
var ErrNone = errors.New("there is no such file next to this program")

// Read returns the first file of this name that lies where files of this program may lie.
func Read(name string) ([]byte, error) {
	place, err := Find(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(place)
}

// Find returns the path of that file.
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
