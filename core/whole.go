// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// If a host sends its whole conversation each time, the order of its messages shows which request each response belongs
// to. So a usage that comes before the messages of its prompt, or after those that follow its response, is assigned to
// the right request.

// Whole reports whether the host has sent its whole conversation before.
func (s *Session) Whole() bool { return s.whole }

// MeasuredAny reports whether any prompt was measured since the last compaction.
func (s *Session) MeasuredAny() bool { return s.anchor() != nil }

// Measured reports whether the usage of a response is applied already, or older than the last one: that of a prompt
// with this many items, in a message that ends after as many others.
func (s *Session) Measured(through, end int, m *Metered) bool {
	r := s.anchor()
	return end <= s.conversation.left || r != nil && !r.has(requestOverflow|requestStated) &&
		(through < r.through && !s.endsEarlier(through, m) || through == r.through && r.reports(m))
}

// endsEarlier reports whether a usage in a message shows that the last prompt, whose end its length had to show, ended
// before some of its items: no other measured prompt contains as many.
func (s *Session) endsEarlier(through int, m *Metered) bool {
	list := s.requests.list
	n := len(list) - 1
	return n >= 0 && m.In == list[n].in && through < list[n].through && (n == 0 || through > list[n-1].through) && !list[n].reports(m)
}

// Measures reports whether a usage has the numbers of the last request.
func (s *Session) Measures(m *Metered) bool {
	r := s.anchor()
	return r != nil && r.reports(m) && !r.has(requestOverflow|requestStated)
}

// reports reports whether a usage has the numbers of a request. A response that was generated again may have the length
// of the one before and other reasoning.
func (r *request) reports(m *Metered) bool {
	return r.in == m.In && r.out == m.Out && (m.Reasoning == Unknown || r.reasoning == m.Reasoning)
}

// arrayEdits are the changes of earlier items in the host's last array. The usages in its messages may be older than
// these changes.
type arrayEdits struct {
	folded        changes // of items that the last measured prompt contained
	before, after int64   // of the others, except responses
	compactedFrom int64   // the last prompt before a compaction
	count         int     // how many items of measured prompts were changed
	applying      bool
	reply         bool      // items of the last response were changed
	thoughts      []thought // of the responses that a compaction kept, until all changes are applied
}

// applySynced applies the changes of earlier items, and finds the ends of measured prompts among the items that follow,
// if their usage came before them.
func (s *Session) applySynced(e *Synced) {
	s.arrayEdits = arrayEdits{}
	leaving, replaced := s.changes.leaving, s.changes.replaced
	s.changes.leaving, s.changes.replaced = nil, 0
	measured, last := len(s.requests.list), request{}
	if measured > 0 {
		last = *s.anchor()
	}
	edited, answered := len(s.conversation.edits), measured > 0 && s.isAnswered(&last)
	reply := s.conversation.pending.replyText()
	s.arrayEdits.applying = true
	for _, change := range e.Edits {
		if _, compacts := change.(Compacted); compacts {
			s.arrayEdits.compactedFrom = last.in
		}
		s.Apply(change)
		s.arrayEdits.changed(change)
	}
	if s.arrayEdits.applying = false; s.arrayEdits.reply && measured == len(s.requests.list) {
		s.replaceReply(reply)
	}
	s.keepThoughts(s.arrayEdits.thoughts)
	s.conversation.left += len(s.arrayEdits.thoughts)
	s.arrayEdits.count = max(len(s.conversation.edits)-edited, 0)
	kept := measured == len(s.requests.list)
	if !kept && !answered && s.compactedFrom > 0 && last.reasoning > 0 && s.answers(&last, e.Items) {
		s.keepThoughts([]thought{{last.reasoning, len(s.conversation.items)}})
	}
	if !kept && s.fitsLater(&last, e.Items) {
		m := last.repeated()
		m.Through, m.ThroughSet = len(s.conversation.items), true
		s.applyMetered(m)
	}
	s.arrayEdits.folded = changes{leaving: slices.Clone(s.changes.leaving), replaced: s.changes.replaced, replacedBasis: s.changes.replacedBasis}
	if kept {
		s.changes.leaving, s.changes.replaced = leaving, replaced
		s.changes.add(&s.arrayEdits.folded, 1)
	}
	if n := len(e.Items); !s.whole && n > 0 && !e.Items[n-1].Item.Kind.Reply() {
		s.joined = len(s.conversation.items) + n
	}
	s.whole = true
	r := s.anchor()
	if r == nil {
		return
	}
	if edited := s.arrayEdits.folded.sum(); !r.ahead && edited != 0 && distance(r.unseen, edited)*2 < distance(r.unseen, 0) {
		s.forgetEdits() // its prompt had them already
	}
	if len(s.requests.list) == 1 && !r.ahead && s.residual.first.in == r.in && r.through == len(s.conversation.items) && s.answersLater(r, e.Items) {
		r.ahead, s.residual.itemisedLate = true, true
	}
	if !r.ahead {
		r.unseen, r.unseenTurn = 0, 0
	}
	if len(e.Items) == 0 {
		return
	}
	first := len(s.requests.list)
	for first > 0 && s.requests.list[first-1].ahead {
		first--
	}
	for at := 0; first < len(s.requests.list) && at < len(e.Items); first++ {
		at = s.findEnd(first, e, at)
	}
	if it := &e.Items[0].Item; r.through <= len(s.conversation.items) && it.Kind == User && !it.Hidden && !s.isAnswered(r) {
		r.flags |= requestCut // its response was discarded
	}
}

