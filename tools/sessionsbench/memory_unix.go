// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxMemory is the most memory a process held, in KB.
func maxMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss >> 10
	}
	return usage.Maxrss
}
