// Copyright The ctx-lsp authors. MIT licence.

//go:build !unix

package main

import "time"

// processorTime returns 0, because the CPU time is unknown on this system.
func processorTime() time.Duration { return 0 }
