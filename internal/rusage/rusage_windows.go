// Copyright The ctx-lsp authors. MIT licence.

package rusage

import (
	"os"
	"syscall"
	"time"
)

func used() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		panic("the handle of this process: " + err.Error())
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		panic("the times of this process: " + err.Error())
	}
	return ticks(kernel) + ticks(user)
}

// ticks is a number of 100 nanoseconds.
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}

// Peak returns 0: Windows does not keep the memory of an ended process.
func Peak(*os.ProcessState) int64 { return 0 }
