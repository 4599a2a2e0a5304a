// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// mostScaled is the largest percentage by which sizes from a table are scaled to fit the measurement. A table that is
// farther off does not belong to this session and is not shown.
const mostScaled = 15

// prefixHidden returns the part of the unexplained tokens that has been there from the beginning: the part that the
// first prompts already contained. whole is the same part as it was measured, which the parts of the prefix are fitted
// into.
func (s *Session) prefixHidden(unexplained int64) (hidden, whole int64) {
	u := &s.residual
	switch first, after := u.first.hidden, u.afterCompaction.hidden; {
	case s.anchor() == nil || first == Unknown:
		return unexplained, unexplained // expected from earlier measurements, or learned
	case after == Unknown:
		whole = first
	default:
		whole = min(first, after)
	}
	if s.rule.FirstMost > 0 && whole > s.rule.FirstMost {
		whole = s.rule.FirstUsual // the rest was conversation
	}
	hidden = whole
	if now, was := s.resolved.Meter.Density(), s.prefix.density; was > 0 && now != was {
		hidden = mulDiv(hidden, now, was) // measured with another tokenizer
	}
	return min(hidden, unexplained), whole
}

// prefixRows adds rows that sum to exactly the hidden tokens: the known parts of the prefix, and one row for the
// remainder. It returns how many tokens are not part of the prefix after all, and the sources that did not fit.
func (s *Session) prefixRows(rows []Row, hidden, whole int64, basis Basis) (_ []Row, left int64, _ misfit) {
	if hidden <= 0 {
		return rows, 0, 0
	}
	f := prefixFit{session: s, hidden: whole, rows: rows, first: len(rows), remainder: basis, cached: Unknown}
	if f.density = s.resolved.Meter.Density(); s.anchor() != nil && s.prefix.density > 0 {
		f.density = s.prefix.density
	}
	f.choose()
	f.divide()
	f.rows = byServer(f.rows, f.first)
	if hidden == whole {
		return f.rows, f.left, f.misfit
	}
	if f.left = mulDiv(f.left, hidden, max(whole, 1)); len(f.rows) == f.first {
		f.left = hidden
	}
	scaleAll(f.rows[f.first:], hidden-f.left)
	return f.rows, f.left, f.misfit
}

// prefixFit fits the known parts of the prefix into its measured size.
type prefixFit struct {
	session   *Session
	hidden    int64 // the size to fit the parts into
	density   int64 // density of the tokenizer that measured it
	rows      []Row
	first     int   // index of the first row of the prefix
	remainder Basis // basis of the remainder
	left      int64 // tokens that are not part of the prefix
	best      [Summary]PrefixSource
	known     [Summary]bool
	without   int   // optional parts that are left out
	cached    int64 // tokens that the first request read from the cache; Unknown if they show nothing
	perhaps   bool  // parts marked as possibly cached are cached
	misfit    misfit
}

// choose picks the sources, and leaves out parts and sources that do not fit.
func (f *prefixFit) choose() {
	f.best, f.known = f.session.bestPrefix(0)
	f.readCache()
	for f.tooLarge() && f.leaveOut() {
	}
	if !f.tooLarge() {
		return
	}
	sources := f.sources()
	for _, without := range misfits {
		if without&^sources == 0 {
			f.best, f.known = f.session.bestPrefix(without)
			f.without, f.cached, f.misfit = 0, Unknown, without
			if !f.tooLarge() {
				return
			}
		}
	}
}

// misfit is a set of sources that give more than was measured, one bit for each.
type misfit uint8

// misfits are the sets of sources to leave out, in this order, if the sources together give more than was measured: the
// least certain ones first.
var misfits = []misfit{
	1 << FromTable, 1 << FromEarlier, 1<<FromTable | 1<<FromEarlier, 1 << FromFiles, 1<<FromFiles | 1<<FromEarlier,
	1<<FromFiles | 1<<FromTable, 1<<FromFiles | 1<<FromTable | 1<<FromEarlier,
}

// allGuessed leaves only records, files and printed sizes.
const allGuessed misfit = 1<<FromTable | 1<<FromEarlier

func (m misfit) has(source PrefixSource) bool { return m>>source&1 == 1 }

