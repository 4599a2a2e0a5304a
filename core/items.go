// Copyright The ctx-lsp authors. MIT licence.

package core

// MaxItems bounds one session's items, MaxLabels the distinct labels it
// remembers for them.
const (
	MaxItems  = 250_000
	MaxLabels = 4096
)

const (
	slotReply    = 1 << iota // produced by the model in answer to a request
	slotGone                 // still listed, but not sent again
	slotHidden               // sent, but not recorded by the agent
	slotText                 // counted from text: the constants of its kind apply
	slotNotReply             // of a kind that models produce, but not produced now
	slotPast                 // reasoning of a turn that is over
)

// slot is all that is kept of an item.
type slot struct {
	tokens uint32
	label  uint16
	kind   Kind
	basis  Basis
	flags  uint8
}

func (s slot) is(flag uint8) bool { return s.flags&flag != 0 }

// unmeasured is true for reasoning of an answer whose usage never came, or
// has not come yet: whether it is sent again is for the mode to say.
func (s slot) unmeasured() bool { return s.kind == Reasoning && s.flags&(slotReply|slotNotReply) == 0 }

// labels interns the names that lists of items show.
type labels struct {
	names []string
	index map[uint64]uint16
}

func (l *labels) intern(name string) uint16 {
	if name == "" {
		return 0
	}
	if len(name) > 200 {
		name = name[:200]
	}
	h := hash(name)
	if i, ok := l.index[h]; ok {
		return i
	}
	if len(l.names) >= MaxLabels {
		return 0
	}
	if l.index == nil {
		l.index = make(map[uint64]uint16)
	}
	l.names = append(l.names, name)
	l.index[h] = uint16(len(l.names))
	return uint16(len(l.names))
}

func (l *labels) name(i uint16) string {
	if i == 0 || int(i) > len(l.names) {
		return ""
	}
	return l.names[i-1]
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// pending sums the items the last metered prompt did not hold. The reply to
// that prompt is kept apart: once the provider has said how long it was, its
// text explains rows and is no longer part of any total.
type pending struct {
	rows      [kinds]int64 // of new items
	basis     [kinds]Basis
	given     int64 // part of rows that is certain: given or counted
	estimated int64 // part of rows that was estimated
	items     int
	results   int // tool results counted from text
	users     int // messages of the person counted from text

	thinking      int64 // reasoning that no usage has told of
	thinkingPast  int64 // the part of it that is of earlier turns
	thinkingBasis Basis

	reply      [kinds]int64
	replyItems int
	replyGiven int // what it says and calls, as the caller counted it
	reasoning  int // reasoning items of the reply
}

func (p *pending) add(s slot, sign int64) {
	if s.is(slotGone) {
		return
	}
	n := int64(s.tokens) * sign
	if s.is(slotReply) {
		p.reply[s.kind] += n
		p.replyItems += int(sign)
		switch {
		case s.kind == Reasoning:
			p.reasoning += int(sign)
		case s.basis == Counted && !s.is(slotText):
			p.replyGiven += int(sign)
		}
		return
	}
	if s.unmeasured() {
		p.thinking += n
		if s.is(slotPast) {
			p.thinkingPast += n
		}
		p.thinkingBasis = p.thinkingBasis.with(s.basis)
		return
	}
	if p.rows[s.kind] == 0 {
		p.basis[s.kind] = s.basis
	} else {
		p.basis[s.kind] = p.basis[s.kind].plus(s.basis)
	}
	p.rows[s.kind] += n
	if s.basis == Estimated {
		p.estimated += n
	} else {
		p.given += n
	}
	if !s.is(slotHidden) {
		p.items += int(sign)
	}
	if s.is(slotText) && s.kind == ToolResults {
		p.results += int(sign)
	}
	if s.is(slotText) && s.kind == User {
		p.users += int(sign)
	}
}

// resent is the unmeasured reasoning that the next prompt will hold.
func (p *pending) resent(mode ReasoningMode) int64 {
	switch mode {
	case ReasoningNever:
		return 0
	case ReasoningTurn:
		return p.thinking - p.thinkingPast
	}
	return p.thinking
}

func (p *pending) replyTotal() int64 {
	return p.reply[Assistant] + p.reply[ToolCalls] + p.reply[Reasoning]
}
