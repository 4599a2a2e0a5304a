// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// nameless is the meter of a session whose model is unknown. It has no vocabulary, so texts are estimated by their
// scripts, and media have average costs.
type nameless struct{}

// Item estimates the item's text, and adds the cost of media.
func (nameless) Item(it *core.Item) core.Count {
	n := estimate.Rough(it.Text)
	if it.Kind == core.Media {
		n += mediaTokens(&model.Model{}, it)
	}
	return core.Count{Tokens: n, Basis: core.Estimated}
}

// Part estimates the part's text.
func (nameless) Part(p *core.Part) core.Count {
	return core.Count{Tokens: estimate.Rough(p.Text), Basis: core.Estimated}
}

// Step returns 0, because the framing of messages is unknown.
func (nameless) Step(core.Step) int64 { return 0 }

// Family returns "" for all models estimated in this way.
func (nameless) Family() string { return "" }

// Density returns the density of the reference encoding.
func (nameless) Density() int64 { return 1000 }
