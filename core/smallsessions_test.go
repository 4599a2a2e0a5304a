// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand/v2"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// manyMeter is the resolver of small sessions: each model has another density, other limits and another mode.
type manyMeter struct{ denseMeter }

func (manyMeter) Step(st Step) int64 { return int64(min(st.Results, 2) - min(st.ReasoningItems, 1)) }

type many struct{ window int64 }

func (m many) Resolve(model, provider, route string) Resolved {
	out := plain{}.Resolve(model, provider, route)
	if provider == "odd" {
		out.UnknownProvider, out.Similar = Named("an unknown provider"), model == "two"
	}
	switch model {
	case "one":
		out.Meter, out.Limits = manyMeter{denseMeter{density: 1000}}, Limits{m.window, Unknown, 3}
	case "two":
		out.Meter, out.Limits, out.Reasoning = manyMeter{denseMeter{density: 1300}}, Limits{m.window, m.window - 2, 0}, ReasoningNever
		out.Larger = Limits{2 * m.window, Unknown, 3}
	case "three":
		out.Limits, out.Reasoning = Limits{m.window / 2, Unknown, Unknown}, ReasoningAlways
		out.CountNote, out.LimitsNote = Named("an estimate"), Named("limits of another model")
	default:
		out.UnknownModel = Named("an unknown model")
	}
	return out
}

// rule makes a rule with few of its fields set.
func (r events) rule(window int64) Rule {
	sometimes := func(n int64) int64 {
		if r.once(3) {
			return r.Int64N(n)
		}
		return 0
	}
	rule := Rule{
		Reserve: sometimes(500), OfWindow: r.once(3), Below: sometimes(500), OutputCap: sometimes(300), Warning: sometimes(400), Margin: sometimes(300),
		Target: sometimes(1000), TargetTokens: sometimes(900), SummaryLow: r.Int64N(4), FirstMost: sometimes(2000), FirstUsual: r.Int64N(9), CountsDropped: r.once(3),
		DroppedItem: r.Int64N(3), ComparesMeasured: r.once(2), CompactedReads: r.once(2), Window: sometimes(9000), Usual: sometimes(9000), Growth: sometimes(300),
		ToolsUnrecorded: r.once(4), Hard: r.once(8), Unadvised: r.once(8), Commands: Commands{Agent: r.once(2), Compact: "/compact", New: "/new", ServerOff: "/mcp"},
		Idle: IdleCompaction{Share: 10 * r.Int64N(11), Least: r.Int64N(30), Life: 60_000 * r.Int64N(6)},
	}
	rule.SummaryHigh = rule.SummaryLow + r.Int64N(4)
	switch r.IntN(4) {
	case 0:
		rule.Percent = 100 * r.Rand.Int64N(101)
	case 1:
		rule.Threshold = r.Rand.Int64N(window + 3)
	case 2:
		rule.Percent, rule.Threshold = 9000, window*8/10
	}
	if r.once(2) {
		rule.First = FirstPrompt{
			Tools: Unrecorded{Usual: r.Int64N(5), Most: 3 + r.Int64N(9)}, Memory: Unrecorded{Usual: r.Int64N(5), Most: 3 + r.Int64N(9)},
			SystemRecorded: r.once(2), Hidden: r.once(3), ToolsHidden: r.once(3),
		}
	}
	if r.once(3) {
		own := rule
		own.Sources = nil
		rule.Sources = []RuleSource{{Kind: ThresholdSourceKind(r.IntN(int(thresholdSourceKinds))), Setting: "limit", Value: "9", Rule: &own}}
	}
	for _, o := range []Occasion{WithResults, WithMessage, AtResume, AtCompaction} {
		if r.once(2) {
			rule.Unseen[o] = phrase.Reminders
		}
	}
	if r.once(3) {
		rule.AfterCache, rule.AfterSystem = phrase.MemoryAndGit, phrase.MemoryUnrecorded
		rule.Spread = Spread{r.Int64N(900), r.Int64N(900), r.Int64N(900), r.Int64N(900), r.Int64N(900), r.Int64N(900)}
	}
	if r.once(4) {
		rule.Prints, rule.PrintsAs = func(in, out int64, l Limits) int64 { return hundredths(in+out, l.limit()) }, Named("own")
	}
	return rule
}

