// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalColumns returns the width of the terminal that f is connected to, or 0.
func terminalColumns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
