// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Reading needs megabytes for a moment, and thousands of sessions may be watched. So the memory belongs not to the
// sessions but to the feeds that are reading, at most one per core.

// A scratch is the memory that a feed needs while reading.
type scratch struct {
	batch transcript.Batch
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// takeScratch gives the feed its memory. The returned function returns it for the next feed, unless a long record has
// made it large.
func (f *Feed) takeScratch() (give func()) {
	f.scratch = scratches.Get().(*scratch)
	return func() {
		if cap(f.scratch.batch.Body) <= 2*transcript.MaxBatch {
			scratches.Put(f.scratch)
		}
		f.scratch = nil
	}
}
