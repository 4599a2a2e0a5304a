// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Weigh does the first half of Part, for texts that are counted piece by piece. Callers add up both results and convert
// the sums with Tokens.
func (m *Meter) Weigh(text []byte) (tokens int64, features estimate.Features) {
	t, _, _ := m.vocabularies.Tokenizer(m.Encoding())
	if t == nil {
		return estimate.Rough(text), estimate.Features{}
	}
	if m.Exact() {
		return t.Count(text), estimate.Features{}
	}
	return t.Count(text), estimate.Measure(text)
}

// Tokens converts the sums from Weigh to tokens.
func (m *Meter) Tokens(tokens int64, features estimate.Features) int64 {
	if m.Exact() {
		return tokens
	}
	return m.estimate.Read.Estimate(tokens, features)
}

// Exact reports whether texts are counted in the model's own encoding.
func (m *Meter) Exact() bool {
	_, exact := m.vocabularies.encodingOf(&m.model)
	return exact
}

// Encoding returns the encoding that texts are counted in.
func (m *Meter) Encoding() string {
	encoding, _ := m.vocabularies.encodingOf(&m.model)
	return encoding
}

// Doubt returns the reason why a count with the model's own vocabulary is still an estimate, or an empty text.
func (m *Meter) Doubt() core.Text {
	if m.Exact() && m.model.Unchecked {
		return phrase.UncheckedVocabulary.Text(phrase.Name(m.Encoding()), phrase.Name(m.model.ID))
	}
	return core.Text{}
}
