// Copyright The ctx-lsp authors. MIT licence.

package core

// Count is a number of tokens and how it is known.
type Count struct {
	Tokens int64
	Basis  Basis
}

// Meter counts for one model. Sessions ask it once for every text, and keep
// only the answer.
type Meter interface {
	// Item is what an item adds to a prompt, constants of its kind included.
	Item(*Item) Count
	// Part is the size of a piece of a fixed row.
	Part(*Part) Count
	// Step is what a request adds beyond its items.
	Step(Step) int64
	// Family names the tokenizer: counts of one family are comparable.
	Family() string
	// Density is how many tokens a thousand tokens of o200k become in
	// ordinary text; it translates a measured prompt to another model.
	Density() int64
}

// Step is the shape of what was appended between two requests.
type Step struct {
	Results, Users int
	// ReasoningItems is how many reasoning items leave with the old turn.
	ReasoningItems int
	NewTurn        bool
	// HadReasoning tells whether the last answer reasoned at all.
	HadReasoning bool
}

// Resolved is what is known of a model by its name alone.
type Resolved struct {
	Meter  Meter
	Limits Limits
	// Larger are the limits of the model's next larger window, which some of its
	// requests or providers have; unknown without one.
	Larger    Limits
	Reasoning ReasoningMode
	// Hysteresis is how many tokens of accumulated evidence are needed to
	// believe another reasoning mode than this one.
	Hysteresis int64
	// LimitsNote is a sentence about the limits, where they are somebody
	// else's.
	LimitsNote Text
	// CountNote is a sentence about why counts are estimates all the same,
	// where they are made with the model's own vocabulary.
	CountNote Text
	// UnknownModel and UnknownProvider are sentences about a name that is not
	// known; empty for a known one. Similar reports whether the provider's names a
	// similar one.
	UnknownModel, UnknownProvider Text
	Similar                       bool
}

// Resolver finds what is known of a model.
type Resolver interface {
	Resolve(model, provider, route string) Resolved
}

// ReasoningMode is when the reasoning of an answer is sent again.
type ReasoningMode uint8

// The modes of reasoning.
const (
	ReasoningNever ReasoningMode = iota
	// ReasoningTurn keeps it until the turn ends.
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
