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

// slot is all that a session keeps of an item.
type slot struct {
	tokens uint32
	label  uint16
	kind   Kind
	basis  Basis
	flags  uint8
}

func (s slot) is(flag uint8) bool { return s.flags&flag != 0 }

// unmeasured is true for reasoning of an answer whose usage never came or has
// not come yet. The reasoning mode says whether it is sent again.
func (s slot) unmeasured() bool { return s.kind == Reasoning && s.flags&(slotReply|slotNotReply) == 0 }

// canBeReply is true for what a model produced, unless the caller knows better.
func (s slot) canBeReply() bool { return s.kind.Reply() && !s.is(slotNotReply) }

func (s *slot) walk(w *walker) {
	if w.writing {
		to := w.grow(5)
		to[0], to[1], to[2], to[3], to[4] = int64(s.tokens), int64(s.label), int64(s.kind), int64(s.basis), int64(s.flags)
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
}

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
	return l.add(name)
}

// add adds a label at the end, even one that is there already: a ledger
// counts on positions.
func (l *labels) add(name string) uint16 {
	if l.index == nil {
		l.index = make(map[uint64]uint16)
	}
	l.names = append(l.names, name)
	place := uint16(len(l.names))
	l.index[hash(name)] = place
	return place
}

func (l *labels) name(i uint16) string {
	if i == 0 || int(i) > len(l.names) {
		return ""
	}
	return l.names[i-1]
}

func (l *labels) walk(w *walker) {
	n := w.length(len(l.names), MaxLabels)
	for i := 0; i < n && !w.damaged; i++ {
		name := ""
		if w.writing {
			name = l.names[i]
		}
		w.name(&name)
		if !w.writing {
			l.add(name)
		}
	}
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
