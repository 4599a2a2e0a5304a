// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns the CPU time that this program has used so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
