// Copyright The ctx-lsp authors. MIT licence.

//go:build !unix

package sessions

import "os"

// fileOf is zero, because what a listing of a folder tells of a file does not name it here.
func fileOf(os.FileInfo) fileID { return fileID{} }
