// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Reading needs megabytes for a moment, and thousands of sessions may be watched. So the memory does not belong to the
// sessions but to the feeds that are reading, of which there are as many as processors.

// A scratch is the memory that a feed needs while it reads.
type scratch struct {
	batch transcript.Batch
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func takeScratch() *scratch { return scratches.Get().(*scratch) }

// give passes the memory on to the next feed that reads, unless a long record has made it large.
func (s *scratch) give() {
	if cap(s.batch.Body) <= 2*transcript.MaxBatch {
		scratches.Put(s)
	}
}