// answers reports whether items begin with the response to a request, whose reasoning is sent again.
func (s *Session) answers(r *request, items []Appended) bool {
	n := 0
	for n < len(items) && isReply(&items[n].Item) {
		n++
	}
	return n > 0 && s.calibration.mode == ReasoningAlways && s.fitsAnswer(r, items[:n])
}

// answersLater reports whether the response to the first request is not the first one among the items that follow, but
// a later one of the same turn: only the last of several steps was reported.
func (s *Session) answersLater(r *request, items []Appended) bool {
	for i := range items {
		if it := &items[i].Item; it.Kind == User && !it.Hidden {
			items = items[:i]
			break
		}
	}
	first, best, later := MaxTokens, MaxTokens, false
	for n, at := range answersIn(items) {
		end := at
		for end < len(items) && isReply(&items[end].Item) {
			end++
		}
		off := distance(s.sizesNow(items[at:end]), r.out-max(r.reasoning, 0))
		if n == 0 {
			first = off
		}
		if off < best && s.fitsAnswer(r, items[at:end]) {
			best, later = off, n > 0
		}
	}
	return later && first > 32+2*best
}

// repeated returns the usage of a request, to be applied to another prompt.
func (r *request) repeated() *Metered {
	m := NewMetered()
	m.In, m.Out, m.Reasoning, m.CacheRead, m.CacheWrite, m.Repeated = r.in, r.out, r.reasoning, r.cacheRead, r.cacheWrite, true
	m.Partial, m.OutPlaceholder, m.ServerTools, m.Own = r.has(requestPartial), r.has(requestPlaceholder), r.has(requestInflated), r.has(requestDoubtful)
	return &m
}

// forgetEdits takes back the effect of the changes in the host's last array on the next prompt: the last one was
// without what they removed.
func (s *Session) forgetEdits() {
	s.changes.add(&s.arrayEdits.folded, -1)
	edits := s.conversation.edits
	for i := len(edits) - min(s.arrayEdits.count, len(edits)); i < len(edits); i++ {
		edits[i].requests = min(edits[i].requests, len(s.requests.list)-1)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.requests - b.requests })
	s.arrayEdits = arrayEdits{}
}

// fitsLater reports whether a usage belongs to the prompt after a rewind or a compaction, which the host's array shows
// only now: its length fits that prompt, with some of the items that follow, better than the one before.
func (s *Session) fitsLater(r *request, items []Appended) bool {
	if r.has(requestOverflow|requestStated) || r.unseen == 0 && !r.ahead {
		return false
	}
	thought := s.conversation.pending.unmeasured.resent(ReasoningTurn) // it leaves with the turn
	next, sum := s.predictNext().used, int64(0)
	off := distance(r.in, next)
	for i := range items {
		it := &items[i].Item
		if isReply(it) {
			continue
		}
		if sum += s.sizeNow(it); it.Kind == User && !it.Hidden && s.calibration.mode == ReasoningTurn {
			next -= thought
			thought = 0
		}
		off = min(off, distance(r.in, next+sum))
	}
	if s.compactedFrom == 0 && !s.isAnswered(r) && len(answersIn(items)) > 0 && off <= max(16, r.in/10) {
		return true // its response was not shown before
	}
	return distance(r.unseen, 0) > 16 && off < distance(r.unseen, 0)
}

