// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Schema names the shape of a Reading on the wire.
const Schema = "ctx.reading/3"

// Reading is everything that front ends show of a session, already decided. Unknown numbers are Unknown; percentages
// are in hundredths of a percent.
type Reading struct {
	*Identity
	Mode    Mode
	Basis   Basis
	Pending bool
	// Activity is the agent's activity, WaitingFor the reply or approval that it waits for, and Since the time when
	// that began.
	Activity   Activity
	WaitingFor string
	Since      int64

	Used, Low, High, Limit, Free, Reserve, Percent int64
	// Assumed is the part of Used that was neither measured nor appended.
	Assumed     int64
	FreeShare   int64 // share of the window
	LimitSource LimitSource
	// RangeCause explains why Low and High are far apart, if the cause cannot be predicted.
	RangeCause Text

	LastRequest *LastRequest // nil before the first request
	Leaving     Leaving
	New         NewItems
	Breakdown   []Row
	Servers     []Server // MCP servers, the largest first
	Largest     []Largest
	Compaction  Compaction
	Advice      []Advice
	Accuracy    Accuracy
	Spent       Spent
	Back        *Back      // the cost of returning; nil if the records do not show how long the cache is kept
	Breaks      *Breaks    // requests that broke the cache; nil without any
	NextBreak   *NextBreak // the break that the next request is expected to cause; nil without any
	Warnings    []Text
	AsOf        int64
	AgentOwn    *AgentPercent // nil if the agent prints no number of its own
	AgentCounts Text          // the agent's own count of its window
	WholeWindow Text          // usage of the model's whole window, if the agent uses only a part of it
	Unmeasured  Text          // provider mode: the reason for a missing percentage, in two or three words
	Display     Display

	storage storage
}

// storage holds the targets of a Reading's pointers, and its buffers, so that reading into the same Reading again
// allocates almost nothing (BenchmarkUpdate).
type storage struct {
	last                  LastRequest
	miss                  Miss
	own                   AgentPercent
	landing, calls, turns Range
	verdict               Verdict
	back                  Back
	breaks                Breaks
	moved                 ThresholdMove
	nextBreak             NextBreak
	printed               []byte
	hint                  [1]phrase.Arg
	accepted              int64  // the largest prompt that the provider accepts; Unknown without a limit
	misfit                misfit // the sources of the prefix that do not fit
	part                  bool   // the number is only a part of the prompt
	reportedAt            int64  // when the agent reported the number; 0 if its records show it, or if unknown
	old                   bool   // the number is older than what the agent has written, or than what was saved
}

// LastRequest is the last measured prompt, and the part of its response that the next prompt carries.
type LastRequest struct {
	In, Percent, CacheRead, CacheWrite, Out, Reasoning, Carry int64
	CarryBasis                                                Basis
}

// Leaving is the part of the last prompt that will not be sent again.
type Leaving struct {
	Tokens  int64
	Reasons []LeavingReason
}

// LeavingReason is one reason and its tokens.
type LeavingReason struct {
	Reason Text
	Tokens int64
}

// NewItems are the items appended after the last measured prompt.
type NewItems struct {
	Tokens int64
	Items  int
	Basis  Basis
}

// Row is one line of the breakdown. Rows that are not deferred sum to Used.
type Row struct {
	Kind     Kind
	Label    Text
	Tokens   int64
	Share    int64 // share of the window; Unknown for a deferred row
	Bar      int64 // length relative to the largest row
	Basis    Basis
	Deferred bool
}

// Accuracy is the session's own record of its predictions.
type Accuracy struct {
	Last                                *Miss // nil before the first step
	Ratio                               int64 // hundredths
	MedianTokens, P95Tokens, P95Percent int64 // Unknown before the first step
	Steps                               int64
}

// Miss is the error of one prediction. Error is positive if the prediction was too high.
type Miss struct {
	Predicted, Actual, Error, Percent int64
	Cause                             Text
}

// Reading returns the numbers and texts that all front ends show.
func (s *Session) Reading() Reading {
	out := &Reading{}
	s.Read(s.Mode, out)
	return *out
}

