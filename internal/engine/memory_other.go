// Copyright The ctx-lsp authors. MIT licence.

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package engine

import "errors"

func reserve(uint64) (*heapMemory, error) {
	return nil, errors.New("address space cannot be set aside on this system")
}
