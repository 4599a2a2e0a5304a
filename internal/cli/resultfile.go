// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
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
		fmt.Fprintln(env.Stderr, "ctx-lsp: wrote "+path)
	}
	return err
}
