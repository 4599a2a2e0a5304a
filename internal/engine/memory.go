// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"
)

// withOwnMemory makes the modules that are started with this context keep their memory outside of Go's heap. Address
// space for the most that an instance may use is reserved at once, and the system adds pages as they are written. A
// memory on Go's heap would be copied whole each time it grows, the old copy would stay until the next collection, and
// the collector would believe that there is much to collect.
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
