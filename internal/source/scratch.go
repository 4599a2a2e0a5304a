// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Reading takes megabytes for a moment, and watching keeps thousands of sessions: the megabytes belong to those that
// read, of whom there are as many as processors, and not to the sessions.

// A scratch is what a feed needs while it reads.
type scratch struct {
	batch  Batch
	params json.Writer
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func takeScratch() *scratch { return scratches.Get().(*scratch) }

// give hands it to the next one that reads, unless a long record has made it large.
func (s *scratch) give() {
	if cap(s.batch.body) <= 2*MaxBatch && cap(s.params.Buf) <= 2*MaxBatch {
		scratches.Put(s)
	}
}

var chunks = sync.Pool{New: func() any { return new([MaxBatch]byte) }}

// takeChunk is a piece of a file that is being read.
func takeChunk() *[MaxBatch]byte { return chunks.Get().(*[MaxBatch]byte) }

func giveChunk(chunk *[MaxBatch]byte) { chunks.Put(chunk) }
