// Copyright The ctx-lsp authors. MIT licence.

//go:build windows

package safefile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// SyncFolder does nothing: Windows has no call for it, and NTFS journals its names.
func SyncFolder(string) error { return nil }

// patience is how long Rename waits for readers of the file to be replaced.
const patience = time.Second

// Rename renames a file, replacing any file that has the new name. Windows refuses while another program has that file
// open, even for reading, so Rename retries for a moment.
func Rename(from, to string) error {
	for pause, until := time.Millisecond, time.Now().Add(patience); ; pause *= 2 {
		err := os.Rename(from, to)
		if err == nil || !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().Add(pause).After(until) {
			return err
		}
		time.Sleep(pause)
	}
}
