// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// perTurn tracks content that comes with a turn and is not sent again: documents, and memory that the host marks as
// ephemeral. A turn that begins without such content is expected to get as much as the last one had, as far as earlier
// turns show.
type perTurn struct {
	// fresh is set once the content was set after the last measured prompt: it replaces the previous turn's content,
	// and stays when that turn ends.
	fresh bool
	// own is set if the content belongs to the current turn: it was set before the user got a response.
	own bool

	tokens   int64 // size in the last turn that had any
	without  int64 // turns since then without any
	turn     int64 // number of the last turn that was recorded
	expected int64 // size expected in the current or next turn, and not set yet
}

// turnsWithout is the number of turns without any such content after which none is expected.
const turnsWithout = 2

// noted marks the turn's content as set, so that none is expected any more.
func (p *perTurn) noted() { p.fresh, p.expected = true, 0 }

// expect sets the usual content of a turn as expected, until it is set or a request is measured without it.
func (p *perTurn) expect() {
	if !p.fresh {
		p.expected = p.tokens
	}
}

// ended records the content of a turn.
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

// perTurn returns the state of a row that is sent, completely or in part, only for its turn; nil for other rows.
func (f *fixedRows) perTurn(k Kind) *perTurn {
	switch k {
	case Documents:
		return &f.documents
	case Memory:
		return &f.memory
	}
	return nil
}

// passes returns how many tokens of a row leave with their turn, now and in the last measured prompt.
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

// expect sets the usual content of a turn as expected. Between turns, it is expected for the next request, which begins
// one.
func (f *fixedRows) expect() {
	f.documents.expect()
	f.memory.expect()
}

// beginTurn begins a turn: content that is set from now on belongs to it.
func (f *fixedRows) beginTurn() {
	f.documents.own, f.memory.own = true, true
	f.expect()
}

// expected returns the size of the content that the next request is expected to get and does not have yet.
func (f *fixedRows) expected() int64 { return f.documents.expected + f.memory.expected }

// turnHad records the content that leaves with a finished turn.
func (f *fixedRows) turnHad(turn int64) {
	for _, k := range []Kind{Memory, Documents} {
		p := f.perTurn(k)
		p.fresh = p.fresh && !p.own
		had, then := f.passes(k)
		if p.fresh {
			had = then // the present content belongs to the next turn
		}
		p.ended(turn, had)
	}
}

// endTurn drops the documents and ephemeral memory that came with the turn. Anything set since the last measured prompt
// belongs to the next turn and stays.
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
