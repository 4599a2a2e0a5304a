// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"strings"
	"testing"
)

// after returns a session with a window of 100,000 and some events applied.
func after(events ...Event) *Session {
	s := New(Identity{ID: "test"}, plain{})
	s.Apply(LimitsKnown{Limits{100_000, Unknown, Unknown}, FromUser})
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

func item(k Kind, tokens int64) Appended { return Appended{Item{Kind: k, Tokens: tokens}} }

func fixed(k Kind, tokens int64) ContextSet {
	return ContextSet{Kind: k, Parts: []Part{{Label: Named(k.String()), Tokens: tokens}}}
}

// measured returns a request with a prompt and a response; the functions set other fields.
func measured(in, out int64, more ...func(*Metered)) Metered {
	m := NewMetered()
	m.In, m.Out = in, out
	for _, set := range more {
		set(&m)
	}
	return m
}

func reasoning(n int64) func(*Metered) { return func(m *Metered) { m.Reasoning = n } }

func named(id string) func(*Metered) { return func(m *Metered) { m.Request = id } }

// TestUsedIsInLessLeavingPlusCarryPlusNew goes through the possible events of a conversation, and compares the
// formula's terms with the expected ones.
func TestUsedIsInLessLeavingPlusCarryPlusNew(t *testing.T) {
	summary := Item{Tokens: 700}
	for _, c := range []struct {
		name                               string
		events                             []Event
		used, in, leaving, carry, newItems int64
		basis                              Basis
	}{
		{"nothing has happened", nil, 0, 0, 0, 0, 0, Estimated},
		{"nothing was measured yet", []Event{fixed(System, 3000), item(User, 50)}, 3050, 0, 0, 0, 3050, Estimated},
		{"a prompt and its answer", []Event{item(User, 50), measured(10_000, 200)}, 10_200, 10_000, 0, 200, 0, Measured},
		{"a new item", []Event{item(User, 50), measured(10_000, 200), item(ToolResults, 300)}, 10_500, 10_000, 0, 200, 300, MeasuredCounted},
		{"the answer itself is no new item", []Event{item(User, 50), measured(10_000, 200), item(Assistant, 180)}, 10_200, 10_000, 0, 200, 0, Measured},
		{"an answer whose length nobody tells", []Event{item(User, 50), measured(10_000, Unknown), item(Assistant, 180)}, 10_180, 10_000, 0, 180, 0, MeasuredEstimated},
		{"what is being typed", []Event{item(User, 50), measured(10_000, 200), Drafted{Item: Item{Tokens: 40}}}, 10_240, 10_000, 0, 200, 40, MeasuredCounted},
		{"and is not typed any more", []Event{measured(10_000, 200), Drafted{Item: Item{Tokens: 40}}, Drafted{Cleared: true}}, 10_200, 10_000, 0, 200, 0, Measured},
		{"an old result cut short", []Event{item(ToolResults, 900), measured(10_000, 200), Replaced{0, Item{Kind: ToolResults, Tokens: 20}, Named("cut")}}, 9320, 10_000, 900, 200, 20, MeasuredEstimated},
		{"an old result dropped", []Event{item(ToolResults, 900), measured(10_000, 200), Dropped{0, Named("pruned")}}, 9300, 10_000, 900, 200, 0, MeasuredEstimated},
		{"a new item dropped again", []Event{measured(10_000, 200), item(ToolResults, 900), Dropped{0, Named("")}}, 10_200, 10_000, 0, 200, 0, Measured},
		{"reasoning inside of its turn", []Event{item(User, 50), measured(10_000, 500, reasoning(400)), item(ToolResults, 30)}, 10_530, 10_000, 0, 500, 30, MeasuredCounted},
		{"reasoning after its turn", []Event{TurnStarted{}, item(User, 50), measured(10_000, 500, reasoning(400)), TurnEnded{}}, 10_100, 10_000, 0, 100, 0, Measured},
		{"reasoning of the turn's earlier requests", []Event{TurnStarted{}, item(User, 50), measured(10_000, 500, reasoning(400)), item(ToolResults, 30), measured(10_530, 100), TurnEnded{}}, 10_230, 10_530, 400, 100, 0, Measured},
		{"documents of one turn", []Event{fixed(Documents, 2000), TurnStarted{}, item(User, 50), measured(10_000, 200), TurnEnded{}}, 10_200, 10_000, 2000, 200, 2000, MeasuredEstimated},
		{"memory grew", []Event{fixed(Memory, 100), measured(10_000, 200), fixed(Memory, 400)}, 10_500, 10_000, 0, 200, 300, MeasuredEstimated},
		{"agents know what comes and goes", []Event{measured(10_000, 200), Adjusted{300, Named("")}, Adjusted{-1000, Named("cleared")}}, 9500, 10_000, 1000, 200, 300, MeasuredEstimated},
		{"the same request again", []Event{measured(10_000, 1, named("r")), measured(10_000, 250, named("r"))}, 10_250, 10_000, 0, 250, 0, Measured},
		{"content of a tool at the provider", []Event{item(User, 50), measured(10_000, 100), item(User, 50), measured(14_150, 100, func(m *Metered) { m.ServerTools = true })}, 10_250, 14_150, 4000, 100, 0, MeasuredEstimated},
		{"a placeholder for the answer's length", []Event{measured(10_000, 1, func(m *Metered) { m.OutPlaceholder = true }), item(Assistant, 80)}, 10_080, 10_000, 0, 80, 0, MeasuredEstimated},
		{"a rewind to an earlier prompt", []Event{item(User, 50), measured(10_000, 200), item(Assistant, 190), item(User, 60), measured(10_260, 100), item(Assistant, 90), Truncated{2}}, 10_200, 10_000, 0, 200, 0, Measured},
		{"a rewind into an answer", []Event{item(User, 50), measured(10_000, 200), item(Reasoning, 60), item(Assistant, 100), Truncated{2}}, 10_060, 10_000, 0, 60, 0, MeasuredEstimated},
		{"everything was cleared", []Event{fixed(System, 3000), item(User, 50), measured(10_000, 200), Truncated{0}}, 9950, 0, 0, 0, 9950, Estimated},
		{"compacted to a summary", []Event{fixed(System, 3000), item(User, 1000), measured(10_000, 200), Compacted{Tokens: Unknown, Before: Unknown, Summary: &summary}}, 9700, 0, 0, 0, 9700, Estimated},
		{"compacted, and told what is left", []Event{item(User, 50), measured(10_000, 200), Compacted{Tokens: 5000, Before: Unknown}}, 5000, 5000, 0, 0, 0, Estimated},
		{"a refusal measures the prompt", []Event{item(User, 50), Overflowed{120_000, Unknown, 100_000, LimitTotal, Exact, Named(""), false}}, 120_000, 120_000, 0, 0, 0, Measured},
		{"a resume without content without a record", []Event{item(User, 50), measured(10_000, 50), item(ToolResults, 100), measured(14_000, 50), Resumed{Reloaded: true}}, 10_480, 14_000, 3570, 50, 0, MeasuredEstimated},
	} {
		s := after(c.events...)
		p := s.predictNext()
		r := s.Reading()
		if p.used != c.used || r.Leaving.Tokens != c.leaving || p.carry != c.carry || p.basis != c.basis {
			t.Errorf("%s: used %d (%v), leaving %d, carry %d; want %d (%v), %d, %d", c.name, p.used, p.basis, r.Leaving.Tokens, p.carry, c.used, c.basis, c.leaving, c.carry)
		}
		if in := p.in; c.in != 0 && in != c.in || p.used != in-p.leaving+p.carry+p.fresh {
			t.Errorf("%s: in %d - %d + %d + %d", c.name, in, p.leaving, p.carry, p.fresh)
		}
		if c.in != 0 && r.New.Tokens != c.newItems {
			t.Errorf("%s: %d new, want %d", c.name, r.New.Tokens, c.newItems)
		}
		holds(t, c.name, &r)
	}
}

// holds fails if a Reading contradicts itself.
func holds(t *testing.T, name string, r *Reading) {
	t.Helper()
	sum, leaving := int64(0), int64(0)
	for _, row := range r.Breakdown {
		if row.Tokens < 0 || row.Label.String() == "" {
			t.Errorf("%s: row %+v", name, row)
		}
		if !row.Deferred {
			sum += row.Tokens
		}
	}
	if sum != r.Used && r.Basis != BasisUnknown {
		t.Errorf("%s: the rows sum to %d, used is %d: %+v", name, sum, r.Used, r.Breakdown)
	}
	for _, reason := range r.Leaving.Reasons {
		leaving += reason.Tokens
	}
	if leaving > r.Leaving.Tokens {
		t.Errorf("%s: the reasons sum to %d, %d leave", name, leaving, r.Leaving.Tokens)
	}
	if r.Used < 0 || r.Low > r.Used || r.High < r.Used {
		t.Errorf("%s: %d is not within %d and %d", name, r.Used, r.Low, r.High)
	}
}

func TestWhatIsNoOccupancyIsRefusedAndTold(t *testing.T) {
	for _, c := range []struct {
		name    string
		m       Metered
		warning string
	}{
		{"a sum over requests", measured(900_000, 5000, func(m *Metered) { m.Sum = true }), "sum over several requests"},
		{"the request that compacted", measured(90_000, 500, func(m *Metered) { m.SideRequest = true }), "usage of the compacting request"},
		{"a usage without a prompt", measured(Unknown, 500), "has no prompt size"},
		{"an earlier prompt that comes late", measured(500, 5, func(m *Metered) { m.ThroughSet = true }), ""},
	} {
		s := after(item(User, 50), measured(10_000, 200), c.m)
		r := s.Reading()
		if r.Used != 10_200 || r.LastRequest.In != 10_000 {
			t.Errorf("%s: used %d", c.name, r.Used)
		}
		if told := english(r.Warnings); !strings.Contains(told, c.warning) || c.warning == "" && told != "" {
			t.Errorf("%s: %q", c.name, told)
		}
	}
	if r := after(measured(900_000, 5000, func(m *Metered) { m.Sum = true })).Reading(); r.Spent.In != 900_000 || r.LastRequest != nil {
		t.Errorf("a sum is not spent: %+v", r.Spent)
	}
}

func TestProviderModeShowsTheMeasuredPromptAndNothingElse(t *testing.T) {
	s := after()
	s.Mode = ProviderOnly
	s.Apply(fixed(System, 3000))
	s.Apply(item(User, 50))
	if r := s.Reading(); r.Used != 0 || r.Percent != 0 || r.Basis != BasisUnknown || len(r.Breakdown) != 0 || r.Compaction.Level != OK {
		t.Errorf("before the first report: %+v", r)
	}
	s.Apply(measured(90_000, 5000))
	s.Apply(item(ToolResults, 5000))
	if r := s.Reading(); r.Used != 90_000 || r.Low != 90_000 || r.Basis != Measured {
		t.Errorf("after it: %+v", r)
	}
	s.Apply(measured(95_000, 10, func(m *Metered) { m.Ambiguous = true }))
	if r := s.Reading(); r.Used != 90_000 {
		t.Errorf("a usage that stays ambiguous is shown: %d", r.Used)
	}
	restored, ok := Restore(s.Save(), plain{})
	if !ok || restored.Reading().Used != 0 {
		t.Errorf("restored %v, used %d", ok, restored.Reading().Used)
	}
}

// dense resolves each model to a tokenizer with its own density.
type dense map[string]int64

type denseMeter struct {
	plain
	density int64
}

func (m denseMeter) Density() int64 { return m.density }
func (m denseMeter) Family() string { return itoa(m.density) }

func (d dense) Resolve(model, provider, route string) Resolved {
	out := plain{}.Resolve(model, provider, route)
	out.Meter = denseMeter{density: d[model]}
	return out
}

func TestAnotherModelMeasuresThePromptAnew(t *testing.T) {
	s := New(Identity{Model: "one"}, dense{"one": 1000, "two": 1300})
	s.Apply(measured(10_000, 0))
	s.Apply(LimitsKnown{Limits{50_000, Unknown, Unknown}, FromError})
	s.Apply(ModelSet{Model: "two"})
	r := s.Reading()
	if r.Used != 13_000 || r.Basis != Estimated || r.Limit != Unknown {
		t.Errorf("used %d (%v) of %d", r.Used, r.Basis, r.Limit)
	}
	s.Apply(measured(12_000, 0))
	if r := s.Reading(); r.Used != 12_000 || r.Basis != Measured || r.Accuracy.Last == nil || r.Accuracy.Last.Cause.String() != "the model has changed" {
		t.Errorf("measured: used %d (%v), %+v", r.Used, r.Basis, r.Accuracy.Last)
	}
}

// TestAnAnswerNamesItsModelTooLateForThePrediction checks that the prediction for the previous model is compared with
// the measurement.
func TestAnAnswerNamesItsModelTooLateForThePrediction(t *testing.T) {
	s := New(Identity{Model: "one"}, dense{"one": 1000, "two": 1300})
	s.Recording = true
	s.Apply(measured(10_000, 0))
	s.Apply(measured(13_000, 0, func(m *Metered) { m.Model = ModelSet{Model: "two"} }))
	steps := s.TakeSteps()
	if len(steps) != 1 || steps[0].Predicted != 10_000 || steps[0].Actual != 13_000 || s.Model != "two" {
		t.Errorf("%+v for %s", steps, s.Model)
	}
	if len(s.TakeSteps()) != 0 {
		t.Error("steps are taken twice")
	}
}

func TestARefusalTeachesTheWindow(t *testing.T) {
	s := New(Identity{}, plain{})
	s.Apply(item(User, 100))
	s.Apply(Overflowed{Unknown, Unknown, 80_000, LimitInput, Exact, Named("a note"), false})
	r := s.Reading()
	if r.Limit != 80_000 || r.LimitSource != FromError || r.Used != 80_000 || len(r.Warnings) != 2 {
		t.Errorf("%d by %d, %q", r.Limit, r.LimitSource, r.Warnings)
	}
	s.Apply(Overflowed{90_000, Unknown, 85_000, LimitTotal, LowerBound, Named(""), false})
	if r := s.Reading(); r.Limit != 85_000 || r.Used != 90_000 || r.Basis != Estimated || r.LastRequest.In != 90_000 {
		t.Errorf("%d of %d (%v)", r.Used, r.Limit, r.Basis)
	}
}

func TestAReadingTellsWhatIsOutstandingAndWhoseNumberItIs(t *testing.T) {
	s := after(TurnStarted{})
	if !s.Reading().Pending {
		t.Error("a turn that waits for an answer is not pending")
	}
	s.Apply(measured(10_000, 20, named("r"), func(m *Metered) { m.Partial = true }))
	if !s.Reading().Pending {
		t.Error("half a stream is not pending")
	}
	s.Apply(measured(10_000, 200, named("r")))
	if s.Reading().Pending {
		t.Error("an answer is pending")
	}
	s.Apply(RuleSet{Rule{Prints: func(in, out int64, l Limits) int64 { return hundredths(in+out, l.Window) }, PrintsAs: Named("context")}})
	if own := s.Reading().AgentOwn; own == nil || own.Hundredths != 1020 || own.Label.Name != "context" {
		t.Errorf("by its rule the agent prints %v", own)
	}
	s.Apply(AgentPercent{1234, Named("status")})
	if own := s.Reading().AgentOwn; own == nil || own.Hundredths != 1234 || own.Label.Name != "status" {
		t.Errorf("the agent prints %v", own)
	}
}

func TestRowsThatExplainMoreThanWasMeasuredAreScaled(t *testing.T) {
	for _, c := range []struct{ user, system, scaled int64 }{
		{4000, 6000, 100}, // the prompt shows the size of the estimated row
		{7000, 3000, 37},  // it is too far off to be the same text
	} {
		s := after(ContextSet{System, []Part{{Tokens: Unknown, Text: make([]byte, 32_000)}}}, item(User, c.user), measured(10_000, 0))
		r := s.Reading()
		holds(t, "scaled", &r)
		if r.Breakdown[0].Kind != System || r.Breakdown[0].Tokens != c.system || r.Breakdown[1].Tokens != c.user {
			t.Errorf("%d: the estimated row alone was to be scaled: %+v", c.user, r.Breakdown)
		}
		if told := english(r.Warnings); strings.Contains(told, fmt.Sprintf("scaled to %d%%", c.scaled)) != (c.scaled < 100) {
			t.Errorf("%d: %q", c.user, told)
		}
	}
}

func TestDeferredPartsAreListedAndNotSummed(t *testing.T) {
	parts := []Part{{Label: Named("search"), Tokens: 400}, {Label: Named("database"), Tokens: 9000, Deferred: true}}
	for range maxParts {
		parts = append(parts, Part{Label: Named("small"), Tokens: 10})
	}
	r := after(ContextSet{MCPTools, parts}, measured(10_000, 0)).Reading()
	holds(t, "deferred", &r)
	last := r.Breakdown[len(r.Breakdown)-1]
	if !last.Deferred || last.Label.String() != "database" {
		t.Errorf("%+v", last)
	}
	if other := r.Breakdown[maxParts-1]; other.Label.String() != "other MCP tools" || other.Tokens != 20 {
		t.Errorf("%+v", other)
	}
}

func TestTheLargestItemsComeFirstAndEqualsInTheirOrder(t *testing.T) {
	s := after(item(User, 50), Appended{Item{Kind: ToolResults, Tokens: 900, Name: "read"}}, item(Media, 50), item(User, 0), item(Assistant, 2000), item(ToolResults, 50))
	s.Apply(Dropped{4, Text{}})
	var got []int
	for _, l := range s.Largest(3) {
		got = append(got, l.Index)
	}
	if len(got) != 3 || got[0] != 1 || got[1] != 0 || got[2] != 2 {
		t.Errorf("%v", got)
	}
	if l := s.Largest(1); l[0].Label.String() != "read" || l[0].Tokens != 900 || s.Largest(0) != nil || len(s.Largest(100)) != 4 {
		t.Errorf("%+v", l)
	}
}

func TestKindsAreFoundByTheirNames(t *testing.T) {
	for k := System; k < kinds; k++ {
		if got, ok := KindOf(k.String()); !ok || got != k || k.Label() == "" {
			t.Errorf("%v is found as %v", k, got)
		}
	}
	if _, ok := KindOf("nothing"); ok {
		t.Error("a kind without a name is found")
	}
}

func TestTitlesOfMoreRightLast(t *testing.T) {
	s := after(TitleSeen{"summed up\nin  two lines", BySummary}, TitleSeen{"named", ByAgent}, TitleSeen{"summed up", BySummary})
	if s.Title != "named" {
		t.Errorf("%q", s.Title)
	}
	s.Apply(TitleSeen{"mine", ByUser})
	s.Apply(TitleSeen{"", ByAgent})
	if s.Title != "mine" {
		t.Errorf("%q", s.Title)
	}
	s.Apply(TitleSeen{"", ByUser})
	s.Apply(TitleSeen{"summed\tup\n", BySummary})
	if s.Title != "summed up" {
		t.Errorf("taken back, the title is %q", s.Title)
	}
}

func TestActivityFollowsTheRecordsUntilItIsTold(t *testing.T) {
	s := after(At{1000}, TurnStarted{}, item(User, 5))
	if a := s.activity; a.now != Working || a.since != 1000 {
		t.Errorf("%+v", a)
	}
	s.Apply(At{2000})
	s.Apply(measured(100, 5))
	s.Apply(item(ToolCalls, 5))
	if a := s.activity; a.now != Working || a.since != 1000 {
		t.Errorf("while a tool runs: %+v", a)
	}
	s.Apply(ActivitySeen{Waiting, ForApproval, Unknown})
	if r := s.Reading(); r.Activity != Waiting || r.WaitingFor != ForApproval || r.Since != 2000 {
		t.Errorf("told: %v for %s since %d", r.Activity, r.WaitingFor, r.Since)
	}
	s.Apply(TurnEnded{})
	if r := s.Reading(); r.Activity != Waiting || r.WaitingFor != ForPrompt {
		t.Errorf("after the turn: %v for %s", r.Activity, r.WaitingFor)
	}
}

// TestADeclaredActivityEndsWhenTheConversationContinues checks which events end what a host declared.
func TestADeclaredActivityEndsWhenTheConversationContinues(t *testing.T) {
	hidden, side, own := item(User, 5), measured(100, 5), measured(100, 5)
	hidden.Item.Hidden, side.SideRequest, own.Own = true, true, true
	for name, c := range map[string]struct {
		event Event
		ends  bool
	}{
		"a message": {item(User, 5), true}, "a result": {item(ToolResults, 5), true}, "a response": {item(Assistant, 5), true},
		"a call": {item(ToolCalls, 5), true}, "reasoning": {item(Reasoning, 5), true}, "an image": {item(Media, 5), false},
		"a summary": {item(Summary, 5), false}, "a hidden message": {hidden, false}, "a request": {measured(100, 5), true},
		"a request of another kind": {side, false}, "the agent's own count": {own, false}, "a turn": {TurnStarted{}, true},
		"the end of a turn": {TurnEnded{}, true}, "a message in between": {Steered{}, true}, "a title": {TitleSeen{"title", ByUser}, false},
	} {
		s := after(ActivitySeen{Waiting, ForApproval, Unknown}, c.event)
		if ended := s.activity.declared == ActivityUnreported; ended != c.ends {
			t.Errorf("%s: ended %t", name, ended)
		}
	}
}

// TestAnExpectedModelHasAWindowUntilOneIsKnown checks that the expected model is used only while the model is unknown.
func TestAnExpectedModelHasAWindowUntilOneIsKnown(t *testing.T) {
	s := New(Identity{}, many{1000})
	for i, c := range []struct {
		model   string
		changes bool
		window  int64
	}{{"", false, Unknown}, {"one", true, 1000}, {"one", false, 1000}, {"three", true, 500}, {"", false, 500}} {
		if changed := s.Expect(c.model); changed != c.changes || s.Reading().Limit != c.window || s.Model != "" {
			t.Errorf("%d: %q changed it: %t, a limit of %d", i, c.model, changed, s.Reading().Limit)
		}
	}
	if s.LikelyModel() != "three" {
		t.Errorf("%q is likely", s.LikelyModel())
	}
	s.Apply(ModelSet{Model: "one"})
	if s.Expect("three") || s.LikelyModel() != "one" || s.Reading().Limit != 1000 {
		t.Errorf("%q is likely although the model is known, a limit of %d", s.LikelyModel(), s.Reading().Limit)
	}
}

// TestAnAnswerThatIsDroppedIsNotCarried checks that no part of a response that leaves before the next request is
// carried.
func TestAnAnswerThatIsDroppedIsNotCarried(t *testing.T) {
	s := New(Identity{}, plain{})
	s.Apply(Appended{Item: Item{Kind: User, Tokens: 805, Parameters: Unknown}})
	s.Apply(Appended{Item: Item{Kind: Assistant, Tokens: 320, Parameters: Unknown}})
	s.Apply(measured(1000, 320, func(m *Metered) { m.Through, m.ThroughSet = 1, true }))
	if used := s.Reading().Used; used != 1320 {
		t.Fatalf("used %d with its answer", used)
	}
	s.Apply(DroppedOldest{Items: 2})
	if used := s.Reading().Used; used != 1000-805 {
		t.Errorf("used %d, and neither question nor answer is sent again", used)
	}
}

// TestTheEndOfAProcessIsReported checks when the end of an agent's process is known: an uncertain report is ignored
// while the agent works, and withdrawn if the process runs.
func TestTheEndOfAProcessIsReported(t *testing.T) {
	working, waiting := ActivitySeen{Activity: Working, Since: Unknown}, ActivitySeen{Activity: Waiting, Since: Unknown}
	perhaps, certain, runs := ProcessEnded{}, ProcessEnded{Certain: true}, ProcessEnded{Runs: true}
	for name, c := range map[string]struct {
		events []Event
		want   int64
	}{
		"none":                            {[]Event{waiting}, Unknown},
		"while it waits":                  {[]Event{waiting, perhaps}, 5000},
		"while it works":                  {[]Event{working, perhaps}, Unknown},
		"certainly, while it works":       {[]Event{working, certain}, 5000},
		"withdrawn":                       {[]Event{waiting, perhaps, runs}, Unknown},
		"certainly, and not withdrawn":    {[]Event{waiting, certain, runs}, 5000},
		"certainly, and then later again": {[]Event{waiting, certain, At{9000}, certain}, 5000},
		"perhaps, and later again":        {[]Event{waiting, perhaps, At{9000}, perhaps}, 9000},
		"perhaps, and later certainly":    {[]Event{waiting, perhaps, At{9000}, certain}, 9000},
	} {
		s := after(append([]Event{At{5000}}, c.events...)...)
		if s.cache.ended != c.want {
			t.Errorf("%s: it has ended at %d, want %d", name, s.cache.ended, c.want)
		}
	}
}

// TestAnEarlierPromptIsMeasuredAfterARefusal checks that a usage with fewer items than the last measured prompt is only
// spent, unless that prompt was refused or its size was only stated.
func TestAnEarlierPromptIsMeasuredAfterARefusal(t *testing.T) {
	earlier := measured(50_000, 10, func(m *Metered) { m.Through, m.ThroughSet = 1, true })
	for name, c := range map[string]struct {
		last Event
		in   int64
	}{
		"measured": {measured(90_000, 10), 90_000},
		"refused":  {Overflowed{90_000, Unknown, 80_000, LimitTotal, Exact, Named(""), false}, 50_000},
	} {
		s := after(item(User, 10), item(User, 20), c.last, earlier)
		if r := s.Reading(); r.LastRequest.In != c.in {
			t.Errorf("after a prompt that was %s: %d", name, r.LastRequest.In)
		}
	}
}
