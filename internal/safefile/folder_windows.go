// Copyright The ctx-lsp authors. MIT licence.

//go:build windows

package safefile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// SyncFolder does nothing: Windows has no call for it, and NTFS keeps names in its journal.
func SyncFolder(string) error { return nil }

// patience is how long Rename waits for those who read the file that is replaced.
const patience = time.Second

// Rename gives a file the name of another, which it replaces. Windows refuses while somebody has the other open, if
// only to read it; so it is tried again for a moment.
func Rename(from, to string) error {
	for pause, until := time.Millisecond, time.Now().Add(patience); ; pause *= 2 {
		err := os.Rename(from, to)
		if err == nil || !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().Add(pause).After(until) {
			return err
		}
		time.Sleep(pause)
	}
}
