// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// perTurn is what comes with a turn and is not sent again: documents, and
// memory that the host marks as such. A turn that begins without word of it is
// expected to get as much as the last one had, as far as earlier turns show.
type perTurn struct {
	// fresh is true once it was set after the last metered prompt: it replaces
	// that of the turn before, and outlives its end.
	fresh bool
	// own is true if that belongs to the turn that runs: it was set before the
	// person was answered.
	own bool

	tokens   int64 // of the last turn that had any
	without  int64 // turns since then that had none
	turn     int64 // up to which the turns were looked at
	expected int64 // in the turn that runs or comes next, and not set yet
}

// turnsWithout is after how many turns without any none is expected.
const turnsWithout = 2

// noted ends what is expected: somebody has said what the turn has.
func (p *perTurn) noted() { p.fresh, p.expected = true, 0 }

// expect expects what usually comes with a turn until it is set or a request is
// measured without it.
func (p *perTurn) expect() {
	if !p.fresh {
		p.expected = p.tokens
	}
}

// ended records what a turn had.
func (p *perTurn) ended(turn, tokens int64) {
	p.expected = 0
	if turn <= p.turn {
		return
	}
	p.turn = turn
	if tokens > 0 {
		p.tokens, p.without = tokens, 0
	} else if p.without++; p.without >= turnsWithout {
		p.tokens = 0
	}
}

func (p *perTurn) walk(c *codec.Codec) {
	c.Ints("tokens without turn expected", &p.tokens, &p.without, &p.turn, &p.expected)
	c.Refuse(p.tokens < 0 || p.expected < 0)
	c.Bools("fresh own", &p.fresh, &p.own)
}

// perTurn is what is known of a row that passes with its turn, as a whole or
// in part; nil for a row that stays.
func (f *fixedRows) perTurn(k Kind) *perTurn {
	switch k {
	case Documents:
		return &f.documents
	case Memory:
		return &f.memory
	}
	return nil
}

// passes is what of a row passes with its turn, as it is now and as it was in
// the last metered prompt.
func (f *fixedRows) passes(k Kind) (now, then int64) {
	switch k {
	case Documents:
		return f.now[k], f.measured[k]
	case Memory:
		for i := range f.parts[k] {
			if p := &f.parts[k][i]; p.passes {
				now += p.tokens
			}
		}
		return now, f.memoryThen
	}
	return 0, 0
}

// expect expects what usually comes with a turn. Between turns that is part of
// the next request as well: it begins one.
func (f *fixedRows) expect() {
	f.documents.expect()
	f.memory.expect()
}

// beginTurn begins a turn: what is set from now on belongs to it.
func (f *fixedRows) beginTurn() {
	f.documents.own, f.memory.own = true, true
	f.expect()
}

// expected is what the next request is expected to get and does not have yet.
func (f *fixedRows) expected() int64 { return f.documents.expected + f.memory.expected }

// turnHad records what passes with a turn that ends.
func (f *fixedRows) turnHad(turn int64) {
	for _, k := range []Kind{Memory, Documents} {
		p := f.perTurn(k)
		p.fresh = p.fresh && !p.own
		had, then := f.passes(k)
		if p.fresh {
			had = then // that of now belongs to the next turn
		}
		p.ended(turn, had)
	}
}

// endTurn lets go with a turn what came with it. What was set since belongs
// to the next one.
func (f *fixedRows) endTurn() {
	if !f.documents.fresh {
		f.parts[Documents] = f.parts[Documents][:0]
		f.now[Documents] = 0
	}
	if f.memory.fresh {
		return
	}
	kept := f.parts[Memory][:0]
	for _, p := range f.parts[Memory] {
		if p.passes {
			f.now[Memory] -= p.tokens
		} else {
			kept = append(kept, p)
		}
	}
	f.parts[Memory] = kept
}
