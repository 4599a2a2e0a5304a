// Copyright The ctx-lsp authors. MIT licence.

package process

import "golang.org/x/sys/windows"

const stillActive = 259

// lives reports whether a process exists.
func lives(pid int) bool {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return err == windows.ERROR_ACCESS_DENIED
	}
	defer windows.CloseHandle(handle)
	var code uint32
	return windows.GetExitCodeProcess(handle, &code) == nil && code == stillActive
}
