// Copyright The ctx-lsp authors. MIT licence.

package inside

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// open lets others rename and remove the file while it is read. What package os opens, nobody can replace until it is
// closed again, and an agent that saves by renaming would fail because somebody looked.
func open(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