// Read fills out like Reading, in a mode that may differ from the session's own. It reuses the memory of out and
// overwrites the contents of its slices.
func (s *Session) Read(mode Mode, out *Reading) {
	out.Identity, out.Mode, out.Spent, out.AsOf = &s.Identity, mode, s.history.spent, s.now
	limits, _ := s.Limits()
	out.Limit, out.LimitSource = s.shownLimit()
	out.storage.accepted = limits.limit()
	out.Reserve = s.reserve(limits)
	out.Pending = s.isPending()
	out.Activity, out.WaitingFor, out.Since = s.activity.now, s.activity.nowFor, s.activity.since
	s.readAgentOwn(limits, out)
	out.AgentCounts = s.agentCounts

	p := s.predictNext()
	predicted := p.used
	out.Unmeasured = Text{}
	if mode == ProviderOnly {
		p, out.Unmeasured = s.measuredOnly(limits)
	}
	out.Used, out.Basis = p.used, p.basis
	out.Low, out.High, out.RangeCause = s.band(mode, &p)
	s.readPart(out)
	s.readUnreadPast(out)
	s.readLastRequest(&p, out)
	s.readLeaving(&p, &out.Leaving)
	out.New = NewItems{p.fresh, p.items, p.freshBasis}
	out.Assumed = out.Used + out.Leaving.Tokens - out.New.Tokens
	if last := out.LastRequest; last != nil {
		out.Assumed -= last.In + last.Carry
	}
	out.Percent, out.Free = Unknown, Unknown
	if out.Limit > 0 {
		out.Percent = hundredths(out.Used, out.Limit)
		out.Free = out.Limit - out.Used - out.Reserve
	} else if mode == ProviderOnly {
		out.Percent = 0 // Unmeasured says why
	}

	scaled := s.breakdown(&p, out)
	out.Largest = s.largest(largestShown, out.Limit, out.Largest[:0])
	s.readServers(out)
	s.compaction(limits, out, &p, predicted)
	s.readMoved(out)
	out.shares()
	s.readBack(out)
	s.readBreaks(out)
	s.readNextBreak(out)
	s.readAccuracy(out)
	out.Advice = s.advice(out, out.Advice[:0])
	out.Warnings, out.storage.old = s.outdated(out.Warnings[:0])
	if out.storage.reportedAt = 0; s.unread.reported > 0 {
		out.storage.reportedAt = s.unread.reportedAt
	}
	out.Warnings = s.warnings.sentences(s.modelNotes(out, out.Warnings))
	out.Warnings = s.unknownNames(out, out.Warnings)
	out.Warnings = s.limitNotes(out, out.Warnings)
	if beyond := s.thresholdWarning(limits, out); !beyond.Empty() {
		out.Warnings = append(out.Warnings, beyond)
	}
	if scaled != 100 {
		out.Warnings = append(out.Warnings, phrase.Scaled.Text(phrase.Count(scaled)))
	}
	out.Warnings = out.storage.misfit.sentences(out.Warnings)
	out.WholeWindow = s.wholeWindow(limits, out)
	s.display(out)
	out.setHint(s.rule.Past)
}

// measuredOnly returns the prediction of provider mode: the prompt of the last request. The prediction is empty before
// the first report and after a restore; why gives that reason, or that the window is unknown.
func (s *Session) measuredOnly(limits Limits) (p prediction, why Text) {
	p = prediction{basis: BasisUnknown, freshBasis: Counted}
	r := s.shownRequest(ProviderOnly)
	switch {
	case s.requests.restored:
		return p, phrase.RestoredSince.Text()
	case r == nil && s.history.compactions > 0:
		return p, phrase.CompactedSince.Text()
	case r == nil:
		return p, phrase.NotMeasuredYet.Text()
	}
	p.used, p.in, p.basis, p.carryBasis = r.in, r.in, Measured, Measured
	if r.has(requestLowerBound) || s.requests.remodeled {
		p.basis = Estimated // the new model may count the prompt differently
	}
	if limits.limit() <= 0 {
		why = phrase.WindowUnknown.Text()
	}
	return p, why
}

