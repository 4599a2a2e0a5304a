// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Level is how close a session is to compaction.
type Level uint8

// The levels, in the order in which a session passes them.
const (
	OK Level = iota
	// Soon is within the agent's own warning distance, or an eighth of the threshold.
	Soon
	// Now is so close that the next request is likely to cross the threshold.
	Now
	// Over is at the threshold or beyond it.
	Over
)

var levelNames = [...]string{"ok", "soon", "now", "over"}

func (l Level) String() string { return levelNames[l] }

// LevelOf returns the Level with a name; ok is false if there is none.
func LevelOf(name string) (Level, bool) {
	for l := OK; l <= Over; l++ {
		if l.String() == name {
			return l, true
		}
	}
	return OK, false
}

// Compaction describes when the agent compacts, and at which threshold.
type Compaction struct {
	Rule, Since, Source              string
	Threshold, Left, Percent, Buffer int64 // Unknown without a threshold
	// ThresholdShare, LeftShare and BufferShare are shares of the window.
	ThresholdShare, LeftShare, BufferShare int64
	Level                                  Level
	// Reached is set above the threshold, because agents that compare strictly compact then. Advised is set earlier, by
	// the margin.
	Reached, Advised     bool
	Landing              *Range // Likely is unused: low and high only
	CallsLeft, TurnsLeft *Range
	// ForecastFrom is the source of the forecasts, empty for the session itself.
	ForecastFrom Text
	// ThresholdFrom explains the threshold's source and what it overrules, empty if it is the rule's. Sources are all its
	// sources, in their order.
	ThresholdFrom Text
	Sources       []ThresholdSource
	Moved         *ThresholdMove // the last change of the threshold; nil without one
	// Hint describes the next event in a few words: the compaction, or the full window if there is no threshold.
	Hint Text
	// Count is how often the session was compacted, and Last the last time; nil before the first.
	Count int64
	Last  *Verdict
}

// compaction fills the compaction of a Reading. predicted is the size of the next request, also in provider mode.
func (s *Session) compaction(l Limits, r *Reading, p *prediction, predicted int64) {
	out := &r.Compaction
	*out = Compaction{
		Rule: s.rule.Name, Since: s.rule.Since, Source: s.rule.Source,
		Threshold: s.threshold(l), Left: Unknown, Percent: Unknown, Buffer: Unknown, Count: s.history.compactions, Last: s.readVerdict(r),
	}
	silent := r.Mode == ProviderOnly && p.basis == BasisUnknown
	if out.Threshold != Unknown {
		adjust := s.thresholdAdjust(out.Threshold, p)
		out.ThresholdFrom, out.Sources = s.thresholdSources(l, r, adjust)
		out.Threshold -= adjust.dropped + adjust.estimate
	}
	edge := r.mostUsed()
	if edge == Unknown || out.Threshold != Unknown && out.Threshold < edge {
		edge = out.Threshold
	}
	if out.Threshold != Unknown {
		out.Threshold = edge
		out.Left = out.Threshold - r.Used
		out.Percent = hundredths(r.Used, out.Threshold)
		if r.Limit > 0 {
			out.Buffer = max(r.Limit-out.Threshold, 0)
		}
	}
	refused := s.requests.refuses(predicted)
	if refused {
		out.Level, out.Advised = Over, s.worthCompacting() && !s.rule.Unadvised
	}
	if edge == Unknown || silent {
		return
	}
	if !refused {
		out.Level = s.level(l, r.Used, edge)
	}
	var known bool
	if r.storage.landing, known = s.landing(l, r); known {
		out.Landing = &r.storage.landing
	}
	left := edge - r.Used
	if r.storage.calls, known = s.callsLeft(left); known {
		out.CallsLeft = &r.storage.calls
		if left > 0 && s.fromEarlier() {
			out.ForecastFrom = phrase.AsEarlierSessions.Text()
		}
		if r.storage.turns, known = s.turnsLeft(r.storage.calls); known {
			out.TurnsLeft = &r.storage.turns
		}
	}
	out.Reached = out.Threshold != Unknown && r.Used > out.Threshold
	from := Now
	if out.Threshold == Unknown {
		from = Over
	}
	out.Advised = out.Level >= from && s.worthCompacting() && !s.rule.Unadvised
}

