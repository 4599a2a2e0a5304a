// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a result to a file and prints its path, or to standard output for -.
func (env *environment) writeFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(env.Stdout)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		env.errorf("wrote %s", path)
	}
	return err
}
