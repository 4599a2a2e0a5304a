// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A secret is at least shortestSecret and at most longestSecret bytes.
const (
	shortestSecret = 20
	longestSecret  = 1 << 10
)

// Secret returns the secret in a file, and creates one if the file does not exist. Only the user can read the file. If
// several processes create one at the same time, all return the same.
func Secret(path string) ([]byte, error) {
	for range 3 {
		secret, err := readSecret(path)
		if err == nil {
			return secret, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := makeSecret(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s keeps being removed by another program", path)
}

func readSecret(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNoFile}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := ownAlone(path, info); err != nil {
		return nil, err
	}
	secret, err := io.ReadAll(io.LimitReader(f, longestSecret))
	if err == nil && len(secret) < shortestSecret {
		err = fmt.Errorf("%s is damaged; remove it", path)
	}
	return secret, err
}

// makeSecret writes a new secret atomically. It returns an error if the file exists.
func makeSecret(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	made := []byte(rand.Text() + rand.Text())
	f, err := os.CreateTemp(folder, filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(made)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// This file system has no links. A file that is half written for a moment is treated as damaged.
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(made)
	return errors.Join(err, f.Close())
}