// passing makes a pause: none, the bounds of what counts as one, or hours.
func (r events) passing(s *Session) At {
	pauses := []int64{0, 1, 999, 1000, 4999, 5000, 59_999, 60_000, 299_999, 300_000, 300_001, 600_000, 3_599_999, 3_600_000, 3_600_001, 90_000_000}
	return At{max(s.now, 0) + pauses[r.IntN(len(pauses))]}
}

// unusual makes events that next and rare do not make.
func (r events) unusual(s *Session) Event {
	switch r.IntN(21) {
	case 0:
		return Inserted{r.IntN(s.Len() + 2), r.item(), r.once(2)}
	case 1:
		return DroppedOldest{r.IntN(s.Len() + 2)}
	case 2:
		return OwnEstimate{r.Int64N(500)}
	case 3:
		return [...]Event{Steered{r.once(2)}, MessagedByAgent{}}[r.IntN(2)]
	case 4:
		return BegunBefore{}
	case 5:
		c := Compacted{
			Auto: r.once(2), Recorded: r.once(2), Reported: r.once(4), Kept: r.IntN(min(3, s.Len()+1)), Tokens: r.some(900), Before: r.some(3000),
			Carried: r.Int64N(200), Reattached: r.Int64N(200), AgainMost: r.Int64N(300), Bare: r.once(2),
		}
		for i := range s.Len() - c.Kept {
			if r.once(4) {
				c.Remaining = append(c.Remaining, i)
			} else if r.once(4) {
				c.Again = append(c.Again, i)
			}
		}
		if r.once(2) {
			summary := r.item()
			c.Summary = &summary
		}
		if r.once(3) {
			c.Head = []Appended{{r.item()}}
		}
		return c
	case 6:
		limit, _ := s.Limits()
		used := s.Reading().Used
		return Overflowed{used + r.some(300), r.some(300), []int64{limit.limit() - r.Int64N(300), used - r.Int64N(300), Unknown}[r.IntN(3)], LimitKind(r.IntN(3)), Exactness(r.IntN(3)), Named(""), r.once(2)}
	case 7:
		it := r.item()
		it.Kind, it.Name, it.Assumed = ToolCalls, "mcp__files__read", r.once(2)
		it.Opaque, it.Parameters, it.Wrapping, it.Error = r.Int64N(200), r.some(100), r.Int64N(200)-1, r.once(3)
		it.Answers = r.IntN(s.Len() + 2)
		return Appended{it}
	case 8:
		return Synced{Items: []Appended{{r.item()}, {r.item()}}}
	case 9:
		e := PrefixKnown{Source: PrefixSource(r.IntN(int(prefixSources))), Kind: System + Kind(r.IntN(int(Summary-System))), Sent: r.once(3)}
		for range r.IntN(3) {
			e.Parts = append(e.Parts, PrefixPart{
				Part: Part{Label: Named([]string{"a", "b", "c"}[r.IntN(3)]), Tokens: r.Int64N(500)}, Cached: Cached(r.IntN(int(cachedKinds))), Optional: r.once(3),
				Reference: r.once(3), Former: r.once(3),
			})
		}
		return e
	case 10:
		window := s.resolved.Limits.Window
		return LimitsKnown{Limits{window + r.some(300), window - r.some(300), r.some(300)}, FromRegistry + LimitSource(r.IntN(int(limitSources)-1))}
	case 11:
		return RuleSet{r.rule(s.resolved.Limits.Window)}
	case 12:
		return TurnEnded{}
	case 13:
		return ActivitySeen{Activity(r.IntN(int(activities))), []string{ForPrompt, ForApproval, ""}[r.IntN(3)], r.some(9000)}
	case 14:
		return ProcessEnded{Certain: r.once(2), Runs: r.once(3)}
	case 15:
		return ModelSet{Model: []string{"one", "two", "three", ""}[r.IntN(4)], Provider: []string{"", "odd"}[r.IntN(2)]}
	case 16:
		return Appended{Item{Kind: Media, Tokens: r.Int64N(300)}}
	case 17, 18, 19: // an item that grows or shrinks
		if s.Len() > 0 {
			i := r.IntN(s.Len())
			old := s.conversation.items[i]
			it := Item{Kind: old.kind, Tokens: max(int64(old.tokens)+r.Int64N(300)-r.Int64N(200), 0), Hidden: old.has(slotHidden), NotReply: old.has(slotNotReply)}
			if old.kind == ToolResults {
				it.Name, it.Answers = "Read", i
			}
			if r.once(3) {
				s.Apply(Replaced{i, it, Named("edited")})
				return Truncated{s.Len() - r.IntN(min(4, s.Len()))}
			}
			return Replaced{i, it, Named("edited")}
		}
	}
	return r.passing(s)
}

