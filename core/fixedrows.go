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
	open     estimates      // the open parts in the last measured prompt
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
	estimate int64 // the unscaled estimate of its text; 0 if it was counted
	basis    Basis
	deferred bool
	passes   bool // leaves with its turn, though the rest of its row stays
	sized    bool // estimated, and contained in a measured prompt, which determined tokens
	// open is set for a sized part if that prompt may have contained fixed context that the host did not send: only the
	// ratio gives its tokens.
	open bool
}

// unsized reports whether a part is in the prompt by an estimate that no measured prompt has corrected yet.
func (p *fixedPart) unsized() bool { return p.basis == Estimated && !p.deferred && !p.sized }

// estimates are texts by the sum of their estimates, and their tokens.
type estimates struct{ texts, tokens int64 }

// fixedState is the size of the rows as measured from a request on, until the next state. A rewind restores it.
type fixedState struct {
	request int
	rows    [Summary]int64
	open    estimates
	density int64
	memory  int64 // size of the memory that left with its turn
}

// set replaces a row, and returns its tokens without deferred parts. The ratio scales estimates, except those of parts
// that the row had before and whose size a prompt has shown.
func (f *fixedRows) set(k Kind, parts []Part, meter Meter, learned *ratio) int64 {
	before, list, sum := f.parts[k], make([]fixedPart, 0, len(parts)), int64(0)
	for i := range parts {
		p := &parts[i]
		c := Count{p.Tokens, Counted}
		if p.Tokens == Unknown {
			c = meter.Part(p)
		}
		part := fixedPart{label: p.Label, tokens: c.Tokens, basis: c.Basis, deferred: p.Deferred, passes: p.Ephemeral && k == Memory && !p.Deferred}
		if c.Basis == Estimated {
			part.estimate = c.Tokens
			part.tokens, part.sized = learned.scale(c.Tokens), false
			if old := same(before, &part, i); old != nil && old.sized {
				part.tokens, part.sized, part.open = old.tokens, true, old.open
			}
		}
		list = append(list, part)
		if !p.Deferred {
			sum += part.tokens
		}
	}
	f.parts[k], f.now[k] = list, sum
	if p := f.perTurn(k); p != nil {
		p.noted()
	}
	return sum
}

// partsMoved is how far a part may have moved in its row to be recognized.
const partsMoved = 32

// same returns the part of an earlier row with the same label and estimate, at about the same index; nil without one.
func same(row []fixedPart, part *fixedPart, index int) *fixedPart {
	for i := max(index-partsMoved, 0); i < min(index+partsMoved, len(row)); i++ {
		if row[i].estimate == part.estimate && row[i].label.Equal(part.label) {
			return &row[i]
		}
	}
	return nil
}

