// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

const (
	fixedPartsKept  = 10_000 // bounds one row's parts in a ledger
	fixedStatesKept = 512
)

// fixedRows are the fixed context: the rows that a host sets as a whole. Their present state and the one in the last
// measured prompt are stored; the next prompt differs by the difference.
type fixedRows struct {
	parts    [Summary][]fixedPart
	now      [Summary]int64 // tokens of each row, without deferred parts
	measured [Summary]int64 // the same for the last measured prompt
	// density is the density of the tokenizer that measured the last prompt.
	density int64
	// documents and memory track the parts of these rows that leave with their turn, and memoryThen is the size of that
	// memory in the last measured prompt.
	documents, memory perTurn
	memoryThen        int64
	// undescribed is set while exactly one prompt was measured, with no row set before it.
	undescribed bool
	earlier     []fixedState
}

type fixedPart struct {
	label    Text
	tokens   int64
	basis    Basis
	deferred bool
	passes   bool // leaves with its turn, though the rest of its row stays
}

// fixedState is the size of the rows as measured from a request on, until the next state. A rewind restores it.
type fixedState struct {
	request int
	rows    [Summary]int64
	density int64
	memory  int64 // size of the memory that left with its turn
}

// set replaces a row, and returns its tokens without deferred parts.
func (f *fixedRows) set(k Kind, parts []Part, meter Meter) int64 {
	list, sum := f.parts[k][:0], int64(0)
	for i := range parts {
		p := &parts[i]
		c := Count{p.Tokens, Counted}
		if p.Tokens == Unknown {
			c = meter.Part(p)
		}
		list = append(list, fixedPart{p.Label, c.Tokens, c.Basis, p.Deferred, p.Ephemeral && k == Memory && !p.Deferred})
		if !p.Deferred {
			sum += c.Tokens
		}
	}
	f.parts[k], f.now[k] = list, sum
	if p := f.perTurn(k); p != nil {
		p.noted()
	}
	return sum
}

// describe adds a row to the prompts measured before it was set.
func (f *fixedRows) describe(k Kind, tokens int64) {
	f.measured[k] = tokens
	for i := range f.earlier {
		f.earlier[i].rows[k] = tokens
	}
}

// anySet reports whether any row except the documents has parts.
func (f *fixedRows) anySet() bool {
	for k := System; k < Documents; k++ {
		if len(f.parts[k]) > 0 {
			return true
		}
	}
	return false
}

// estimated returns the tokens that were estimated from text.
func (f *fixedRows) estimated() int64 {
	sum := int64(0)
	for k := range f.parts {
		for i := range f.parts[k] {
			if p := &f.parts[k][i]; p.basis == Estimated && !p.deferred {
				sum += p.tokens
			}
		}
	}
	return sum
}

// setMeasured records that a request was just measured with the present rows.
func (f *fixedRows) setMeasured(request int, density int64) {
	f.measured, f.density = f.now, density
	f.memoryThen, _ = f.passes(Memory)
	f.documents.fresh, f.memory.fresh = false, false
	f.documents.expected, f.memory.expected = 0, 0
	f.undescribed = request == 0 && !f.anySet()
	if n := len(f.earlier); n > 0 && f.earlier[n-1].rows == f.measured && f.earlier[n-1].density == density && f.earlier[n-1].memory == f.memoryThen {
		return
	}
	if len(f.earlier) >= fixedStatesKept {
		f.earlier = append(f.earlier[:0], f.earlier[fixedStatesKept/2:]...)
	}
	f.earlier = append(f.earlier, fixedState{request, f.measured, density, f.memoryThen})
}

// goBack restores the rows of an earlier request as the measured ones.
func (f *fixedRows) goBack(request int) {
	n := len(f.earlier)
	for n > 1 && f.earlier[n-1].request > request {
		n--
	}
	f.earlier = f.earlier[:n]
	if n > 0 {
		f.measured, f.density, f.memoryThen = f.earlier[n-1].rows, f.earlier[n-1].density, f.earlier[n-1].memory
	}
}

