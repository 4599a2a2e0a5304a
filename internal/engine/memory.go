// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"
)

// withOwnMemory has the modules that are made with this context keep their memory outside of Go's heap: address space
// for the most that an instance may use is set aside at once, and gets pages as it is written. A memory on Go's heap is
// copied whole when it grows, with both copies there meanwhile and the old one until the next collection; and it makes
// the collector believe that there is much to collect.
func withOwnMemory(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, max uint64) experimental.LinearMemory {
		if space, err := reserve(max); err == nil {
			return space
		}
		return &heapMemory{max: max}
	}))
}

// heapMemory is for systems on which address space cannot be set aside.
type heapMemory struct {
	bytes []byte
	max   uint64
}

func (m *heapMemory) Reallocate(size uint64) []byte {
	if size > m.max {
		return nil
	}
	if more := int64(size) - int64(len(m.bytes)); more > 0 {
		m.bytes = append(m.bytes, make([]byte, more)...)
	}
	return m.bytes
}

func (m *heapMemory) Free() { m.bytes = nil }
