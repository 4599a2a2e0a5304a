// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
)

// A Counter counts texts as a conversation's model does.
type Counter struct {
	Model, Provider string
	Call            client.Call
	Basis           api.Basis // basis of the last result
}

// atOnce is how many bytes of text one call counts.
const atOnce = 512 << 10

// Count returns the number of tokens of each text.
func (c *Counter) Count(ctx context.Context, texts []string) ([]int64, error) {
	counts := make([]int64, 0, len(texts))
	for from := 0; from < len(texts); {
		to, size := from, 0
		for to < len(texts) && (to == from || size+len(texts[to]) <= atOnce) {
			size += len(texts[to])
			to++
		}
		params := &api.CountParams{Model: c.Model, Provider: c.Provider}
		for _, text := range texts[from:to] {
			params.Texts = append(params.Texts, api.Body(text))
		}
		counted, err := c.Call.Count(ctx, params).Read()
		if err != nil {
			return nil, err
		}
		counts, c.Basis = append(counts, counted.Texts...), counted.Basis
		from = to
	}
	return counts, nil
}
