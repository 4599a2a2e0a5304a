// Copyright The ctx-lsp authors. MIT licence.

package core

// usualDocuments are those that come with every turn, as far as earlier turns
// show: a turn that begins without word of its documents is expected to get as
// much as the last one had.
type usualDocuments struct {
	tokens   int64 // of the last turn that had any
	without  int64 // turns since then that had none
	turn     int64 // up to which the turns were looked at
	expected int64 // in the turn that runs, and not told yet
}

// turnsWithout is after how many turns without documents none are expected.
const turnsWithout = 2

// ended takes in what a turn had.
func (u *usualDocuments) ended(turn, tokens int64) {
	u.expected = 0
	if turn <= u.turn {
		return
	}
	u.turn = turn
	if tokens > 0 {
		u.tokens, u.without = tokens, 0
	} else if u.without++; u.without >= turnsWithout {
		u.tokens = 0
	}
}

func (u *usualDocuments) walk(w *walker) {
	w.each(&u.tokens, &u.without, &u.turn, &u.expected)
	w.refuse(u.tokens < 0 || u.expected < 0)
}

// expectDocuments begins a turn: what its documents will take is expected
// until they are told or a request is measured without them.
func (f *fixedRows) expectDocuments() {
	if !f.documentsFresh {
		f.usual.expected = f.usual.tokens
	}
}

// turnHad takes in the documents of a turn that ends.
func (f *fixedRows) turnHad(turn int64) {
	had := f.now[Documents]
	if f.documentsFresh {
		had = f.measured[Documents] // those of now belong to the next turn
	}
	f.usual.ended(turn, had)
}
