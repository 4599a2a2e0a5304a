// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalColumns returns the width of the terminal that f is connected to, or 0.
func terminalColumns(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