// isAnswered reports whether the conversation contains the response to the last request.
func (s *Session) isAnswered(r *request) bool {
	return s.conversation.hasReply(r.through, len(s.conversation.items))
}

// otherPrompt is how many tokens of an error it takes to assume that a prompt of another length than the one before was
// that prompt nevertheless.
const otherPrompt = 64

// findEnd finds the end of a request's prompt among items that follow the conversation, from an index on. It returns
// the index of the end. The sizes of the items decide, unless a usage in their messages has the prompt's length.
func (s *Session) findEnd(index int, e *Synced, from int) int {
	r, items, known := &s.requests.list[index], e.Items, len(s.conversation.items)
	given, isGiven := e.promptOf(r, from)
	if index == 0 {
		r.ahead = false
		end := given
		if !isGiven {
			end = s.firstEnd(r, items, from)
		}
		s.describeFirst(r, items[from:end])
		s.endAt(r, known+end, items[from:end])
		return end
	}
	previous := &s.requests.list[index-1]
	most := MaxTokens // how far the prompt's length may be off
	if last := s.conversation.items[:min(r.through, known)]; len(last) > 0 && last[len(last)-1].kind != ToolResults && s.hasOwnItems(previous, r) && !r.has(requestRemodeled) {
		most = max(4, r.unseen/50) // only the last of several steps was reported, or content was sent without a record
	}
	earlier := 0 // the length of the previous request's response
	if previous.through >= known || !s.conversation.hasReply(previous.through, known) {
		for from+earlier < len(items) && isReply(&items[from+earlier].Item) {
			earlier++
		}
	} else if most == MaxTokens && isReply(&items[from].Item) {
		r.ahead = false
		return from
	}
	edited := s.arrayEdits.folded.sum()
	end, best, sum, users, hasEdits := from, distance(r.unseen, 0), int64(0), false, false
	if !s.hasOwnItems(previous, r) { // then it was the same prompt
		shown := items[from : from+earlier]
		best = distance(r.in, previous.in)
		if best > 0 {
			best += otherPrompt
		}
		if earlier == 0 {
			best += r.unlike(s.conversation.replySize(previous.through))
		} else {
			best += r.unlike(s.sizesNow(shown))
		}
	}
	if isGiven {
		best = MaxTokens
		if given == from {
			return from
		}
	}
	for i := from + earlier; i < len(items); {
		it := &items[i].Item
		if !isReply(it) {
			users = users || it.Kind == User && !it.Hidden
		}
		sum += s.sizeNow(it)
		i++
		if i < len(items) && (!isReply(&items[i].Item) || isReply(it) || items[i].Item.Joins) || i == len(items) && isReply(it) {
			continue // not the end of a prompt
		}
		if isGiven && i != given {
			continue
		}
		want := r.unseen
		if users {
			want = r.unseenTurn
		}
		answer := int64(0)
		if i < len(items) {
			n := i
			for n < len(items) && isReply(&items[n].Item) {
				n++
			}
			answer = r.unlike(s.sizesNow(items[i:n]))
			fits := r.has(requestRemodeled) || distance(sum, want) <= s.noiseOf(items[from+earlier:i])
			if fits && s.fitsAnswer(r, items[i:n]) {
				end, best, hasEdits = i, distance(sum, want), distance(sum+edited, want) < distance(sum, want)
				break // the first response without a usage
			}
		}
		if off := distance(sum, want) + answer; off < best && off <= most {
			end, best, hasEdits = i, off, false
		}
		if off := distance(sum+edited, want) + answer; edited != 0 && off < best && off <= most {
			end, best, hasEdits = i, off, true
		}
	}
	if hasEdits { // the prompt was already without what they removed
		s.forgetEdits()
	}
	r.ahead = end == len(items) && end > from && best > max(16, r.unseen/10)
	if end == from {
		return end
	}
	taken := s.sizesNow(items[from+earlier : end])
	r.unseen, r.unseenTurn = r.unseen-taken, r.unseenTurn-taken
	s.endAt(r, known+end, items[from:end])
	return end
}

