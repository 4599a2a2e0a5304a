// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"io"
	"io/fs"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// A Disk is the part of a file system that ledgers need. Tests use other disks: one that is full, or one that loses
// everything unsynced.
type Disk interface {
	Open(path string, flag int) (File, error)
	Lstat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	Mkdir(path string) error
	Rename(from, to string) error
	Remove(path string) error
	SyncFolder(path string) error // makes the names in a directory durable
}

// A File is an open file of a Disk.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Stat() (fs.FileInfo, error)
	Sync() error
}

// System is the disk of the operating system.
type System struct{}

// Open opens a file like os.OpenFile, but lets another daemon rename or remove the open file on Windows too.
func (System) Open(path string, flag int) (File, error) {
	f, err := safefile.OpenShared(path, flag, 0o600)
	if err != nil {
		return nil, err // a nil *os.File in a File would not be nil
	}
	return f, nil
}

// Lstat describes a file without following a symbolic link.
func (System) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// ReadDir lists a directory.
func (System) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

// Mkdir creates a directory that only its owner can use.
func (System) Mkdir(path string) error { return os.Mkdir(path, 0o700) }

// Rename gives a file a new, unused name.
func (System) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes a file.
func (System) Remove(path string) error { return os.Remove(path) }

// SyncFolder makes the names in a directory durable.
func (System) SyncFolder(path string) error { return safefile.SyncFolder(path) }
