// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"io/fs"
	"syscall"
)

func changeTime(info fs.FileInfo) (seconds, nanoseconds int64, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int64(stat.Ctim.Sec), int64(stat.Ctim.Nsec), true //nolint:unconvert // 32-bit systems have other types
}
