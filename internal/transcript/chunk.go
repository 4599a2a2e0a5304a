// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"sync"
)

var chunks = sync.Pool{New: func() any { return new([MaxBatch]byte) }}

// takeChunk returns memory for a piece of a file that is being read.
func takeChunk() *[MaxBatch]byte { return chunks.Get().(*[MaxBatch]byte) }

func giveChunk(chunk *[MaxBatch]byte) { chunks.Put(chunk) }