// promptOf returns the end of a request's prompt among the items from an index on, if a usage in their messages has its
// length.
func (e *Synced) promptOf(r *request, from int) (end int, ok bool) {
	for _, p := range e.Prompts {
		if p.In == r.in && p.Items >= from && p.Items <= len(e.Items) {
			return p.Items, true
		}
	}
	return 0, false
}

// firstEnd finds the end of the first prompt: the response after it has the measured length, and of the responses that
// follow each later request has its own. The sizes of its own items show it only after a compaction, because otherwise
// the fixed context hides them.
func (s *Session) firstEnd(r *request, items []Appended, from int) int {
	answers := answersIn(items[from:])
	if len(answers) == 0 {
		return len(items)
	}
	end, best := from+answers[0], MaxTokens
	if r.out == Unknown || r.has(requestPartial|requestPlaceholder) {
		return end
	}
	out := r.out - max(r.reasoning, 0)
	unlike := func(to int, size int64) int64 {
		off := distance(size, out)
		if r.unseen != 0 {
			off += distance(s.sizesNow(items[from:to]), r.unseen)
		}
		return off
	}
	for n, at := range answers[:max(len(answers)-len(s.requests.list)+1, 1)] {
		next := len(items)
		if n+1 < len(answers) {
			next = from + answers[n+1]
		}
		size := int64(0)
		for i := from + at; i < next; i++ {
			if isReply(&items[i].Item) {
				size += s.sizeNow(&items[i].Item)
			}
		}
		if off := unlike(from+at, size); off < best {
			end, best = from+at, off
		}
	}
	hidden := out - max(16, out/2) // a response that is not among them, if none is less unlike
	if last := &items[len(items)-1].Item; len(s.requests.list) == 1 && !isReply(last) && unlike(len(items), hidden) < best {
		return len(items)
	}
	return end
}

// describeFirst subtracts the items of the first prompt from the part of it that no row explained, because they came
// after its usage.
func (s *Session) describeFirst(r *request, items []Appended) {
	u := &s.residual
	p := &u.first
	switch {
	case len(items) == 0:
		return
	case s.history.compactions > 0 && u.afterCompaction.in == r.in:
		p = &u.afterCompaction
	case !u.itemisedLate || u.first.in != r.in || u.first.hidden == Unknown:
		return
	default:
		u.itemisedLate = false
	}
	for i := range items {
		it := &items[i].Item
		n := Count{it.Tokens, Counted}
		if it.Tokens == Unknown {
			n = s.resolved.Meter.Item(it)
		}
		if p.hidden = max(p.hidden-n.Tokens, 0); n.Basis == Estimated {
			p.texts.texts, p.texts.tokens = p.texts.texts+n.Tokens, p.texts.tokens+n.Tokens
		}
	}
}

// endAt sets the end of a prompt that contains further items.
func (s *Session) endAt(r *request, through int, items []Appended) {
	if through <= r.through || len(items) == 0 {
		return
	}
	r.through = through
	s.excess.remove(&r.surplus)
	r.surplus = surplus{}
	for i := range items {
		if it := &items[i].Item; it.Kind == User && !it.Hidden && !s.turn.explicit && r == s.anchor() {
			s.beginTurnOf(r)
			break
		}
	}
}

// unlikeShare is how much less the length of a response counts than that of a prompt: the response may be that of
// another attempt.
const unlikeShare = 4

// brokenOffMost is the most that a provider reports of a response before its text.
const brokenOffMost = 8

// unlike returns how far the size of a response's items is from its measured length. The first number of a stream that
// broke off shows nothing.
func (r *request) unlike(size int64) int64 {
	if r.out == Unknown || r.has(requestPartial|requestPlaceholder) || r.out <= brokenOffMost && size-r.out >= 32 {
		return 0
	}
	return distance(size, r.out-max(r.reasoning, 0)) / unlikeShare
}

