// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// drained reads to the end and returns the records, and whether the tail began again.
func drained(t *testing.T, tail transcript.Tail) (records []string, reset bool) {
	t.Helper()
	var b transcript.Batch
	for {
		if err := tail.Next(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		reset = reset || b.Reset
		if b.Count == 0 {
			return records, reset
		}
		if len(b.Body) > transcript.MaxBatch {
			t.Errorf("a batch has %d bytes", len(b.Body))
		}
		if _, err := json.Parse(b.Records()); err != nil {
			t.Errorf("a batch is not JSON: %v", err)
		}
		for i := range b.Count {
			records = append(records, string(b.Record(i)))
		}
	}
}
