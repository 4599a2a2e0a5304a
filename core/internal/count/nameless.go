// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// nameless is the meter of a session whose model nobody has named. It has no
// vocabulary, so texts are estimated by their scripts, and media count as they
// do on average.
type nameless struct{}

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

// Step adds nothing: how a model frames messages is not known.
func (nameless) Step(core.Step) int64 { return 0 }

// Family is the same for all that is counted like this.
func (nameless) Family() string { return "" }

// Density is the reference's own.
func (nameless) Density() int64 { return 1000 }
