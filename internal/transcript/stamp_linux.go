// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"io/fs"
	"syscall"
	"time"
)

// statusChanged returns when a file's content or attributes last changed, which no program can set; zero if unknown.
func statusChanged(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(int64(stat.Ctim.Sec), int64(stat.Ctim.Nsec)) //nolint:unconvert // 32-bit systems have other types
	}
	return time.Time{}
}
