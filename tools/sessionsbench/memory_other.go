// Copyright The ctx-lsp authors. MIT licence.

//go:build !unix

package main

import "os"

// maxMemory is not known here.
func maxMemory(*os.ProcessState) int64 { return 0 }