// exchange applies the events of one request whose prompt is about as predicted.
func (r events) exchange(s *Session) []Event {
	m := measured(max(s.predictNext().used+r.Int64N(200)-r.Int64N(200)*r.Rand.Int64N(2), 0), r.Int64N(300))
	m.Reasoning = min(m.Out, r.some(200))
	m.CacheRead, m.CacheWrite = r.Rand.Int64N(m.In+1), r.Int64N(200)
	m.CacheLife = []int64{0, 300_000, 3_600_000}[r.IntN(3)]
	m.OutPlaceholder, m.ServerTools, m.ServerStays = r.once(12), r.once(12), r.once(2)
	reply := Item{Kind: Assistant, Text: make([]byte, r.Rand.Int64N(4*m.Out+4)), Tokens: Unknown}
	events := []Event{m, Appended{reply}}
	if r.once(2) {
		events = []Event{Appended{reply}, m}
	}
	if m.Reasoning > 0 && r.once(2) {
		events = append(events, Appended{Item{Kind: Reasoning, Tokens: r.Int64N(200), Opaque: r.Int64N(300)}})
	}
	for range r.IntN(3) {
		name := []string{"Read", "mcp__files__read", "mcp__web__fetch"}[r.IntN(3)]
		about := Subject{What: SubjectKind(r.IntN(int(subjectKinds))), Name: []string{"/w/a.go", "b.go"}[r.IntN(2)]}
		events = append(events, Appended{Item{Kind: ToolCalls, Tokens: r.Int64N(300), Name: name, About: about}},
			Appended{Item{Kind: ToolResults, Text: make([]byte, r.Int64N(4000)), Tokens: Unknown, Name: name}})
	}
	for _, e := range events {
		s.Apply(e)
	}
	return events
}

// advance applies the next events of a small session.
func (r events) advance(s *Session) any {
	apply := func(e Event) any {
		s.Apply(e)
		return e
	}
	threshold := s.Reading().Compaction.Threshold
	switch {
	case threshold != Unknown && s.Reading().Used > threshold && r.once(2):
		return apply(Compacted{Auto: true, Recorded: r.once(2), Kept: r.IntN(min(3, s.Len()+1)), Summary: &Item{Tokens: r.Int64N(400)}, Tokens: Unknown, Before: Unknown})
	case r.once(8):
		return apply(r.unusual(s))
	case r.once(14):
		return apply(r.rare(s))
	case r.once(14):
		return apply(r.next(s))
	case r.once(6):
		return apply(r.passing(s))
	case r.once(4):
		apply(TurnStarted{})
		return apply(Appended{Item{Kind: User, Tokens: r.Int64N(400)}})
	case r.once(12):
		return apply(TurnEnded{})
	}
	return r.exchange(s)
}

