// Copyright The ctx-lsp authors. MIT licence.

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package engine

import "golang.org/x/sys/unix"

// A space is reserved address space; the first used bytes of it are in use.
type space struct {
	bytes []byte
	used  uint64
}

func reserve(max uint64) (*space, error) {
	bytes, err := unix.Mmap(-1, 0, int(max), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
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
		// Sizes are multiples of WebAssembly's pages of 64 KB, and therefore of the system's pages.
		if unix.Mprotect(s.bytes[s.used:size], unix.PROT_READ|unix.PROT_WRITE) != nil {
			return nil
		}
		s.used = size
	}
	return s.bytes[:size:size]
}

func (s *space) Free() {
	if s.bytes != nil {
		_ = unix.Munmap(s.bytes) // fails only for memory that was never mapped
		s.bytes = nil
	}
}
