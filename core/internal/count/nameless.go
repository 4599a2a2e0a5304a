// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// nameless is the meter of a session whose model nobody has named: no
// vocabulary is its own, so that texts weigh what their scripts do, and media
// what they cost on average.
type nameless struct{ core.Plain }

// Item counts the item's own text, and what is not text of media.
func (nameless) Item(it *core.Item) core.Count {
	n := estimate.Rough(it.Text)
	if it.Kind == core.Media {
		n += mediaTokens(&model.Model{}, it)
	}
	return core.Count{Tokens: n, Basis: core.Estimated}
}

// Part counts the part's own text.
func (nameless) Part(p *core.Part) core.Count {
	return core.Count{Tokens: estimate.Rough(p.Text), Basis: core.Estimated}
}
