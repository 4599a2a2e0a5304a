// Copyright The ctx-lsp authors. MIT licence.

// Package textfiles finds the text files that a user names, and those in a directory as git sees them.
package textfiles

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Files finds and reads the files that a user names.
type Files struct {
	Dir     string                       // the base of relative names
	Stdin   func() io.Reader             // standard input, named -
	Problem func(sentence string)        // called for a .gitignore that is ignored or applied only in part
	Failed  func(name string, err error) // called for a directory that cannot be read
	// Unpack, if set, unpacks a named file that is compressed or an archive into a directory; "" for any other file.
	// Such files below a named directory are left alone, because an agent does not unpack them either.
	Unpack func(ctx context.Context, path string) (dir string, err error)

	unpacked map[string]string // the path of the content of listed files, if it is elsewhere
}

// A Text is a file with its content.
type Text struct{ Path, Text string }

// A FileError describes why a file cannot be used.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// The reasons why texts are not read.
var (
	ErrBinary     = errors.New("it is not text; use --force to count it")
	ErrUnreadable = errors.New("a directory could not be read")
	ErrTooMuch    = fmt.Errorf("this is more than %d MB of text, too much for any window", Most>>20)
)

// Most is the maximum number of bytes of text that Texts returns. No window is as large, and JSON makes a call only a
// little longer.
const Most = 8 << 20

// List returns the named files, and the files below the named directories without those that .gitignore ignores. It
// also returns their size in bytes, and whether a directory could not be read.
func (f *Files) List(ctx context.Context, names []string) (paths []string, size int64, failed bool) {
	for _, name := range names {
		info, err := os.Stat(f.Resolve(name))
		if inside, ok := f.unpack(ctx, name, info); ok {
			for _, path := range inside {
				if info, err := os.Stat(f.unpacked[path]); err == nil {
					size += info.Size()
				}
			}
			paths = append(paths, inside...)
			continue
		}
		if name == "-" || err != nil || !info.IsDir() {
			paths = append(paths, name)
			if name != "-" && err == nil {
				size += info.Size()
			}
			continue
		}
		err = Walk{Problem: f.Problem, File: func(path string) error {
			if info, err := os.Stat(path); err == nil {
				size += info.Size()
			}
			if below, err := filepath.Rel(f.Resolve(name), path); err == nil {
				path = filepath.Join(name, below)
			}
			paths = append(paths, path)
			return ctx.Err()
		}}.Below(f.Resolve(name))
		if err != nil {
			f.Failed(name, err)
			failed = true
		}
	}
	return paths, size, failed
}

// unpack unpacks a named file and returns names for its content: its own name for a compressed file, ARCHIVE!FILE for
// the files of an archive. ok is false for any other file. If unpacking fails, it reports that and returns no names.
func (f *Files) unpack(ctx context.Context, name string, info os.FileInfo) (inside []string, ok bool) {
	if f.Unpack == nil || info == nil || !info.Mode().IsRegular() {
		return nil, false
	}
	dir, err := f.Unpack(ctx, f.Resolve(name))
	if dir == "" && err == nil {
		return nil, false
	}
	if err == nil {
		err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				inside = append(inside, path)
			}
			return err
		})
	}
	if err != nil {
		f.Failed(name, err)
		return nil, true
	}
	if f.unpacked == nil {
		f.unpacked = map[string]string{}
	}
	base := filepath.Base(name)
	for i, path := range inside {
		below, err := filepath.Rel(dir, path)
		inside[i] = name + "!" + filepath.ToSlash(below)
		if err != nil || len(inside) == 1 && below == strings.TrimSuffix(base, filepath.Ext(base)) {
			inside[i] = name
		}
		f.unpacked[inside[i]] = path
	}
	return inside, true
}

// Resolve returns the full path of a name.
func (f *Files) Resolve(name string) string {
	if filepath.IsAbs(name) || name == "-" {
		return name
	}
	return filepath.Join(f.Dir, name)
}

// Open opens a file, or standard input for -. The error does not contain the file's name, because each command adds it.
func (f *Files) Open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(f.Stdin()), nil
	}
	file, err := os.Open(cmp.Or(f.unpacked[path], f.Resolve(path)))
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Texts reads the named files and those of the named directories, at most room bytes. open opens each of them. skipped
// is the number of files in directories that are not used: those that are not text, and with lenient also those that
// cannot be read. Other errors are FileErrors.
func (f *Files) Texts(ctx context.Context, names []string, room int64, lenient bool, open func(string) (io.ReadCloser, error)) (texts []Text, skipped int, err error) {
	paths, _, failed := f.List(ctx, names)
	if failed {
		return nil, 0, ErrUnreadable
	}
	named := map[string]bool{}
	for _, name := range names {
		named[name] = true
	}
	for _, path := range paths {
		text, err := read(ctx, path, room, open)
		if !named[path] && (errors.Is(err, ErrBinary) || lenient && err != nil) {
			skipped++
			continue
		}
		if err != nil {
			return nil, 0, &FileError{path, err}
		}
		if room -= int64(len(text)); room < 0 {
			return nil, 0, ErrTooMuch
		}
		texts = append(texts, Text{path, string(text)})
	}
	return texts, skipped, nil
}

// read reads a file, but at most one byte more than room.
func read(ctx context.Context, path string, room int64, open func(string) (io.ReadCloser, error)) ([]byte, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, room+1))
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && IsBinary(text) {
		err = ErrBinary
	}
	return text, err
}

// IsBinary reports whether the start of a file contains bytes that do not occur in text.
func IsBinary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 }

// Parts converts texts to the parts of a request that checks whether they fit. A part without text needs a number.
func Parts(texts []Text) []api.Part {
	parts := make([]api.Part, len(texts))
	for i, text := range texts {
		parts[i] = api.Part{Label: text.Path, Text: api.Body(text.Text)}
		if text.Text == "" {
			parts[i].Tokens = new(int64)
		}
	}
	return parts
}
