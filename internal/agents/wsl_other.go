// Copyright The ctx-lsp authors. MIT licence.

//go:build !windows

package agents

// runningDistributions returns nil: only Windows has distributions of WSL.
func runningDistributions() []string { return nil }