// sizesNow returns the tokens that items would add to a prediction.
func (s *Session) sizesNow(items []Appended) (sum int64) {
	for i := range items {
		sum += s.sizeNow(&items[i].Item)
	}
	return sum
}

func isReply(it *Item) bool { return it.Kind.Reply() && !it.NotReply }

// sizeNow returns the tokens that an item would add to a prediction.
func (s *Session) sizeNow(it *Item) int64 {
	if it.Tokens != Unknown {
		return it.Tokens
	}
	n := s.resolved.Meter.Item(it)
	if n.Basis == Estimated {
		return s.calibration.scale(n.Tokens)
	}
	return n.Tokens
}

// beginTurnOf makes a request the first one of a turn, after it was measured.
func (s *Session) beginTurnOf(r *request) {
	t := &s.turn
	if s.calibration.mode == ReasoningTurn {
		s.conversation.rows.tokens[Reasoning] = max(s.conversation.rows.tokens[Reasoning]-t.reasoning.tokens, 0)
	}
	t.dropped.add(t.reasoning)
	t.dropped.add(t.cut)
	t.reasoning, t.again, t.cut = reasoningSum{}, reasoningSum{}, reasoningSum{}
	t.number++
	r.turn = t.number
	t.move(turnStarted)
	t.move(requestMeasured)
}

// answersIn returns the index of the first item of each response.
func answersIn(items []Appended) (at []int) {
	answering := false
	for i := range items {
		it := &items[i].Item
		reply := it.Kind.Reply() && !it.NotReply
		if reply && !answering && !it.Joins {
			at = append(at, i)
		}
		answering = reply
	}
	return at
}

// isAhead reports whether a prompt contains items that have not been passed: there are no new ones before its end, or
// only some of the results of the last calls.
func (s *Session) isAhead(r *request) bool {
	items := s.conversation.items
	if !s.hasOwnItems(s.anchor(), r) {
		return true
	}
	last := min(r.through, len(items)) - 1 // a host may report a prompt of more items than it has sent
	if last < 0 || last+1 < len(items) && items[last+1].canBeReply() {
		return false
	}
	before := s.conversation.without(r.through)
	if items[last].kind != ToolResults { // only the last of several steps may have been reported
		return before.unscaled == 0 && r.unseen > max(64, r.in/50)
	}
	return r.unseen > max(16, r.in/100, s.estimateError(&before))
}

// noiseOf returns how far the sizes of items in a host's array may be off.
func (s *Session) noiseOf(items []Appended) int64 {
	var p pending
	for i := range items {
		p.add(s.measure(&items[i].Item), 1)
	}
	return s.noise(&p)
}

// fitsAnswer reports whether items may be the response to a request: they have its measured length.
func (s *Session) fitsAnswer(r *request, items []Appended) bool {
	if r.out == Unknown || r.has(requestPartial|requestPlaceholder) {
		return false
	}
	size, calls, estimate := int64(0), int64(0), int64(0)
	for i := range items {
		it := &items[i].Item
		if it.Kind == Reasoning {
			continue
		}
		if it.Kind == ToolCalls {
			calls++
		}
		n := s.sizeNow(it)
		if size += n; it.Tokens == Unknown && s.resolved.Meter.Item(it).Basis == Estimated {
			estimate += n
		}
	}
	frame := int64(8) // of a call
	if estimate > 0 {
		frame = 64
	}
	return distance(size, r.out-max(r.reasoning, 0)) <= 4+frame*calls+size/10+estimate*2/5
}

// noise returns how far the prediction of a prompt with some items may be off: the frame of each item is estimated,
// too.
func (s *Session) noise(p *pending) int64 {
	return max(16, 12*int64(p.items)+(p.certain+p.unscaled)/50, s.estimateError(p))
}

// estimateError returns how far the estimates among items may be off.
func (s *Session) estimateError(p *pending) int64 { return s.calibration.scale(p.unscaled) * 2 / 5 }

