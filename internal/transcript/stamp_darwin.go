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
		return time.Unix(stat.Ctimespec.Sec, stat.Ctimespec.Nsec)
	}
	return time.Time{}
}
