// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// EachRequest reads a session into an engine record by record, and calls visit after every record by which a request of
// the session itself was metered, with the Reading after it.
func EachRequest(ctx context.Context, f *Feed, visit func(reading []byte) error) error {
	f.scratch = takeScratch()
	defer func() {
		f.scratch.give()
		f.scratch = nil
	}()
	var doc json.Document
	calls := int64(0)
	for {
		if err := f.tail.Next(ctx, &f.batch); err != nil {
			return err
		}
		if f.batch.Count == 0 {
			return nil
		}
		line := f.batch.Line
		for i := range f.batch.Count {
			record := append([]byte(nil), f.batch.record(i)...)
			if err := f.send(ctx, record, line); err != nil && !isFault(err, "") {
				return err
			}
			if line > 0 {
				line++
			}
			if !f.opened {
				continue
			}
			reading, err := f.reading(ctx)
			if err != nil {
				return err
			}
			v, err := doc.Parse(reading)
			if err != nil {
				return err
			}
			now, fault := v.Path("spent", "calls").Int64()
			if fault != json.NumberOK || now == calls {
				continue
			}
			calls = now
			if err := visit(reading); err != nil {
				return err
			}
		}
	}
}
