// Copyright The ctx-lsp authors. MIT licence.

package cli

import "golang.org/x/sys/windows"

// systemSettings returns the directory for settings of all users. The system is asked, because a user can change the
// variable ProgramData.
func systemSettings() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, windows.KF_FLAG_DEFAULT)
	if err != nil {
		return ""
	}
	return dir
}