// A habit is a way in which an agent or a provider differs from the records.
type habit struct {
	twoWays         bool  // the provider counts some prompts a twelfth longer
	rounds          bool  // the provider rounds reasoning down
	perResult       int64 // sent around each tool result without a record
	perMessage      int64 // sent with each message of the user
	afterCompaction int64 // sent again from the second request after a compaction on
	keepsReasoning  bool  // some reasoning is sent again in the next turn
	returns         bool  // all reasoning comes back after some turns
	upstreams       bool  // the router changes the upstream, which counts otherwise
	streams         bool  // the provider reports parts of a response
	reads           int64 // what the first request reads from the cache
	documents       int64 // come with most turns
}

func (r events) habit() habit {
	h := habit{twoWays: r.once(3), rounds: r.once(4), keepsReasoning: r.once(2), returns: r.once(3), upstreams: r.once(4), streams: r.once(3)}
	for _, n := range []*int64{&h.perResult, &h.perMessage, &h.afterCompaction, &h.reads, &h.documents} {
		if r.once(2) {
			*n = 10 * r.Int64N(90)
		}
	}
	return h
}

// turn plays a turn of an agent with a habit. What is hidden in every prompt grows.
func (r events) turn(s *Session, h habit, hidden *int64) []Event {
	var list []Event
	apply := func(e Event) {
		s.Apply(e)
		list = append(list, e)
	}
	for range 1 + r.IntN(3) {
		apply(r.passing(s))
	}
	apply(TurnStarted{})
	if last := s.anchor(); h.returns && last != nil && r.once(3) {
		if r.once(2) {
			apply(Resumed{r.once(2)})
		}
		*hidden += s.turn.dropped.tokens + s.turn.reasoning.tokens + max(last.reasoning, 0)
	}
	documents := func() {
		apply(ContextSet{Documents, []Part{{Label: Named("a.go"), Tokens: h.documents + r.Int64N(3)}}})
	}
	switch {
	case h.documents > 0 && !r.once(4):
		documents()
	case r.once(6):
		apply(ContextSet{Kind: Documents})
	}
	if r.once(12) {
		apply(ModelSet{Model: []string{"one", "two"}[r.IntN(2)], Provider: s.Provider})
	}
	apply(Appended{Item{Kind: User, Tokens: 20 + r.Int64N(400)}})
	*hidden += h.perMessage
	for range 1 + r.IntN(5) {
		in := s.predictNext().used + *hidden
		*hidden = 0
		if h.twoWays && r.once(6) {
			in += in / 12
		}
		if h.upstreams {
			if r.once(4) {
				apply(ModelSet{Model: s.Model, Provider: []string{"first", "second", "third"}[r.IntN(3)]})
			}
			in += map[string]int64{"second": in / 30, "third": -in / 40}[s.Provider]
		}
		calls, text, thought := r.Int64N(3), 100+r.Int64N(900), r.Int64N(3)*r.Int64N(300)
		m := measured(in, text+30*calls+thought)
		m.Reasoning = thought
		if h.rounds {
			m.Reasoning -= thought % 64
		}
		if h.keepsReasoning && r.once(3) {
			*hidden += m.Reasoning
		}
		m.CacheRead, m.CacheWrite, m.CacheLife = min(max(h.reads, in*9/10), in), in/10, 300_000
		if len(s.requests.list) == 0 {
			m.CacheRead = h.reads
		}
		if h.streams {
			m.KeptLong = r.Int64N(m.CacheWrite + 1)
			part := m
			for _, n := range []*int64{&part.KeptLong, &part.CacheRead, &m.CacheRead, &m.CacheWrite, &m.Reasoning} {
				if r.once(6) {
					*n = Unknown
				}
			}
			m.Request, part.Request, part.Partial, part.Out, part.Reasoning = itoa(s.history.spent.Calls), itoa(s.history.spent.Calls), true, r.Int64N(m.Out), 0
			apply(part)
		}
		apply(m)
		apply(Appended{Item{Kind: Assistant, Text: make([]byte, 4*text), Tokens: Unknown}})
		for range calls {
			apply(Appended{Item{Kind: ToolCalls, Tokens: 30, Name: "Read"}})
			apply(Appended{Item{Kind: ToolResults, Text: make([]byte, 100+r.IntN(9000)), Tokens: Unknown, Name: "Read"}})
			*hidden += h.perResult
		}
		if threshold := s.Reading().Compaction.Threshold; threshold != Unknown && s.Reading().Used > threshold {
			apply(Compacted{Auto: true, Recorded: r.once(2), Kept: r.IntN(3), Summary: &Item{Tokens: 900}, Tokens: Unknown, Before: Unknown, Bare: h.afterCompaction > 0})
			*hidden += h.afterCompaction
		}
	}
	if h.documents > 0 && r.once(6) {
		documents()
	}
	if r.once(2) {
		apply(TurnEnded{})
	}
	return list
}

