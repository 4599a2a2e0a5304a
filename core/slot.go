// Copyright The ctx-lsp authors. MIT licence.

package core

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

// slot is all that a session keeps of an item.
type slot struct {
	tokens uint32
	place  uint32 // of its record in the transcript; 0 where nobody knows
	label  uint16
	kind   Kind
	basis  Basis
	flags  uint8
}

func (s slot) has(flag uint8) bool { return s.flags&flag != 0 }

// unmeasured is true for reasoning of an answer whose usage never came or has
// not come yet. The reasoning mode says whether it is sent again.
func (s slot) unmeasured() bool { return s.kind == Reasoning && s.flags&(slotReply|slotNotReply) == 0 }

// canBeReply is true for what a model produced, unless the caller knows better.
func (s slot) canBeReply() bool { return s.kind.Reply() && !s.has(slotNotReply) }

func (s *slot) walk(w *walker) {
	if w.writing {
		to := w.grow(6)
		to[0], to[1], to[2], to[3], to[4], to[5] = int64(s.tokens), int64(s.label), int64(s.kind), int64(s.basis), int64(s.flags), int64(s.place)
		return
	}
	tokens, label := int64(0), int64(0)
	w.each(&tokens, &label)
	if tokens < 0 || tokens > 1<<32-1 || label < 0 || label > MaxLabels {
		w.damaged, tokens, label = true, 0, 0
	}
	s.tokens, s.label = uint32(tokens), uint16(label)
	w.kind(&s.kind)
	w.basis(&s.basis)
	w.byte(&s.flags)
	if w.has(ledgerNamed) {
		place := int64(0)
		w.int(&place)
		w.refuse(place < 0 || place > 1<<32-1)
		s.place = uint32(place)
	}
}

// hidden is how many tokens were sent without a record, except in an answer,
// which is measured. They are an estimate, though the reader of a transcript
// gives them as a number.
func (s slot) hidden() int64 {
	if s.has(slotHidden) && !s.has(slotReply) {
		return int64(s.tokens)
	}
	return 0
}

// shownBasis is the basis that people see.
func (s slot) shownBasis() Basis {
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
