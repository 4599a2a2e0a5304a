// Copyright The ctx-lsp authors. MIT licence.

//go:build !unix

package sessions

import "os"

// fileOf returns zero, because the listing of a directory does not identify files here.
func fileOf(os.FileInfo) fileID { return fileID{} }