// hasOwnItems reports whether a prompt contains known items besides those of the previous one and its response.
func (s *Session) hasOwnItems(previous, r *request) bool {
	from := s.conversation.left
	if previous != nil {
		from = previous.through
	}
	for i := from; i < r.through && i < len(s.conversation.items); i++ {
		if !s.conversation.items[i].canBeReply() {
			return true
		}
	}
	return false
}

// contextUnknown reports whether no prompt has shown the size of the fixed context yet.
func (s *Session) contextUnknown() bool {
	return s.anchor() == nil && !s.history.justCompacted && s.residual.afterCompaction.in == Unknown
}

// measureUnseen computes how much of a prompt is in no item that was passed: less if a turn begins in it, because then
// reasoning has left.
func (s *Session) measureUnseen(r *request) {
	if s.contextUnknown() {
		return
	}
	before := s.conversation.without(r.through)
	r.unseen = r.in - s.predict(&before, nil, s.calibration.mode).used
	r.unseenTurn = r.unseen
	if last := s.anchor(); last != nil && s.calibration.mode == ReasoningTurn && !s.reasoningOver() {
		r.unseenTurn += s.turn.reasoning.tokens + min(s.reasoningOf(last, &before), max(last.out, 0))
	}
}

// editedSince returns the changes in the host's last array that are newer than a usage in one of its messages. The
// length of the prompt decides.
func (s *Session) editedSince(r *request, m *Metered) (since changes) {
	e := s.arrayEdits
	s.arrayEdits = arrayEdits{}
	edited := e.folded.sum() + e.after - e.before
	if !m.InArray || edited == 0 {
		return changes{}
	}
	all := s.conversation.without(r.through)
	if with := s.predict(&all, nil, s.calibration.mode).used; distance(with-edited, m.In) >= distance(with, m.In) {
		return changes{}
	}
	s.changes.add(&e.folded, -1)
	s.changes.adjusted += e.before - e.after
	for i := range s.conversation.edits {
		if change := &s.conversation.edits[i]; change.requests == len(s.requests.list) {
			change.requests++
		}
	}
	since = e.folded
	if e.before > 0 {
		since.leaving.add(phrase.LeavesReplaced.Text(), e.before)
		since.enter(e.after, Estimated)
	}
	s.arrayEdits.folded = since
	return since
}

// fitsPrompt reports whether the length of a prompt is about as predicted.
func (s *Session) fitsPrompt(m *Metered) bool {
	items := s.conversation.without(m.Through)
	off := distance(s.predict(&items, nil, s.calibration.mode).used, m.In)
	return off <= max(m.In/4, 500) && (s.compactedFrom == 0 || off < distance(s.compactedFrom, m.In))
}

// isRetry reports whether a usage is for the same prompt as the last one: a request that was sent again, or a usage
// that was reported again. Its length decides.
func (s *Session) isRetry(m *Metered) bool {
	last := s.anchor()
	if last == nil || last.has(requestOverflow|requestStated) || m.In <= 0 || m.Counted {
		return false
	}
	named := m.Request != "" && last.id != 0 // then the same usage would have the same ID
	again := !named && m.Out == last.out && m.Reasoning == last.reasoning
	if !s.whole {
		again = again && m.CacheRead == last.cacheRead || len(s.conversation.items) == last.through
		return m.In == last.in && !m.ThroughSet && last.out > 0 && !m.Own && again
	}
	if m.ThroughSet && m.Through != last.through {
		return m.InArray && s.endsEarlier(m.Through, m)
	}
	r := request{in: m.In, through: s.promptEnd(m)}
	s.measureUnseen(&r)
	off, other := distance(m.In, last.in), min(distance(r.unseen, 0), distance(r.unseenTurn, 0))
	if s.hasOwnItems(last, &r) {
		before := s.conversation.without(r.through)
		// A prompt that lost items may have got as much: what the sizes of those leave open shows no retry.
		unsure := s.noise(&before) + s.changes.leaving.total() + s.changes.replaced
		return off == 0 && (again && other > 0 || other > max(m.In/100, unsure)) // reported again, after further items
	}
	return off == 0
}

