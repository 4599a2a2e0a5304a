// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package rusage

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("getrusage of this process: " + err.Error()) // it fails only for an invalid argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Peak returns the most memory that an ended process used, in KB; 0 if unknown.
func Peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(usage.Maxrss) //nolint:unconvert // it has 32 bits on 386
	if runtime.GOOS == "darwin" {
		return peak >> 10
	}
	return peak
}
