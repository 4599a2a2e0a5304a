// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// listFiles lists the named files, and those below the named folders without what .gitignore leaves out. It returns
// what they hold in bytes, and whether a folder could not be read; that is printed already.
func listFiles(ctx context.Context, env *environment, names []string) (paths []string, size int64, failed bool) {
	for _, name := range names {
		info, err := os.Stat(resolve(env, name))
		if name == "-" || err != nil || !info.IsDir() {
			paths = append(paths, name)
			if name != "-" && err == nil {
				size += info.Size()
			}
			continue
		}
		err = walkFiles(resolve(env, name), walk{problem: func(sentence string) { env.errorf("%s", sentence) }, file: func(path string) error {
			if info, err := os.Stat(path); err == nil {
				size += info.Size()
			}
			if below, err := filepath.Rel(resolve(env, name), path); err == nil {
				path = filepath.Join(name, below)
			}
			paths = append(paths, path)
			return ctx.Err()
		}})
		if err != nil {
			env.errorf("%s", inSentence(name, err))
			failed = true
		}
	}
	return paths, size, failed
}

func resolve(env *environment, name string) string {
	if filepath.IsAbs(name) || name == "-" {
		return name
	}
	return filepath.Join(env.Dir, name)
}

// openFile opens a file, or standard input for -. The error does not name the file, because each command does.
func openFile(env *environment, path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(env.input()), nil
	}
	file, err := os.Open(resolve(env, path))
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

var errBinary = errors.New("it is not text; use --force to count it")

// looksBinary is true for bytes that no text has near its beginning.
func looksBinary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 }
