// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"context"
)

// Queue holds the records of a source that is read as a whole, until they are in a batch.
type Queue [][]byte

// Next fills a batch from the queue. If the queue is empty, it first calls refill to read more.
func (q *Queue) Next(ctx context.Context, b *Batch, refill func(context.Context, *Batch) error) error {
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
func (q *Queue) drain(b *Batch) {
	for len(*q) > 0 {
		record := (*q)[0]
		switch {
		case len(record) > MaxRecord:
			if len(b.Body) > 0 {
				return // the record gets a batch of its own
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
