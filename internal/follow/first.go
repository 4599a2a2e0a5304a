// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"errors"

	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// ErrNothingMeasured is the error for a session without a response yet, or whose agent does not record measurements.
var ErrNothingMeasured = errors.New("none of its requests has been measured")

// firstRecords is how many records are searched for the first request.
const firstRecords = 2000

// FirstRequest reads a session into an engine up to its first measured request, and returns the Reading after it. The
// fixed context is the same in every request, and the first one contains little else.
func FirstRequest(ctx context.Context, f *Feed) (reading []byte, err error) {
	defer f.takeScratch()()
	for read := 0; read < firstRecords; {
		if err := f.tail.Next(ctx, &f.batch); err != nil {
			return nil, err
		}
		if f.batch.Count == 0 {
			break
		}
		for i := range f.batch.Count {
			read++
			record := append([]byte(nil), f.batch.Record(i)...)
			if err := f.send(ctx, record, 0); err != nil && !client.Refused(err, "") {
				return nil, err
			}
			if !f.opened {
				continue
			}
			if reading, err = f.reading(ctx); err != nil {
				return nil, err
			}
			v, err := json.Parse(reading)
			if err != nil {
				return nil, err
			}
			if !v.Get("lastRequest").IsNull() {
				return f.readingWithLoaded(ctx)
			}
		}
	}
	return nil, ErrNothingMeasured
}