// forgetOldest renumbers the states after the n oldest requests were dropped.
func (f *fixedRows) forgetOldest(requests int) {
	for i := range f.earlier {
		f.earlier[i].request -= requests
	}
}

// change returns how many tokens a row has lost and gained since the last measured prompt.
func (f *fixedRows) change(k Kind) (leaving, added int64) {
	then, now := f.measured[k], f.now[k]
	if p := f.perTurn(k); p != nil && p.fresh {
		if passing, passed := f.passes(k); passing != passed {
			then, now, leaving, added = then-passed, now-passing, passed, passing // this turn's replaces an earlier one's
		}
	}
	if now > then {
		return leaving, added + now - then
	}
	return leaving + then - now, added
}

// changes returns the sums of change for all rows.
func (f *fixedRows) changes() (leaving, added int64) {
	for k := System; k < Summary; k++ {
		g, c := f.change(k)
		leaving, added = leaving+g, added+c
	}
	return leaving, added
}

// sumRows returns the total of all rows.
func sumRows(rows *[Summary]int64) int64 {
	sum := int64(0)
	for _, n := range rows {
		sum += n
	}
	return sum
}

func (f *fixedRows) walk(c *codec.Codec) {
	for k := range f.parts {
		codec.List(c, "parts", &f.parts[k], fixedPartsKept, (*fixedPart).walk)
	}
	c.Array("now", f.now[:])
	c.Array("measured", f.measured[:])
	codec.List(c, "earlier", &f.earlier, fixedStatesKept, (*fixedState).walk)
	c.Ints("density memoryThen", &f.density, &f.memoryThen)
	c.Refuse(f.memoryThen < 0)
	c.Bools("undescribed", &f.undescribed)
	f.documents.walk(c.Part("documents"))
	f.memory.walk(c.Part("memory"))
}

func (p *fixedPart) walk(c *codec.Codec) {
	c.Texts("label", &p.label)
	c.Ints("tokens", &p.tokens)
	codec.Below(c, "basis", &p.basis, bases)
	c.Bools("deferred passes", &p.deferred, &p.passes)
}

func (p *fixedState) walk(c *codec.Codec) {
	c.Sizes("request", &p.request)
	c.Array("rows", p.rows[:])
	c.Ints("density memory", &p.density, &p.memory)
}

// applyContext replaces a fixed row.
func (s *Session) applyContext(e ContextSet) {
	if !e.Kind.Fixed() {
		return
	}
	described := len(s.fixed.parts[e.Kind]) > 0
	sum := s.fixed.set(e.Kind, e.Parts, s.resolved.Meter)
	if p := s.fixed.perTurn(e.Kind); p != nil {
		p.own = s.turn.phase.awaiting() && !s.conversation.answeredUser()
	}
	if e.Kind != Documents && s.fixed.undescribed && !described {
		new, _ := s.fixed.passes(e.Kind)
		s.describe(e.Kind, sum-new)
	}
	if e.Kind == MCPTools {
		s.servers.counted = false
	}
	if e.Kind == Tools || e.Kind == MCPTools {
		if len(s.requests.list) > 0 && sum != s.fixed.measured[e.Kind] {
			s.changes.toolsChanged = true
		}
	}
	if (e.Kind == System || e.Kind == Memory) && len(s.requests.list) > 0 && sum != s.fixed.measured[e.Kind] {
		s.breaks.system = true
	}
}

// describe adds a fixed row that is set right after the first measured prompt to that prompt, if no row had been set
// before it: system prompt and tools were already there and are not new.
func (s *Session) describe(k Kind, tokens int64) {
	r := s.anchor()
	if r == nil || sumRows(&s.fixed.measured)+tokens > r.in {
		return
	}
	s.fixed.describe(k, tokens)
	s.residual.describe(tokens)
}
