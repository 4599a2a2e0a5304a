// Copyright The ctx-lsp authors. MIT licence.

// Package model knows what a model's context window can hold: its limits, its
// tokenizer, what a request adds around each item, and how its reasoning comes
// back in the next prompt.
//
// The limits come from a table that is generated from public registries (see
// docs/models.md). Tokenizers, framing and images are properties of a family of
// models and stand here as code. A model that is not in the table is not found,
// because a limit is never guessed.
package model

import "github.com/ctx-lsp/ctx-lsp/core/token/estimate"

// Model is what is known of one model at one provider.
type Model struct {
	ID       string // as its maker writes it: "gpt-5.5"
	Provider string // whose limits these are: the maker, or a provider that differs; "" when resellers agree on them

	Window int64 // how many tokens the window holds, input and output together when Shared; 0 if unknown
	Input  int64 // the largest prompt; equals Window where nothing lower is known; 0 if unknown
	Output int64 // the longest reply; 0 if unknown
	Shared bool  // whether the reply shares the window with the prompt

	Family    string    // the tokenizer family: "o200k", "claude-v47", "gemini", …; "" unknown
	Encoding  string    // name of the core/token encoding that counts it exactly; "" where only an estimate exists
	Reasoning Reasoning // how reasoning re-enters on the route asked for
	Framing   Framing   // tokens a request adds around each item
	Estimate  Estimate  // how its tokens are estimated from o200k, where Encoding is ""
	Image     estimate.ImageRule
	Unchecked bool // nobody has compared the family's vocabulary with this model's own counts

	Source string // who says so: "models.dev pi-ai", or an override's source
	Date   string // when it was said: "2026-11-10"
}

// Limit is the largest prompt of this model.
func (m Model) Limit() int64 {
	if m.Input > 0 {
		return m.Input
	}
	return m.Window
}

// Exact is true when the model's own vocabulary is public and is counted with.
func (m Model) Exact() bool { return m.Encoding != "" }

// Sharing names how input and output divide the window, for people.
func (m Model) Sharing() string {
	if m.Shared {
		return "shared"
	}
	return "separate"
}

// Find looks a model up by any form of its id: with a provider's prefix, a
// region, a dated snapshot or a "[1m]" mark. provider and route may be empty;
// if a provider is given, its own limits come before the maker's. For an id of
// no known model it returns false.
func Find(id, provider, route string) (Model, bool) {
	return builtin.find(id, provider, route)
}

// Larger returns a model of the built-in table with its next larger window,
// which other providers have or that is had on request, and whether it has one.
func Larger(m Model) (Model, bool) { return builtin.larger(m) }

// Len is the number of models in the built-in table.
func Len() int { return builtin.len() }

// At is the i-th model of the built-in table in alphabetical order, with its
// maker's limits.
func At(i int) Model { return builtin.model(i, "", "") }

// Variants calls yield with the limits of the i-th model, first the maker's and
// then those of each provider that differs.
func Variants(i int, yield func(Model)) {
	first, last := builtin.variants(i)
	for e := first; e < last; e++ {
		yield(builtin.entry(i, e, builtin.providerOf(e), ""))
	}
}