// sentences appends warnings about records or files that were left out or scaled down because they give more than was
// measured. A table often does not match a session, so it gets no warning.
func (m misfit) sentences(out []Text) []Text {
	if m.has(FromRecord) {
		out = append(out, phrase.RecordMisfit.Text())
	}
	if m.has(FromFiles) {
		out = append(out, phrase.FilesMisfit.Text())
	}
	return out
}

// sources returns the set of the chosen sources.
func (f *prefixFit) sources() (sources misfit) {
	for k := range f.best {
		if f.known[k] {
			sources |= 1 << f.best[k]
		}
	}
	return sources
}

// tooLarge reports whether the parts exceed the measured size by more than mostScaled.
func (f *prefixFit) tooLarge() bool {
	sum, inside := f.sums()
	return sum*(100-mostScaled) > f.hidden*100 || f.cached != Unknown && inside*(100-mostScaled) > f.cached*100
}

// leaveOut leaves out one more optional part, and reports whether there was one.
func (f *prefixFit) leaveOut() bool {
	optional := 0
	for i := range f.session.prefix.parts {
		if f.session.prefix.parts[i].optional && f.chosen(&f.session.prefix.parts[i]) {
			optional++
		}
	}
	if f.without >= optional {
		return false
	}
	f.without++
	return true
}

func (f *prefixFit) chosen(part *prefixPart) bool {
	return part.shown(&f.best, &f.known) && !f.misfit.has(part.source)
}

// each calls visit for the shown parts, with their tokens in the tokenizer that measured the first prompt.
func (f *prefixFit) each(visit func(part *prefixPart, tokens int64)) {
	out := f.without
	for i := range f.session.prefix.parts {
		part := &f.session.prefix.parts[i]
		if !f.chosen(part) {
			continue
		}
		if part.optional && out > 0 {
			out--
			continue
		}
		tokens := part.tokens
		if part.density > 0 && part.density != f.density {
			tokens = mulDiv(tokens, f.density, part.density)
		}
		visit(part, tokens)
	}
}

func (f *prefixFit) sums() (all, inside int64) {
	f.each(func(part *prefixPart, tokens int64) {
		all += tokens
		if f.inside(part) {
			inside += tokens
		}
	})
	return all, inside
}

func (f *prefixFit) inside(part *prefixPart) bool {
	return part.cached == IsCached || part.cached >= MayBeCached && f.perhaps
}

// readCache finds out how much of the prefix is tools and system prompt, from the cache read of the session's first
// request, or otherwise of the first one after a compaction: none of the conversation was cached then. A request that
// continues another conversation shows nothing.
func (f *prefixFit) readCache() {
	s := f.session
	first := s.residual.first.in
	if first == Unknown || s.anchor() == nil && (!s.history.justCompacted || s.prefix.density != s.resolved.Meter.Density()) {
		return
	}
	if read := s.prefix.read; read*10 <= first*9 && f.showsCached(read, false) {
		return
	}
	f.showsCached(s.prefix.readLater, true)
}

// showsCached reports whether a cache read shows where the cached part of the prefix ends, and stores it. A request
// after a compaction reads what the session itself has written to the cache, so everything that can be cached is.
func (f *prefixFit) showsCached(read int64, later bool) bool {
	if read <= 0 || read > f.hidden {
		return false
	}
	certain, perhaps, exact := int64(0), int64(0), false
	f.each(func(part *prefixPart, tokens int64) {
		switch part.cached {
		case IsCached:
			certain += tokens
		case MayBeCached, ExactlyCached:
			perhaps += tokens
			exact = exact || part.cached == ExactlyCached
		}
	})
	switch {
	case certain == 0:
	case perhaps > 0 && read+cacheSlack >= certain+perhaps && (later || !exact || read <= certain+perhaps+cacheSlack):
		f.cached, f.perhaps = read, true
	case read*100 >= certain*(100-mostScaled):
		f.cached = read
	}
	return f.cached != Unknown
}

// cacheSlack is by how many tokens a table may overstate a system prompt that was completely read from the cache.
const cacheSlack = 500

