// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

// Package peak says how much memory a program has held that has ended.
package peak

import (
	"os"
	"runtime"
	"syscall"
)

// Memory is the most memory a process held, in KB.
func Memory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss >> 10
	}
	return usage.Maxrss
}
