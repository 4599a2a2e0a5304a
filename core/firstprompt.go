// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// FirstPrompt gives the size of the part of a first prompt that no record, table or file shows. It is dated data about
// an agent, like its thresholds: the median of recorded sessions, and the size that 90% of them stay below.
type FirstPrompt struct {
	// Tools are the tools missing from the table, which servers and accounts add, or all tools if there is no table.
	// Memory are the memory files, used if it is unknown which ones are loaded.
	Tools, Memory Unrecorded
	// SystemRecorded is set if the transcript contains the system prompt. A host that sets a row itself has described
	// the fixed context, and nothing is added.
	SystemRecorded bool
	// Hidden is set if both the system prompt and its size may be unknown, so that the records show only a part.
	Hidden bool
	// ToolsHidden is set if the tools are sent without a record and their size may be unknown: a number without them is
	// only a part.
	ToolsHidden bool
}

// Unrecorded is the size of content without a record: the usual one, and the one that 90% of sessions stay below.
type Unrecorded struct{ Usual, Most int64 }

// firstPrompt estimates the fixed context before any request is measured. Only here does a table determine a number:
// from the first measurement on, tables only divide it.
type firstPrompt struct {
	tokens, low, high int64
	part              bool // only a part of the prompt is known
	withoutTools      bool // only the tools are unknown
}

// expectFirst returns the known fixed context plus the usual size of its unrecorded part. ok is false if a request with
// a known beginning was measured, or if an earlier session of the workspace shows the size of a first prompt.
func (s *Session) expectFirst() (f firstPrompt, ok bool) {
	u := &s.residual
	if u.first.in != Unknown || u.learned != Unknown || u.afterCompaction.hidden != Unknown || s.history.justCompacted && !u.begunBefore || s.complete {
		return f, false
	}
	best, known := s.bestPrefix(0)
	for i := range s.prefix.parts {
		part := &s.prefix.parts[i]
		if part.shown(&best, &known) && len(s.fixed.parts[part.kind]) == 0 {
			f.add(part, s.resolved.Meter.Density())
		}
	}
	rule, rows, pending := &s.rule.First, &s.conversation.rows, &s.conversation.pending.rows
	if s.fixed.anySet() && !rule.SystemRecorded {
		return f, f.high > 0
	}
	if rule.ToolsHidden && !known[Tools] && len(s.fixed.parts[Tools]) == 0 {
		f.part, f.withoutTools = true, true
	}
	if len(s.fixed.parts[Tools]) == 0 && !(known[Tools] && best[Tools] >= FromPrinted) {
		f.expect(rule.Tools)
	}
	if len(s.fixed.parts[Memory]) == 0 && !known[Memory] && rows.tokens[Memory]+pending[Memory] == 0 {
		f.expect(rule.Memory)
	}
	if rule.Hidden && !known[System] && len(s.fixed.parts[System]) == 0 {
		return firstPrompt{part: true}, true
	}
	return f, f.high > 0 || f.part
}

// firstDoubt is the divisor that turns a table's size into the amount that it may be off by.
const firstDoubt = 12

func (f *firstPrompt) add(part *prefixPart, density int64) {
	tokens, doubt := part.tokens, int64(0)
	if part.density > 0 && part.density != density {
		tokens = mulDiv(tokens, density, part.density)
	}
	if part.basis == Estimated {
		doubt = tokens / firstDoubt
	}
	f.tokens += tokens
	f.high += tokens + doubt
	if !part.optional {
		f.low += tokens - doubt
	}
}

func (f *firstPrompt) expect(more Unrecorded) {
	f.tokens += more.Usual
	f.high += more.Most
}

// bandOfFirst returns the range of a first prompt. ok is false if no fixed context is known.
func (s *Session) bandOfFirst(p *prediction) (low, high int64, ok bool) {
	f, ok := s.expectFirst()
	if !ok || s.anchor() != nil {
		return 0, 0, false
	}
	recorded := p.used - p.guess
	low, high = recorded-recorded/8+f.low, recorded+recorded/4+f.high
	if f.part {
		limits, _ := s.Limits()
		high = max(high, limits.limit())
	}
	return low, high, true
}

// readPart marks a Reading if its number is only a part of the prompt: nothing was measured, and something of the first
// prompt has no record.
func (s *Session) readPart(out *Reading) {
	out.storage.part = false
	if out.Mode == ProviderOnly || out.Basis != Estimated || s.anchor() != nil {
		return
	}
	f, _ := s.expectFirst()
	if out.storage.part = f.part; !f.part {
		return
	}
	out.RangeCause = phrase.RangePart.Text()
	if f.withoutTools {
		out.RangeCause = phrase.RangeTools.Text()
	}
}