// describe adds a row to the prompts measured before it was set.
func (f *fixedRows) describe(k Kind, tokens int64) {
	f.measured[k] = tokens
	for i := range f.parts[k] {
		f.parts[k][i].sized = !f.parts[k][i].deferred && f.parts[k][i].basis == Estimated
	}
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

// described reports whether the host has sent its system prompt and more that surrounds the conversation, so that
// prompts probably contain nothing else.
func (f *fixedRows) described() bool {
	return len(f.parts[System]) > 0 && len(f.parts[Tools])+len(f.parts[MCPTools])+len(f.parts[Documents]) > 0
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

// sum returns the sums of the parts that have a property.
func (f *fixedRows) sum(has func(*fixedPart) bool) (e estimates) {
	for k := range f.parts {
		for i := range f.parts[k] {
			if p := &f.parts[k][i]; has(p) {
				e.texts, e.tokens = e.texts+p.estimate, e.tokens+p.tokens
			}
		}
	}
	return e
}

// unsized returns the parts whose size no measured prompt has shown yet.
func (f *fixedRows) unsized() estimates { return f.sum((*fixedPart).unsized) }

// openLeft returns the open parts of the last measured prompt that the rows do not contain any more.
func (f *fixedRows) openLeft() estimates {
	if f.open.texts == 0 {
		return estimates{}
	}
	kept := f.sum(func(p *fixedPart) bool { return p.open })
	return estimates{max(f.open.texts-kept.texts, 0), f.open.tokens - kept.tokens}
}

// size sets the size of the parts that a measured prompt was the first to contain: their share of the actual size of
// its estimated texts. Their sum is rounded once.
func (f *fixedRows) size(actual, estimated int64) {
	before := int64(0)
	for k := range f.parts {
		for i := range f.parts[k] {
			if p := &f.parts[k][i]; p.unsized() {
				tokens := mulDiv(before+p.estimate, actual, estimated) - mulDiv(before, actual, estimated)
				f.now[k] += tokens - p.tokens
				before += p.estimate
				p.tokens = tokens
			}
		}
	}
}

// resize scales the parts whose size no prompt has shown by another ratio.
func (f *fixedRows) resize(learned *ratio) {
	for k := range f.parts {
		for i := range f.parts[k] {
			if p := &f.parts[k][i]; p.open || p.unsized() {
				f.now[k] -= p.tokens
				p.tokens = learned.scale(p.estimate)
				f.now[k] += p.tokens
			}
		}
	}
}

// settle marks the parts in a measured prompt as sized, and the new ones as open if it does not show their size.
func (f *fixedRows) settle(open bool) {
	for k := range f.parts {
		for i := range f.parts[k] {
			if p := &f.parts[k][i]; p.unsized() {
				p.sized, p.open = true, open
			}
		}
	}
}

// close keeps the sizes of the open parts.
func (f *fixedRows) close() {
	for k := range f.parts {
		for i := range f.parts[k] {
			f.parts[k][i].open = false
		}
	}
	f.open = estimates{}
}

// setMeasured records that a request was just measured with the present rows.
func (f *fixedRows) setMeasured(request int, density int64) {
	f.measured, f.density = f.now, density
	f.open = f.sum(func(p *fixedPart) bool { return p.open })
	f.memoryThen, _ = f.passes(Memory)
	f.documents.fresh, f.memory.fresh = false, false
	f.documents.expected, f.memory.expected = 0, 0
	f.undescribed = request == 0 && !f.anySet()
	if n := len(f.earlier); n > 0 && f.earlier[n-1].rows == f.measured && f.earlier[n-1].open == f.open && f.earlier[n-1].density == density && f.earlier[n-1].memory == f.memoryThen {
		return
	}
	if len(f.earlier) >= fixedStatesKept {
		f.earlier = append(f.earlier[:0], f.earlier[fixedStatesKept/2:]...)
	}
	f.earlier = append(f.earlier, fixedState{request, f.measured, f.open, density, f.memoryThen})
}

// goBack restores the rows of an earlier request as the measured ones.
func (f *fixedRows) goBack(request int) {
	n := len(f.earlier)
	for n > 1 && f.earlier[n-1].request > request {
		n--
	}
	f.earlier = f.earlier[:n]
	if n > 0 {
		e := &f.earlier[n-1]
		f.measured, f.open, f.density, f.memoryThen = e.rows, e.open, e.density, e.memory
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
	c.Ints("density memoryThen open.texts open.tokens", &f.density, &f.memoryThen, &f.open.texts, &f.open.tokens)
	c.Refuse(f.memoryThen < 0)
	c.Bools("undescribed", &f.undescribed)
	f.documents.walk(c.Part("documents"))
	f.memory.walk(c.Part("memory"))
}

func (p *fixedPart) walk(c *codec.Codec) {
	c.Texts("label", &p.label)
	c.Ints("tokens estimate", &p.tokens, &p.estimate)
	codec.Below(c, "basis", &p.basis, bases)
	c.Bools("deferred passes sized open", &p.deferred, &p.passes, &p.sized, &p.open)
}

func (p *fixedState) walk(c *codec.Codec) {
	c.Sizes("request", &p.request)
	c.Array("rows", p.rows[:])
	c.Ints("open.texts open.tokens density memory", &p.open.texts, &p.open.tokens, &p.density, &p.memory)
}

// applyContext replaces a fixed row.
func (s *Session) applyContext(e ContextSet) {
	if !e.Kind.Fixed() {
		return
	}
	described := len(s.fixed.parts[e.Kind]) > 0
	sum := s.fixed.set(e.Kind, e.Parts, s.resolved.Meter, &s.calibration.ratio)
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