// taught is what sessions learn from those before them.
type taught struct {
	lesson Lesson
	lines  LimitsLesson
}

func (t *taught) from(s *Session) {
	if l, ok := s.Lesson(); ok {
		if t.lesson.Session == 0 {
			t.lesson = l
		} else {
			t.lesson.Merge(&l)
		}
	}
	if l, ok := s.LimitsLesson(); ok {
		if t.lines.Last == 0 {
			t.lines = l
		} else {
			t.lines.Merge(&l)
		}
	}
}

func (t *taught) to(s *Session, r events) {
	switch r.IntN(3) {
	case 0:
		s.Learn(&t.lesson)
	case 1:
		s.LearnBase(&t.lesson)
	}
	s.LearnLimits(&t.lines)
}

// begin makes a session with a random rule, the learned corrections, and fixed rows.
func (r events) begin(round int, window int64, earlier *taught) *Session {
	s := New(Identity{ID: itoa(int64(round)), Model: []string{"one", "two", "three", ""}[r.IntN(4)], Agent: "agent", Workspace: "/w"}, many{window})
	s.Recording = true
	if r.once(4) {
		s.Reserve = r.Int64N(300)
	}
	s.Apply(At{3_600_000})
	s.Apply(RuleSet{r.rule(window)})
	if r.once(8) {
		s.FixReasoning(ReasoningMode(r.IntN(int(reasoningModes))))
	}
	earlier.to(s, r)
	for _, kind := range []Kind{System, Tools, Memory} {
		if r.once(3) {
			s.Apply(fixed(kind, r.Int64N(900)))
		}
	}
	return s
}

// TestSmallSessionsShowWhatIsRecorded compares random sessions of few tokens with recorded digests, like
// TestSessionsShowWhatIsRecorded. Each learns from the one before it.
func TestSmallSessionsShowWhatIsRecorded(t *testing.T) {
	var earlier taught
	compareSessions(t, "testdata/small.sum", 300, 50, func(round int) (s *Session, next func() any) {
		r := events{Rand: rand.New(rand.NewPCG(8, uint64(round))), small: true}
		s = r.begin(round, []int64{20, 60, 100, 250, 1000}[r.IntN(5)], &earlier)
		return s, func() any {
			earlier.from(s)
			switch {
			case r.once(60):
				s.ForgetLimits()
			case r.once(60):
				s.ForgetEarlier()
			case r.once(60):
				s.Expect("two")
			}
			return r.advance(s)
		}
	})
}

// TestSessionsWithHabitsShowWhatIsRecorded does the same with agents and providers that differ from the records in a
// regular way, which a session has to learn.
func TestSessionsWithHabitsShowWhatIsRecorded(t *testing.T) {
	var earlier taught
	compareSessions(t, "testdata/habits.sum", 120, 25, func(round int) (s *Session, next func() any) {
		r := events{Rand: rand.New(rand.NewPCG(9, uint64(round)))}
		s = r.begin(round, 20_000+10_000*int64(round%8), &earlier)
		h, hidden := r.habit(), int64(9000)
		if h.rounds {
			s.Apply(ModelSet{Model: "one", Provider: "github-copilot"})
		}
		return s, func() any {
			earlier.from(s)
			if r.once(8) {
				e := r.unusual(s)
				s.Apply(e)
				return e
			}
			return r.turn(s, h, &hidden)
		}
	})
}
