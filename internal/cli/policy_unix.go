// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import "runtime"

// systemSettings returns the directory for settings of all users, which only an administrator can write.
func systemSettings() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support"
	}
	return "/etc"
}
