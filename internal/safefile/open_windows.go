// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

func open(path string) (*os.File, error) { return OpenShared(path, os.O_RDONLY, 0) }

// OpenShared opens a file like os.OpenFile, but lets other programs rename and remove it. A file opened by package os
// cannot be renamed until it is closed, so an agent that saves by renaming would fail because of a reader. The flags
// are one of O_RDONLY, O_WRONLY and O_RDWR, and any of O_APPEND, O_CREATE and O_EXCL.
func OpenShared(path string, flag int, _ fs.FileMode) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	access := uint32(windows.GENERIC_READ)
	if flag&os.O_WRONLY != 0 {
		access = windows.GENERIC_WRITE
	} else if flag&os.O_RDWR != 0 {
		access |= windows.GENERIC_WRITE
	}
	if flag&os.O_APPEND != 0 { // without permission to write elsewhere, the system writes at the end
		access = access&^windows.GENERIC_WRITE | windows.FILE_APPEND_DATA | windows.FILE_WRITE_ATTRIBUTES | windows.FILE_READ_ATTRIBUTES | windows.SYNCHRONIZE
	}
	disposition := uint32(windows.OPEN_EXISTING)
	switch {
	case flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		disposition = windows.CREATE_NEW
	case flag&os.O_CREATE != 0:
		disposition = windows.OPEN_ALWAYS
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, access, share, nil, disposition, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
