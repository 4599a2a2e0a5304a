// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package sessions

import (
	"os"
	"syscall"
)

func fileOf(info os.FileInfo) fileID {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{uint64(stat.Dev), uint64(stat.Ino)} //nolint:unconvert // other systems have other types
	}
	return fileID{}
}
