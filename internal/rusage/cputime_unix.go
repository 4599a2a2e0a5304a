// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package rusage

import (
	"syscall"
	"time"
)

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("getrusage of this process: " + err.Error()) // it fails for a bad argument alone
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