// meterRetry replaces the last request by a later one with the same prompt, whose response is the one that stays.
func (s *Session) meterRetry(m *Metered) {
	r := s.anchor()
	before := *r
	if m.Request != "" {
		r.id = fnv.Hash(m.Request)
	}
	if same := s.whole && !r.has(requestCut) && r.reports(m) && (r.cacheRead == m.CacheRead || m.CacheRead == Unknown); !same {
		r.in, r.out, r.reasoning, r.cacheRead, r.cacheWrite, r.keptLong = m.In, m.Out, m.Reasoning, m.CacheRead, m.CacheWrite, m.KeptLong
		r.flags &^= requestCut
		s.history.spent.add(m)
		if s.isAnswered(r) && !m.InArray {
			r.flags |= requestRetried
		} else {
			s.conversation.replyOver = false
		}
	}
	r.mark(m)
	s.cache.extend(s.lifetimeOf(m), s.now)
	if r.in != before.in {
		s.unexplained.measured = true
		s.calibration.record.correct(r.in)
		s.history.curve.amend(r.in)
	}
	s.requests.restored, s.requests.refusedAt = false, Unknown
}

// lateAnswer finds the response for a usage that came after further messages. It recognizes the response by its length,
// and by the length of the prompt before it; end is the prompt's end otherwise.
func (s *Session) lateAnswer(m *Metered, end int) (through int, late bool) {
	c, last := &s.conversation, s.anchor()
	all := c.without(end)
	most := s.predict(&all, nil, s.calibration.mode).used
	from, awaited := max(c.folded, c.unawaited), false
	for i := from; i < end; i++ {
		if !c.items[i].canBeReply() || c.items[i].has(slotJoins) || i > from && c.items[i-1].canBeReply() {
			continue
		}
		if last != nil && i == last.through && !last.has(requestOverflow|requestStated) {
			continue // the response to the last request
		}
		if (last == nil || !last.has(requestFollowed)) && c.oneReply(last, i) {
			continue // a part of it
		}
		first := !awaited
		awaited = true
		before := c.without(i)
		least := s.predict(&before, nil, s.calibration.mode).used
		near, calls := int64(5), c.callsIn(i)
		if last == nil && i < s.joined {
			near = 50
		}
		switch size := c.replySize(i); {
		case least > m.In+max(m.In/10, s.estimateError(&before)):
		case last != nil && first && m.Out != Unknown && distance(least, m.In) <= s.noise(&before) && distance(size, m.Out-max(m.Reasoning, 0)) <= 4+8*calls+size/10:
			return i, true // the first response without a usage
		case last != nil && before.unscaled > 0 && distance(least, m.In) <= max(16, s.estimateError(&before)) && m.Out != Unknown &&
			distance(size, m.Out-max(m.Reasoning, 0)) <= max(64*calls, size*3/5):
			return i, true
		case m.Out != Unknown && size >= 16 && distance(size, m.Out-max(m.Reasoning, 0)) <= size/near &&
			(s.contextUnknown() || distance(least, m.In) <= distance(most, m.In)):
			return i, true
		case last != nil && distance(least, m.In)*4 < distance(most, m.In):
			return i, true
		}
	}
	return 0, false
}

// replyEstimated reports whether any size of the response to a request is an estimate.
func (c *conversation) replyEstimated(r *request) bool {
	return slices.ContainsFunc(c.items[min(r.through, len(c.items)):], func(i storedItem) bool { return i.has(slotReply) && i.basis == Estimated })
}

// replySize returns the tokens of a response from its first item on, without reasoning.
func (c *conversation) replySize(from int) (sum int64) {
	for i := from; i < len(c.items) && c.items[i].canBeReply(); i++ {
		if c.items[i].kind != Reasoning {
			sum += int64(c.items[i].tokens)
		}
	}
	return sum
}

// callsIn returns the calls in a response from its first item on, at least 1. Providers frame each of them.
func (c *conversation) callsIn(from int) (calls int64) {
	for i := from; i < len(c.items) && c.items[i].canBeReply(); i++ {
		if c.items[i].kind == ToolCalls {
			calls++
		}
	}
	return max(calls, 1)
}

// answeredUntil returns the latest possible end of a response that starts at from: the user's next message.
func (c *conversation) answeredUntil(from int) int {
	for from < len(c.items) && (c.items[from].kind != User || c.items[from].has(slotHidden)) {
		from++
	}
	return from
}
