// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Basis is the origin of a number.
type Basis uint8

// The bases of numbers.
const (
	BasisUnknown Basis = iota
	Measured           // provider's number
	Counted            // number of the model's own tokenizer
	Derived            // the remainder of a measured number
	Estimated
	MeasuredCounted
	MeasuredEstimated

	bases
)

var basisNames = [...]string{"unknown", "measured", "counted", "derived", "estimated", "measured+counted", "measured+estimated"}

func (b Basis) String() string { return basisNames[b] }

// Mark returns the symbol before the number: "~", "?" or "".
func (b Basis) Mark() string {
	switch b {
	case Estimated, MeasuredEstimated:
		return "~"
	case BasisUnknown:
		return "?"
	}
	return ""
}

// plus returns the basis of a sum.
func (b Basis) plus(o Basis) Basis {
	if b == o {
		return b
	}
	if b > o {
		b, o = o, b
	}
	switch {
	case b == BasisUnknown:
		return BasisUnknown
	case o == MeasuredEstimated || o == MeasuredCounted && b == Estimated:
		return MeasuredEstimated
	case o == MeasuredCounted: // with measured, counted or derived
		return MeasuredCounted
	case b == Measured && o == Derived:
		return Measured
	case b == Counted && o == Derived, b == Measured && o == Counted:
		return MeasuredCounted
	case b == Counted && o == Estimated:
		return Estimated
	}
	return MeasuredEstimated // measured or derived with estimated
}

// with is like plus, for sums that may still be empty.
func (b Basis) with(o Basis) Basis {
	if b == BasisUnknown {
		return o
	}
	return b.plus(o)
}

// limitSourceNames are the names of the sources of a window's size, in the order of the constants.
var limitSourceNames = [...]string{"unknown", "registry", "agentTable", "learned", "provider", "agent", "accepted", "error", "agentNow", "user", "setting"}

func (s LimitSource) String() string { return limitSourceNames[s] }

var limitSourceLabels = [...]phrase.ID{
	phrase.Unknown, phrase.LimitRegistry, phrase.LimitAgentTable, phrase.LimitLearned, phrase.LimitProvider, phrase.LimitAgent, phrase.LimitAccepted, phrase.LimitError,
	phrase.LimitAgentNow, phrase.LimitUser, phrase.LimitSetting,
}

// LimitSourceLabel returns what front ends print for a source of limits, by its name.
func LimitSourceLabel(name string) phrase.ID {
	for s, n := range limitSourceNames {
		if n == name {
			return limitSourceLabels[s]
		}
	}
	return phrase.Unknown
}