// shownRequest returns the request that a Reading describes, or nil. In provider mode, it must have an unambiguous size
// and be newer than any restore.
func (s *Session) shownRequest(mode Mode) *request {
	if mode != ProviderOnly {
		return s.requests.shown()
	}
	if s.requests.restored {
		return nil
	}
	return s.requests.trusted()
}

// isPending reports whether a request is outstanding.
func (s *Session) isPending() bool {
	if s.turn.phase.awaiting() || s.conversation.pending.items > 0 && len(s.conversation.items) > s.conversation.unawaited {
		return true
	}
	last := s.anchor()
	return last != nil && last.has(requestPartial)
}

func (s *Session) readLastRequest(p *prediction, out *Reading) {
	out.LastRequest = nil
	r := s.shownRequest(out.Mode)
	if r == nil || out.Mode == ProviderOnly && s.requests.restored {
		return
	}
	last := &out.storage.last
	*last = LastRequest{
		In: r.in, Percent: Unknown, CacheRead: r.cacheRead, CacheWrite: r.cacheWrite,
		Out: r.out, Reasoning: r.reasoning,
	}
	if out.Limit > 0 {
		last.Percent = hundredths(r.in, out.Limit)
	}
	if r == s.anchor() {
		last.Carry, last.CarryBasis = p.carry, p.carryBasis
	}
	out.LastRequest = last
}

func (s *Session) readLeaving(p *prediction, out *Leaving) {
	out.Tokens, out.Reasons = p.leaving, out.Reasons[:0]
	if p.leaving == 0 {
		return
	}
	rest := p.leaving // no more can leave than the total
	add := func(why Text, n int64) {
		n = min(n, rest)
		if n > 0 {
			rest -= n
			out.Reasons = append(out.Reasons, LeavingReason{why, n})
		}
	}
	add(phrase.LeavesInflated.Text(), s.inflationLeaving())
	add(phrase.LeavesReturned.Text(), s.returnedLeaving(s.calibration.mode))
	_, shorter := s.modelShift()
	add(phrase.LeavesModel.Text(), shorter)
	if s.reasoningLeaves(s.calibration.mode) {
		add(phrase.LeavesTurn.Text(), s.turn.reasoning.tokens)
	}
	for _, r := range s.changes.leaving {
		add(r.why, r.amount)
	}
	for k := System; k < Summary; k++ {
		if leaving, _ := s.fixed.change(k); leaving > 0 && k == Documents {
			add(phrase.LeavesDocuments.Text(), leaving)
		} else if leaving > 0 {
			add(phrase.Removed.Text(rowLabels[k].Arg()), leaving)
		}
	}
}

func (s *Session) readAccuracy(out *Reading) {
	ratio, record := &s.calibration.ratio, &s.calibration.record
	a := &out.Accuracy
	*a = Accuracy{
		Ratio:        mulDiv(ratio.actual, 100, max(ratio.estimated, 1)),
		MedianTokens: Unknown, P95Tokens: Unknown, P95Percent: Unknown, Steps: record.steps,
	}
	if record.any {
		miss, percent := record.last.Error()
		out.storage.miss = Miss{record.last.Predicted, record.last.Actual, miss, percent, record.cause}
		a.Last = &out.storage.miss
	}
	if record.steps > 0 {
		a.MedianTokens, a.P95Tokens, a.P95Percent = record.median, record.p95, record.p95Share
	}
}

// reserve returns the output reserve: the user's, otherwise the one of a refused request, otherwise the rule's. It is 0
// if prompt and response do not share a window.
func (s *Session) reserve(l Limits) int64 {
	if l.limit() <= 0 {
		return 0
	}
	if s.Reserve != Unknown {
		return s.Reserve
	}
	if !l.shared() {
		return 0
	}
	if n := s.limits.refusedOutput; n > 0 {
		return n
	}
	if s.rule.OutputCap > 0 {
		return outputRoom(l.Output, s.rule.OutputCap)
	}
	return 0
}
