// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

func TestTheThresholdIsTheLowestBoundOfTheRule(t *testing.T) {
	window, split := Limits{200_000, Unknown, 32_000}, Limits{400_000, 272_000, 128_000}
	for _, c := range []struct {
		name   string
		rule   Rule
		limits Limits
		want   int64
	}{
		{"no bound", Rule{}, window, Unknown},
		{"a percentage", Rule{Percent: 7000}, window, 140_000},
		{"a reserve", Rule{Reserve: 33_000}, window, 167_000},
		{"a reserve and a distance below it", Rule{Reserve: 20_000, Below: 13_000}, window, 167_000},
		{"the lower of two", Rule{Percent: 9000, Reserve: 33_000}, window, 167_000},
		{"a number", Rule{Threshold: 100_000, Percent: 9000}, window, 100_000},
		{"a number without a window", Rule{Threshold: 100_000, Percent: 9000}, NoLimits, 100_000},
		{"a percentage without a window", Rule{Percent: 9000}, NoLimits, Unknown},
		{"room for an answer, capped", Rule{OutputCap: 20_000}, window, 180_000},
		{"room for an answer of unknown length", Rule{OutputCap: 20_000}, Limits{200_000, Unknown, Unknown}, 180_000},
		{"an answer with a window of its own", Rule{OutputCap: 20_000}, split, 272_000},
		{"of the largest prompt", Rule{Percent: 5000}, split, 136_000},
		{"of the whole window", Rule{Percent: 5000, OfWindow: true}, split, 200_000},
		{"more kept free than there is", Rule{Reserve: 300_000}, window, 0},
		{"a formula", Rule{Percent: 5000, Formula: func(l Limits) int64 { return l.Window - 7 }}, window, 199_993},
	} {
		if got := c.rule.threshold(c.limits); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestTheTargetIsWhatCompactionLeaves(t *testing.T) {
	for _, c := range []struct {
		rule   Rule
		window int64
		want   int64
	}{
		{Rule{}, 200_000, Unknown},
		{Rule{Target: 50_000}, 200_000, 150_000},
		{Rule{Target: 50_000}, 40_000, 32_000},
		{Rule{Target: 50_000}, Unknown, Unknown},
		{Rule{Target: 50_000, TargetTokens: 9000}, 200_000, 9000},
	} {
		if got := c.rule.target(Limits{c.window, Unknown, Unknown}); got != c.want {
			t.Errorf("%+v of %d: %d, want %d", c.rule, c.window, got, c.want)
		}
	}
}

func TestLevelsRiseTowardsTheThreshold(t *testing.T) {
	s := after()
	for _, c := range []struct {
		rule Rule
		used int64
		want Level
	}{
		{Rule{}, 50_000, OK},
		{Rule{}, 87_500, Soon},
		{Rule{}, 98_000, Now},
		{Rule{}, 100_000, Over},
		{Rule{Warning: 30_000}, 70_000, Soon},
		{Rule{Margin: 20_000}, 80_000, Now},
	} {
		s.rule = c.rule
		if got := s.level(NoLimits, c.used, 100_000); got != c.want {
			t.Errorf("%d of 100000: %v, want %v", c.used, got, c.want)
		}
	}
}

// TestTheLevelIsNowIfTheNextRequestMayReachTheThreshold checks the margin after growths that are larger than the
// rule's.
func TestTheLevelIsNowIfTheNextRequestMayReachTheThreshold(t *testing.T) {
	for _, c := range []struct {
		growths []int64
		used    int64
		want    Level
	}{
		{nil, 97_000, Soon},
		{[]int64{4000}, 97_000, Soon}, // one growth is no history
		{[]int64{4000, 4000}, 95_500, Soon},
		{[]int64{4000, 4000}, 96_000, Now},
		{[]int64{100, 100}, 97_500, Soon},
		{[]int64{100, 100}, 98_000, Now}, // the rule's own margin
		{[]int64{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 6000}, 96_000, Soon}, // one of ten
		{[]int64{90_000, 90_000}, 87_000, OK},
		{[]int64{90_000, 90_000}, 87_500, Now}, // no earlier than soon
	} {
		s := after()
		for _, growth := range c.growths {
			s.history.growth.add(growth)
		}
		if got := s.level(NoLimits, c.used, 100_000); got != c.want {
			t.Errorf("%d of 100000 after growths of %v: %v, want %v", c.used, c.growths, got, c.want)
		}
	}
}

func TestALandingIsNeverAboveWhatIsUsed(t *testing.T) {
	compacted := Compacted{Tokens: Unknown, Before: Unknown}
	for _, c := range []struct {
		name   string
		rule   Rule
		events []Event
		want   Range
		known  bool
	}{
		{"nothing was measured", Rule{Percent: 9000}, nil, Range{}, false},
		{"the rule has a target", Rule{Percent: 9000, TargetTokens: 30_000}, []Event{measured(80_000, 0)}, Range{30_000, 30_000, 30_000}, true},
		{"the first prompt and a summary", Rule{Percent: 9000, SummaryLow: 1000, SummaryHigh: 3000}, []Event{measured(10_000, 0), measured(80_000, 0)}, Range{11_000, 12_000, 13_000}, true},
		{"where the last compaction landed", Rule{Percent: 9000}, []Event{measured(80_000, 0), compacted, measured(20_000, 0), measured(80_000, 0)}, Range{18_000, 20_000, 22_000}, true},
		{"no more than is used", Rule{Percent: 9000, SummaryLow: 1000, SummaryHigh: 30_000}, []Event{measured(10_000, 0), measured(20_000, 0)}, Range{11_000, 20_000, 20_000}, true},
		{"nothing would be freed", Rule{Percent: 9000, SummaryLow: 1000, SummaryHigh: 3000}, []Event{measured(10_000, 0)}, Range{}, false},
	} {
		s := after(append([]Event{RuleSet{c.rule}}, c.events...)...)
		got := s.Reading().Compaction.Landing
		if (got != nil) != c.known || got != nil && *got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAnAgentThatCountsDroppedReasoningCompactsEarlier(t *testing.T) {
	s := after(
		RuleSet{Rule{Threshold: 90_000, CountsDropped: true, DroppedItem: 5}},
		TurnStarted{}, item(User, 50), measured(10_000, 500, reasoning(400)), item(Reasoning, 380), TurnEnded{},
	)
	if threshold := s.Reading().Compaction.Threshold; threshold != 90_000-400-5 {
		t.Errorf("after the turn the threshold is %d", threshold)
	}
	s.Apply(TurnStarted{})
	s.Apply(item(User, 50))
	s.Apply(measured(10_200, 50))
	if threshold := s.Reading().Compaction.Threshold; threshold != 90_000-400-5 {
		t.Errorf("in the next turn the threshold is %d", threshold)
	}
}

func TestForecastsAreOneToSevenAtMost(t *testing.T) {
	before := Range{}
	for tenths := int64(5); tenths < 100_000; tenths = tenths*5/4 + 1 {
		r := forecastRange(tenths)
		if r.Low > r.Likely || r.Likely > r.High || r.Low < 1 || r.High > 7*r.Low {
			t.Errorf("%d tenths: %+v", tenths, r)
		}
		if r.Likely < before.Likely {
			t.Errorf("%d tenths: %+v after %+v", tenths, r, before)
		}
		before = r
	}
}

func TestTurnsLeftAreNoMoreThanCalls(t *testing.T) {
	calls := Range{4, 16, 40}
	for _, c := range []struct {
		name        string
		agent       string
		turns, made int64
		likely      int64
		known       bool
	}{
		{"an agent at its beginning", "claude-code", 0, 0, 1, true},
		{"an agent that works long turns", "claude-code", 10, 300, 1, true},
		{"an agent that answers at once", "claude-code", 100, 100, 9, true},
		{"nobody leads, nothing was said", "", 0, 0, 0, false},
		{"nobody leads", "", 5, 5, 16, true},
	} {
		s := New(Identity{Agent: c.agent}, plain{})
		s.turn.number, s.turn.calls = c.turns, c.made
		for range c.turns {
			s.turn.lengths.add(c.made / c.turns)
		}
		got, known := s.turnsLeft(calls)
		if known != c.known || got.Likely != c.likely || got.High > calls.High || got.Low > got.Likely {
			t.Errorf("%s: %+v, %v", c.name, got, known)
		}
	}
}

func TestALessonIsWhereALaterSessionBegins(t *testing.T) {
	teacher := New(Identity{ID: "a", Agent: "agent", Model: "m"}, plain{})
	if _, ok := teacher.Lesson(); ok {
		t.Error("a session that was not measured teaches")
	}
	teacher.Apply(item(User, 100))
	teacher.Apply(measured(9100, 0))
	lesson, ok := teacher.Lesson()
	if !ok || lesson.Bases[0] != 9000 || lesson.AfterBase != Unknown || lesson.Key != New(Identity{ID: "b", Agent: "agent", Model: "m"}, plain{}).LessonKey() {
		t.Fatalf("%+v", lesson)
	}
	if lesson.Key == New(Identity{Agent: "agent", Model: "m", Parent: "a"}, plain{}).LessonKey() {
		t.Error("a sub-agent begins like its parent")
	}
	for i, base := range []int64{9000, 9400, 9100, 9100, 9100, 50_000} {
		lesson.Merge(&Lesson{Session: uint64(i + 1000), Bases: []int64{base}, AfterBase: 7000, Actual: 4400, Estimated: 4000, Steps: 40, Mode: ReasoningAlways})
	}
	again := lesson
	again.Merge(&Lesson{Session: 1005, Bases: []int64{9200}, AfterBase: Unknown})
	if len(lesson.Bases) != basesKept || lesson.Bases[basesKept-1] != 9200 || again.AfterBase != 7000 || again.Steps != 40 {
		t.Errorf("a session that corrects itself: %+v", again)
	}
	pupil := New(Identity{Agent: "agent", Model: "m"}, plain{})
	pupil.Learn(&lesson)
	if used := pupil.Reading().Used; used != 9100 {
		t.Errorf("begins with %d", used)
	}
	if got := pupil.calibration.scale(1000); got != 1100 || pupil.calibration.mode != ReasoningAlways {
		t.Errorf("1000 estimated are %d, mode %v", got, pupil.calibration.mode)
	}
	teacher.Learn(&lesson)
	if teacher.calibration.mode == ReasoningAlways {
		t.Error("a session that was measured learns of others")
	}
}

// TestEarlierSessionsForecastANewOne checks that the forecast of a session with fewer than three requests uses the
// growth of earlier sessions of its workspace, names that source, and stops using it after three requests. A session's
// own lesson gives no forecast.
func TestEarlierSessionsForecastANewOne(t *testing.T) {
	begin := func(id, model string) *Session {
		s := New(Identity{ID: id, Agent: "claude-code", Model: model, Workspace: "/w"}, plain{})
		s.Apply(RuleSet{Rule{Threshold: 90_000}})
		return s
	}
	teach := func(id string, grows int64) *Lesson {
		s := begin(id, "m")
		for call := range int64(20) {
			if call%2 == 0 {
				s.Apply(TurnStarted{})
			}
			s.Apply(measured(20_000+grows*call, grows))
		}
		l, ok := s.Lesson()
		if !ok {
			t.Fatal("a measured session teaches nothing")
		}
		return &l
	}
	lesson := teach("a", 1_000)
	lesson.Merge(teach("b", 3_000))
	for name, learn := range map[string]func(*Session){
		"of its kind":           func(s *Session) { s.Learn(lesson) },
		"of its workspace only": func(s *Session) { s.LearnBase(lesson) },
	} {
		s := begin("c", "m")
		if c := s.Reading().Compaction; c.CallsLeft != nil || !c.ForecastFrom.Empty() {
			t.Errorf("%s: a session that nothing is known of has %+v", name, c)
		}
		learn(s)
		s.Apply(TurnStarted{})
		c := s.Reading().Compaction
		if c.CallsLeft == nil || c.TurnsLeft == nil || !c.ForecastFrom.Is(phrase.AsEarlierSessions) {
			t.Fatalf("%s: %+v", name, c)
		}
		// About 2,000 tokens a request and two requests a turn; 1.26 times as many requests fit.
		if want := c.Left * 126 / 200_000; distance(c.CallsLeft.Likely, want) > 1 || distance(c.TurnsLeft.Likely*2, want) > want/2 {
			t.Errorf("%s: %d tokens left, %+v requests, %+v turns", name, c.Left, *c.CallsLeft, *c.TurnsLeft)
		}
		for call := range int64(3) {
			s.Apply(measured(20_000+100*call, 0))
		}
		if c := s.Reading().Compaction; c.CallsLeft == nil || !c.ForecastFrom.Empty() {
			t.Errorf("%s: with requests of its own: %+v", name, c)
		}
	}
	same := begin("a", "m")
	same.Learn(teach("a", 1_000))
	if c := same.Reading().Compaction; c.CallsLeft != nil {
		t.Errorf("a session's own lesson forecasts %+v", c)
	}
}

// TestTheAgentsOwnEstimateMovesTheThreshold checks that an agent that estimates new items compacts earlier if its
// estimate is too high, and later if it is too low.
func TestTheAgentsOwnEstimateMovesTheThreshold(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(RuleSet{Rule{Threshold: 100_000}})
	m := NewMetered()
	m.In, m.Out = 90_000, 1_000
	s.Apply(m)
	s.Apply(Appended{Item{Kind: ToolResults, Tokens: 3_000}})
	for own, want := range map[int64]int64{0: 100_000, 3_000: 100_000, 5_000: 98_000, 1_000: 102_000, 90_000: 95_000} {
		s.Apply(OwnEstimate{own})
		if got := s.Reading().Compaction.Threshold; got != want {
			t.Errorf("with an estimate of %d the threshold is %d, want %d", own, got, want)
		}
	}
	s.Apply(OwnEstimate{5_000})
	if got := s.Fit(countedParts(700)).Threshold; got != 98_000 {
		t.Errorf("with text that nobody has sent the threshold is %d", got)
	}
	for _, draft := range []int64{0, 1, 300} {
		s.Apply(Drafted{Item: Item{Kind: User, Tokens: draft}})
		if got := s.Reading().Compaction.Threshold; got != 98_000 {
			t.Errorf("with a draft of %d the threshold is %d", draft, got)
		}
	}
	m.In = 94_000
	s.Apply(m)
	if got := s.Reading().Compaction.Threshold; got != 100_000 {
		t.Errorf("after the next request the threshold is %d", got)
	}
}

// TestWhatTheSecondRequestAfterACompactionBringsIsLearnedOnce checks that listings that come again with that request
// are expected from then on, also in the next session of the workspace.
func TestWhatTheSecondRequestAfterACompactionBringsIsLearnedOnce(t *testing.T) {
	request := func(s *Session, in int64) (predicted int64) {
		s.Apply(Appended{Item{Kind: ToolResults, Tokens: 100}})
		predicted = s.Reading().Used
		m := NewMetered()
		m.In, m.Out = in, 10
		s.Apply(m)
		return predicted
	}
	session := func(l *Lesson) (s *Session, missed [2]int64) {
		s = New(Identity{ID: "s", Agent: "agent", Model: "m"}, plain{})
		if l != nil {
			s.Learn(l)
		}
		request(s, 50_000)
		for i := range missed {
			s.Apply(Compacted{Tokens: Unknown, Before: Unknown})
			request(s, 20_000)
			missed[i] = 23_000 - request(s, 23_000)
			if got := 23_110 - request(s, 23_110); got != 0 {
				t.Errorf("the third request is missed by %d", got)
			}
		}
		return s, missed
	}
	s, missed := session(nil)
	if missed != [2]int64{2_890, 0} {
		t.Errorf("the second requests are missed by %d", missed)
	}
	lesson, _ := s.Lesson()
	if _, missed = session(&lesson); missed != [2]int64{} {
		t.Errorf("those of the next session are missed by %d", missed)
	}
}

// TestAnAgentCountsReasoningBeforeAMessageAgain checks that the threshold comes earlier by the reasoning that precedes
// the last message of another agent, though it is still sent, and by that of a response that the message broke off.
func TestAnAgentCountsReasoningBeforeAMessageAgain(t *testing.T) {
	s := after(RuleSet{Rule{Threshold: 90_000, CountsDropped: true, DroppedItem: 5}})
	s.FixReasoning(ReasoningAlways)
	for _, e := range []Event{TurnStarted{}, item(User, 50), measured(10_000, 500, reasoning(400)), item(Reasoning, 380), item(ToolCalls, 90)} {
		s.Apply(e)
	}
	threshold := func(want int64, when string) {
		t.Helper()
		if got := s.Reading().Compaction.Threshold; got != want {
			t.Errorf("%s the threshold is %d, want %d", when, got, want)
		}
	}
	threshold(90_000, "before a message")
	used := s.Reading().Used
	s.Apply(MessagedByAgent{})
	threshold(90_000-400-5, "after a message")
	if now := s.Reading().Used; now != used {
		t.Errorf("the message changes the prompt from %d to %d", used, now)
	}
	s.Apply(item(User, 50))
	s.Apply(measured(10_600, 300, reasoning(200)))
	s.Apply(item(Reasoning, 190))
	threshold(90_000-400-5, "after another response")
	s.Apply(MessagedByAgent{})
	threshold(90_000-600-10, "after another message")
	s.Apply(TurnEnded{})
	s.Apply(TurnStarted{})
	s.Apply(item(User, 50))
	s.Apply(measured(11_000, 50))
	threshold(90_000-600-10, "in the next turn")
}