// thresholdAdjust returns how much earlier than at a threshold the agent compacts, because it counts differently.
func (s *Session) thresholdAdjust(threshold int64, p *prediction) (a thresholdAdjust) {
	if s.rule.CountsDropped {
		a.dropped = min(s.droppedReasoning(), threshold)
		threshold -= a.dropped
	}
	if own := s.changes.ownEstimate; own > 0 && s.anchor() != nil {
		if recorded := s.recorded(p); recorded.used >= threshold/4*3 {
			// The agent estimates the new items, and compares that with its threshold. Far below the threshold, the
			// difference is unknown.
			most := threshold / 20
			a.estimate = min(max(own-recorded.fresh, -most), most)
		}
	}
	return a
}

// recorded returns the prediction without the draft, which no estimate of the agent includes.
func (s *Session) recorded(p *prediction) prediction {
	if d := &s.conversation.draft; d.has(slotRemoved) || d.tokens == 0 {
		return *p
	}
	return s.predict(&s.conversation.pending, nil, s.calibration.mode)
}

// setHint sets the hint: the forecast of the requests until the next event, or the tokens left if there is no forecast.
// It must run after display because it uses its strings. past is the rule's own hint past the threshold.
func (r *Reading) setHint(past phrase.ID) {
	c := &r.Compaction
	edge, left := c.Threshold, r.Display.Left
	now, one, several, many, tokens := phrase.CompactsNow, phrase.CompactsInOne, phrase.CompactsIn, phrase.CompactsInMany, phrase.CompactsLeft
	if past != "" {
		now = past
	}
	if edge == Unknown {
		edge, left = r.mostUsed(), r.Display.Free
		now, one, several, many, tokens = phrase.Full, phrase.FullInOne, phrase.FullIn, phrase.FullInMany, phrase.FullLeft
	}
	args := r.storage.hint[:]
	switch {
	case r.Mode == ProviderOnly && r.Basis == BasisUnknown || edge == Unknown && c.Level != Over:
	case c.Level == Over || r.Used >= edge:
		c.Hint = now.Text()
	case c.CallsLeft == nil:
		args[0] = phrase.Tokens(left)
		c.Hint = tokens.Text(args...)
	case c.CallsLeft.Likely <= 1:
		c.Hint = one.Text()
	case c.CallsLeft.many():
		args[0] = phrase.Count(MostShown)
		c.Hint = many.Text(args...)
	default:
		args[0] = phrase.Count(c.CallsLeft.Likely)
		c.Hint = several.Text(args...)
	}
}

// mostUsed returns the largest prompt that leaves the reserve free. A provider refuses a larger one, so no threshold is
// beyond it. It is Unknown without a limit.
func (r *Reading) mostUsed() int64 {
	if r.storage.accepted <= 0 {
		return Unknown
	}
	return max(r.storage.accepted-r.Reserve, 0)
}

// thresholdWarning returns a warning if the rule's threshold is beyond the largest prompt, otherwise an empty text.
func (s *Session) thresholdWarning(l Limits, r *Reading) Text {
	threshold, most := s.rule.threshold(l), r.mostUsed()
	if most == Unknown || threshold <= most || threshold != s.threshold(l) {
		return Text{}
	}
	return phrase.BeyondLimit.Text(phrase.Count(threshold), phrase.Count(most))
}

