// Copyright The ctx-lsp authors. MIT licence.

//go:build windows

package durable

// Folder does nothing: Windows has no call for it, and NTFS keeps names in its journal.
func Folder(string) error { return nil }
