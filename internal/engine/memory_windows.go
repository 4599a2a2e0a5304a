// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// A space is reserved address space; the first size bytes of it are in use.
type space struct {
	at        uintptr
	size, max uint64
}

func reserve(max uint64) (*space, error) {
	at, err := windows.VirtualAlloc(0, uintptr(max), windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	if err != nil {
		return nil, err
	}
	return &space{at: at, max: max}, nil
}

func (s *space) Reallocate(size uint64) []byte {
	if size > s.max {
		return nil
	}
	if size > s.size {
		if _, err := windows.VirtualAlloc(s.at+uintptr(s.size), uintptr(size-s.size), windows.MEM_COMMIT, windows.PAGE_READWRITE); err != nil {
			return nil
		}
		s.size = size
	}
	start := *(*unsafe.Pointer)(unsafe.Pointer(&s.at)) // an address that Go's collector does not manage
	return unsafe.Slice((*byte)(start), size)
}

func (s *space) Free() {
	if s.at != 0 {
		_ = windows.VirtualFree(s.at, 0, windows.MEM_RELEASE) // fails only for memory that was never reserved
		s.at = 0
	}
}
