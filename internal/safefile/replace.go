// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"cmp"
	"os"
	"path/filepath"
)

// Replace writes a file atomically. Before the file gets its name, each step is applied to it: (*os.File).Sync if the
// content must survive a power cut, or a change of its mode or owner.
func Replace(path string, content []byte, steps ...func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	for _, step := range steps {
		if err == nil {
			err = step(f)
		}
	}
	if err = cmp.Or(err, f.Close()); err == nil {
		err = Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
