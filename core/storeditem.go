// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// MaxItems bounds one session's items.
const MaxItems = 250_000

const (
	slotReply    = 1 << iota // produced by the model in answer to a request
	slotGone                 // still listed, but not sent again
	slotHidden               // sent, but not recorded by the agent
	slotText                 // counted from text: the constants of its kind apply
	slotNotReply             // of a kind that models produce, but not produced now
	slotPast                 // reasoning of a turn that is over
)

// storedItem is all that a session keeps of an item.
type storedItem struct {
	tokens uint32
	place  uint32 // of its record in the transcript; 0 where nobody knows
	label  uint16
	kind   Kind
	basis  Basis
	flags  uint8
}

func (s storedItem) has(flag uint8) bool { return s.flags&flag != 0 }

// unmeasured is true for reasoning of an answer whose usage never came or has
// not come yet. The reasoning mode says whether it is sent again.
func (s storedItem) unmeasured() bool {
	return s.kind == Reasoning && s.flags&(slotReply|slotNotReply) == 0
}

// canBeReply is true for what a model produced, unless the caller knows better.
func (s storedItem) canBeReply() bool { return s.kind.Reply() && !s.has(slotNotReply) }

func (s *storedItem) walk(c *codec.Codec) {
	codec.Within(c, "tokens", &s.tokens, 0, 1<<32-1)
	codec.Within(c, "place", &s.place, 0, 1<<32-1)
	codec.Within(c, "label", &s.label, 0, MaxLabels)
	codec.Below(c, "kind", &s.kind, kinds)
	codec.Below(c, "basis", &s.basis, bases)
	codec.Within(c, "flags", &s.flags, 0, 255)
}

// hidden is how many tokens were sent without a record, except in an answer,
// which is measured. They are an estimate, though the reader of a transcript
// gives them as a number.
func (s storedItem) hidden() int64 {
	if s.has(slotHidden) && !s.has(slotReply) {
		return int64(s.tokens)
	}
	return 0
}

// shownBasis is the basis that people see.
func (s storedItem) shownBasis() Basis {
	if s.has(slotHidden) {
		return Estimated
	}
	return s.basis
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
