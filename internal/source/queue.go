// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"
)

// A queue holds records of a source that is read as a whole, until batches
// have taken them.
type queue [][]byte

// next makes a batch of what waits; when nothing does, refill reads on.
func (q *queue) next(ctx context.Context, b *Batch, refill func(context.Context, *Batch) error) error {
	b.clear()
	if len(*q) == 0 {
		if err := refill(ctx, b); err != nil {
			return err
		}
	}
	q.drain(b)
	return nil
}

// drain moves records into the batch while they fit.
func (q *queue) drain(b *Batch) {
	for len(*q) > 0 {
		record := (*q)[0]
		switch {
		case len(record) > MaxRecord:
			if len(b.body) > 0 {
				return // it gets a batch of its own
			}
			b.addLong(bytes.Clone(record))
		case !b.fits(len(record)):
			return
		default:
			b.add(record)
		}
		*q = (*q)[1:]
	}
	*q = nil
}
