// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"
)

// withOwnMemory returns a context with which modules keep their memory outside Go's heap. Address space for an
// instance's maximum memory is reserved at the start, and the system adds pages as they are written. Memory on Go's
// heap would be copied as a whole each time it grows, the old copy would stay until the next collection, and the
// collector would overestimate its work.
func withOwnMemory(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, max uint64) experimental.LinearMemory {
		if space, err := reserve(max); err == nil {
			return space
		}
		return &heapMemory{max: max}
	}))
}

// heapMemory is used on systems that cannot reserve address space.
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
