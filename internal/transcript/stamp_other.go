// Copyright The ctx-lsp authors. MIT licence.

//go:build !linux && !darwin

package transcript

import "io/fs"

func changeTime(fs.FileInfo) (seconds, nanoseconds int64, ok bool) { return 0, 0, false }
