// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"sync"
)

var chunks = sync.Pool{New: func() any { return new([MaxBatch]byte) }}

// takeChunk returns a buffer for reading a piece of a file; giveChunk takes it back.
func takeChunk() *[MaxBatch]byte { return chunks.Get().(*[MaxBatch]byte) }

func giveChunk(chunk *[MaxBatch]byte) { chunks.Put(chunk) }
