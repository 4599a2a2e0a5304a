// Copyright The ctx-lsp authors. MIT licence.

// Package model describes the context windows of models: their limits, their tokenizers, the tokens that a request adds
// around each item, and whether reasoning is part of the next prompt.
//
// The limits come from a table that is generated from public registries (see docs/models.md). Tokenizers, framing and
// images are properties of a family of models, and are defined in code here. A model that is not in the table is not
// found, because limits are never guessed.
package model

import "github.com/ctx-lsp/ctx-lsp/core/token/estimate"

// Model describes a model at a provider.
type Model struct {
	ID       string // the maker's spelling: "gpt-5.5"
	Provider string // the provider with these limits: the maker, or one that differs; "" if resellers agree on them

	Window int64 // size of the window in tokens, including the output if Shared; 0 if unknown
	Input  int64 // the largest prompt; equals Window if no lower limit is known; 0 if unknown
	Output int64 // the longest reply; 0 if unknown
	Shared bool  // whether the reply shares the window with the prompt

	Family    string    // the tokenizer family: "o200k", "claude-v47", "gemini", …; "" if unknown
	Encoding  string    // core/token encoding with exact counts; "" if there are only estimates
	Reasoning Reasoning // whether reasoning is part of later prompts on the requested route
	Framing   Framing   // tokens a request adds around each item
	Estimate  Estimate  // how to estimate tokens from o200k if Encoding is ""
	Image     estimate.ImageRule
	Unchecked bool // the family's vocabulary has not been compared with this model's own counts

	Source string // source of the limits: "models.dev pi-ai", or an override's source
	Date   string // date of the source: "2026-11-10"
}

// Limit returns the largest prompt of this model.
func (m Model) Limit() int64 {
	if m.Input > 0 {
		return m.Input
	}
	return m.Window
}

// Exact reports whether the model's own vocabulary is public, so that its tokens are counted exactly.
func (m Model) Exact() bool { return m.Encoding != "" }

// Sharing returns, for display, whether input and output share the window.
func (m Model) Sharing() string {
	if m.Shared {
		return "shared"
	}
	return "separate"
}

// Find looks up a model by any form of its ID: with a provider's prefix, a region, a dated snapshot or a "[1m]" mark.
// provider and route may be empty; if a provider is given, its own limits take precedence over the maker's. Find
// returns false if the model is unknown.
func Find(id, provider, route string) (Model, bool) {
	return builtin.find(id, provider, route)
}

// Larger returns a model of the built-in table with the next larger window that other providers or a special request
// offer, and whether there is one.
func Larger(m Model) (Model, bool) { return builtin.larger(m) }

// Len returns the number of models in the built-in table.
func Len() int { return builtin.len() }

// At returns the i-th model of the built-in table in alphabetical order, with its maker's limits.
func At(i int) Model { return builtin.model(i, "", "") }

// Variants calls yield with the limits of the i-th model, first the maker's and then those of each provider that
// differs.
func Variants(i int, yield func(Model)) {
	first, last := builtin.variants(i)
	for e := first; e < last; e++ {
		yield(builtin.entry(i, e, builtin.providerOf(e), ""))
	}
}
