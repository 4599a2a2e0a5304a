// Copyright The ctx-lsp authors. MIT licence.

//go:build windows

package durable

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Folder does nothing: Windows has no call for it, and NTFS keeps names in its journal.
func Folder(string) error { return nil }

// patience is how long Replace waits for those who read the file that is replaced.
const patience = time.Second

// Replace gives a file the name of another, which it replaces. Windows refuses while somebody has the other open, if
// only to read it; so it is tried again for a moment.
func Replace(from, to string) error {
	for pause, until := time.Millisecond, time.Now().Add(patience); ; pause *= 2 {
		err := os.Rename(from, to)
		if err == nil || !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().Add(pause).After(until) {
			return err
		}
		time.Sleep(pause)
	}
}
