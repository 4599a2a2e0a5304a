// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// MaxItems bounds one session's items.
const MaxItems = 250_000

const (
	slotReply    = 1 << iota // produced by the model in response to a request
	slotRemoved              // still listed, but not sent again
	slotHidden               // sent, but not recorded by the agent
	slotText                 // counted from text: the constants of its kind apply
	slotNotReply             // model output by its kind, but not produced by the last request
	slotPast                 // reasoning of a finished turn
	slotAssumed              // of a usual size, which its content may differ from by all of it
	slotBroken               // output of a response that broke off, which no usage includes
	slotJoins                // part of the same response as the previous item of a model
)

// storedItem is the part of an item that a session keeps.
type storedItem struct {
	tokens uint32
	place  uint32 // line of its record in the transcript; 0 if unknown
	label  uint16
	kind   Kind
	basis  Basis
	flags  uint16
}

func (s storedItem) has(flag uint16) bool { return s.flags&flag != 0 }

// unmeasured reports whether an item is reasoning of a response without a usage so far. The reasoning mode determines
// whether it is sent again.
func (s storedItem) unmeasured() bool {
	return s.kind == Reasoning && s.flags&(slotReply|slotNotReply) == 0
}

// canBeReply reports whether a model may have produced the item in a response.
func (s storedItem) canBeReply() bool {
	return s.kind.Reply() && s.flags&(slotNotReply|slotBroken) == 0
}

func (s *storedItem) walk(c *codec.Codec) {
	codec.Within(c, "tokens", &s.tokens, 0, 1<<32-1)
	codec.Within(c, "place", &s.place, 0, 1<<32-1)
	codec.Within(c, "label", &s.label, 0, MaxLabels)
	codec.Below(c, "kind", &s.kind, kinds)
	codec.Below(c, "basis", &s.basis, bases)
	codec.Within(c, "flags", &s.flags, 0, 2*slotJoins-1)
}

// hidden returns the item's tokens if it was sent without a record, otherwise 0. Items of a response are measured and
// not included. The tokens are an estimate, though the reader of a transcript gives them as a number.
func (s storedItem) hidden() int64 {
	if s.has(slotHidden) && !s.has(slotReply) {
		return int64(s.tokens)
	}
	return 0
}

// estimate returns the item's tokens if they are estimated.
func (s storedItem) estimate() int64 {
	if s.basis == Estimated {
		return int64(s.tokens)
	}
	return 0
}

// shownBasis returns the basis that users see.
func (s storedItem) shownBasis() Basis {
	if s.has(slotHidden) {
		return Estimated
	}
	return s.basis
}