// droppedReasoning returns how much more reasoning the agent counts than is sent: that of earlier turns, and what
// precedes the last message to the agent in this one.
func (s *Session) droppedReasoning() int64 {
	dropped := s.turn.dropped
	dropped.add(s.turn.cut)
	if r := s.anchor(); r != nil && s.reasoningLeaves(s.calibration.mode) {
		dropped.add(s.turn.reasoning)
		dropped.add(reasoningSum{s.reasoningOf(r, &s.conversation.pending), int64(s.conversation.pending.replyReasoningItems)})
	} else if now := s.reasoningInTurn(); s.turn.again.items > 0 {
		dropped.add(reasoningSum{min(s.turn.again.tokens, now.tokens), min(s.turn.again.items, now.items)})
	}
	return dropped.tokens + dropped.items*s.rule.DroppedItem
}

// soonest is the share of the threshold, an eighth, below which a level warns at most.
const soonest = 8

func (s *Session) level(l Limits, used, edge int64) Level {
	margin := s.nowMargin(l, edge)
	warning := s.rule.Warning
	if warning <= 0 {
		warning = min(edge/soonest, 50_000)
	}
	switch {
	case used >= edge:
		return Over
	case used >= edge-margin:
		return Now
	case used >= edge-warning:
		return Soon
	}
	return OK
}

// worthCompacting reports whether there is history to summarize. A first prompt has none, however large it is.
func (s *Session) worthCompacting() bool {
	if s.requests.measured() == nil && s.history.compactions == 0 {
		return s.hasReplies()
	}
	return true
}

func (s *Session) hasReplies() bool {
	for k := Assistant; k <= Reasoning; k++ {
		if s.conversation.rows.tokens[k] > 0 || s.conversation.pending.rows[k] > 0 || s.conversation.pending.reply[k] > 0 {
			return true
		}
	}
	return len(s.requests.list) > 0
}

// landing returns how full the window will be after a compaction: by the rule's own target; otherwise as after this
// session's last compaction; otherwise as after those of earlier sessions; otherwise the size of the first prompt plus
// a summary. Unless the rule has a target, the range is for a compaction now and no larger than the current size. known
// is false if there is no estimate, or if a compaction would free nothing.
func (s *Session) landing(l Limits, r *Reading) (_ Range, known bool) {
	if t := s.rule.target(l); t != Unknown {
		return Range{t, t, t}, true
	}
	low, high, from := s.rule.SummaryLow, s.rule.SummaryHigh, s.residual.first.in
	if last := s.residual.afterCompaction.in; last != Unknown {
		// A session's compactions are much alike.
		around := max((high-low)/3, last/10)
		return atMost(Range{last - min(around, last/2), last, last + around}, r.Used)
	}
	if last := s.earlier.landing; last > 0 {
		around := max((high-low)/3, last/10)
		return atMost(Range{last - min(around, last/2), last, last + around}, r.Used)
	}
	if s.residual.first.in == Unknown {
		return Range{}, false
	}
	if high <= 0 {
		low, high, from = 2000, 12_000, s.fixedOnly()
	}
	from = min(from, r.Used)
	return atMost(Range{from + low, from + (low+high)/2, from + high}, r.Used)
}

// landingNow returns the size after a compaction now, or nil if it is unknown.
func (s *Session) landingNow() *Range {
	l, _ := s.Limits()
	r := Reading{Used: s.predictNext().used}
	if landing, known := s.landing(l, &r); known {
		return &landing
	}
	return nil
}

// fixedOnly returns the size of a prompt without a conversation: the fixed rows and the residual of the first prompt.
func (s *Session) fixedOnly() int64 {
	hidden := max(s.residual.first.hidden, 0)
	if s.residual.conversationAll(&s.fixed) {
		hidden = 0
	}
	return hidden + sumRows(&s.fixed.now) - s.fixed.now[Documents]
}

// atMost limits a size after compaction to the current one; frees is false if nothing would be freed.
func atMost(l Range, used int64) (_ Range, frees bool) {
	return Range{l.Low, min(l.Likely, used), min(l.High, used)}, l.Low < used
}
