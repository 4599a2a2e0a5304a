// Copyright The ctx-lsp authors. MIT licence.

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package engine

import "syscall"

// A space is address space of which the beginning is in use.
type space struct {
	bytes []byte
	used  uint64
}

func reserve(max uint64) (*space, error) {
	bytes, err := syscall.Mmap(-1, 0, int(max), syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, err
	}
	return &space{bytes: bytes}, nil
}

func (s *space) Reallocate(size uint64) []byte {
	if size > uint64(len(s.bytes)) {
		return nil
	}
	if size > s.used {
		// Sizes are whole pages of WebAssembly, 64 KB, and so whole pages of the system.
		if syscall.Mprotect(s.bytes[s.used:size], syscall.PROT_READ|syscall.PROT_WRITE) != nil {
			return nil
		}
		s.used = size
	}
	return s.bytes[:size:size]
}

func (s *space) Free() {
	if s.bytes != nil {
		_ = syscall.Munmap(s.bytes) // fails only for what was not mapped
		s.bytes = nil
	}
}
