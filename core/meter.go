// Copyright The ctx-lsp authors. MIT licence.

package core

// Count is a number of tokens and its basis.
type Count struct {
	Tokens int64
	Basis  Basis
}

// Meter counts tokens for one model. Sessions call it once for each text, and keep only the result.
type Meter interface {
	// Item returns the tokens that an item adds to a prompt, constants of its kind included.
	Item(*Item) Count
	// Part returns the size of a piece of a fixed row.
	Part(*Part) Count
	// Step returns the tokens that a request adds beyond its items.
	Step(Step) int64
	// Family returns the name of the tokenizer: counts of one family are comparable.
	Family() string
	// Density returns how many tokens a thousand tokens of o200k become in ordinary text; it converts a measured prompt
	// to another model.
	Density() int64
}

// Step describes the items appended between two requests.
type Step struct {
	Results, Users int
	// ReasoningItems is the number of reasoning items that leave with the old turn.
	ReasoningItems int
	NewTurn        bool
	// HadReasoning is set if the last response contained any reasoning.
	HadReasoning bool
}

// Resolved is the data of a model that its name alone determines.
type Resolved struct {
	Meter  Meter
	Limits Limits
	// Larger are the limits of the model's next larger window, which some of its requests or providers have; unknown if
	// there is none.
	Larger    Limits
	Reasoning ReasoningMode
	// Caching describes how the provider matches prompts with its cache.
	Caching Caching
	// LimitsNote is a message about the limits if they come from another model or provider.
	LimitsNote Text
	// CountNote explains why counts with the model's own vocabulary are still estimates.
	CountNote Text
	// UnknownModel and UnknownProvider are messages about an unknown name; empty for a known one. Similar is set if the
	// unknown provider resembles a known one.
	UnknownModel, UnknownProvider Text
	Similar                       bool
	// SimilarModels are known models that resemble an unknown one.
	SimilarModels []string
}

// Resolver looks up the data of a model.
type Resolver interface {
	Resolve(model, provider, route string) Resolved
}

// ReasoningMode determines when the reasoning of a response is sent again.
type ReasoningMode uint8

// The modes of reasoning.
const (
	ReasoningNever ReasoningMode = iota
	// ReasoningTurn keeps reasoning until the turn ends.
	ReasoningTurn
	ReasoningAlways
	reasoningModes
)

func (m ReasoningMode) String() string {
	switch m {
	case ReasoningNever:
		return "never"
	case ReasoningTurn:
		return "turn"
	}
	return "always"
}