// divide adds the rows, scaled to the measured size, and a row for the remainder.
func (f *prefixFit) divide() {
	all, inside := f.sums()
	if f.cached != Unknown {
		f.divideCached(all, inside)
		return
	}
	room := f.hidden
	f.each(func(part *prefixPart, tokens int64) { f.add(part, tokens) })
	if all > room {
		if all*(100-mostScaled) > room*100 {
			f.misfit |= 1 << FromRecord
		}
		scale(f.rows[f.first:], f.certain(), room)
		return
	}
	f.rest(room-all, false)
}

// divideCached is divide for a cache read that separates tools and system prompt from the parts after them.
func (f *prefixFit) divideCached(all, inside int64) {
	more := f.cached - inside // unrecorded tools
	from := len(f.rows)
	f.each(func(part *prefixPart, tokens int64) {
		if f.inside(part) {
			f.add(part, tokens)
		}
	})
	if more*50 <= f.session.residual.first.in {
		scaleAll(f.rows[from:], f.cached)
	} else {
		f.rows = append(f.rows, Row{Kind: MCPTools, Label: phrase.OtherTools.Text(), Tokens: more, Basis: f.remainder})
	}
	room, outside := f.hidden-f.cached, all-inside
	from = len(f.rows)
	f.each(func(part *prefixPart, tokens int64) {
		if !f.inside(part) {
			f.add(part, tokens)
		}
	})
	if outside > room {
		scaleAll(f.rows[from:], room)
		return
	}
	f.rest(room-outside, true)
}

// add adds the row of a part.
func (f *prefixFit) add(part *prefixPart, tokens int64) {
	label := part.label
	if label.Empty() {
		label = rowLabels[part.kind].Text()
	}
	f.rows = append(f.rows, Row{Kind: part.kind, Label: label, Tokens: tokens, Basis: part.basis})
}

// certain returns the sum of the rows that were not estimated.
func (f *prefixFit) certain() (sum int64) {
	for _, row := range f.rows[f.first:] {
		if row.Basis != Estimated {
			sum += row.Tokens
		}
	}
	return sum
}

// rest adds a row for tokens that cannot be divided further. If an agent records everything but its tools, they are
// tools; if the system prompt and the tools are known, they are other content that the agent loads. If a host has set
// both, they are not part of the prefix, and are left over.
func (f *prefixFit) rest(tokens int64, outside bool) {
	if tokens <= 0 {
		return
	}
	s := f.session
	row := Row{Kind: Prefix, Label: rowLabels[Prefix].Text(), Tokens: tokens, Basis: f.remainder}
	recorded := f.known[System] && f.best[System] >= FromPrinted
	listed := f.known[Tools] && f.best[Tools] >= FromPrinted // all tools, and those of servers apart
	system := f.known[System] || len(s.fixed.parts[System]) > 0 || s.conversation.rows.tokens[System] > 0
	tools := f.known[Tools] || len(s.fixed.parts[Tools]) > 0
	rows := &s.conversation.rows
	switch {
	case outside && f.known[Memory]:
		row.Label = phrase.Others.Text()
	case outside && s.rule.AfterCache != "":
		row.Kind, row.Label = Memory, s.rule.AfterCache.Text()
	case outside && f.perhaps && s.rule.AfterSystem != "" && rows.tokens[Skills] > 0 && rows.tokens[Agents] > 0:
		row.Kind, row.Label = Memory, s.rule.AfterSystem.Text()
	case !outside && system && f.known[Tools] && !listed && s.serversConfigured():
		// The files that the agent loads were read, and its settings name servers.
		row.Kind, row.Label = MCPTools, phrase.OtherTools.Text()
	case outside || system && tools && f.known[Tools]:
		row.Label = phrase.Others.Text()
	case system && tools:
		f.left = tokens
		return
	case recorded || system && s.rule.ToolsUnrecorded:
		row.Kind, row.Label = Tools, phrase.ToolsUnrecorded.Text()
	}
	f.rows = append(f.rows, row)
}

// scaleAll scales rows up or down to a total.
func scaleAll(rows []Row, total int64) {
	sum := int64(0)
	for i := range rows {
		sum += rows[i].Tokens
	}
	if sum <= 0 || sum == total {
		return
	}
	left, largest := total, 0
	for i := range rows {
		rows[i].Tokens = mulDiv(rows[i].Tokens, total, sum)
		left -= rows[i].Tokens
		if rows[i].Tokens > rows[largest].Tokens {
			largest = i
		}
	}
	rows[largest].Tokens += left
}
