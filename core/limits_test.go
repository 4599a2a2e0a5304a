// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestTheLimitsOfTheStrongestSourceCount(t *testing.T) {
	type said struct {
		from LimitSource
		Limits
	}
	for _, c := range []struct {
		name string
		said []said
		want Limits
		from LimitSource
	}{
		{"nobody has spoken", nil, NoLimits, FromNoSource},
		{"the user overrules everybody", []said{{FromUser, Limits{100, Unknown, 10}}, {FromAgent, Limits{200, Unknown, 20}}, {FromError, Limits{300, Unknown, Unknown}}}, Limits{100, Unknown, 10}, FromUser},
		{"a refusal that names less overrules the user", []said{{FromUser, Limits{200, Unknown, 10}}, {FromError, Limits{150, Unknown, Unknown}}}, Limits{150, Unknown, 10}, FromError},
		{"whatever other sources report afterwards", []said{{FromUser, Limits{200, Unknown, 10}}, {FromError, Limits{150, Unknown, Unknown}}, {FromAgent, Limits{180, Unknown, Unknown}}}, Limits{150, Unknown, 10}, FromError},
		{"but not a limit that the user sets after it", []said{{FromUser, Limits{200, Unknown, 10}}, {FromError, Limits{150, Unknown, Unknown}}, {FromUser, Limits{180, Unknown, Unknown}}}, Limits{180, Unknown, 10}, FromUser},
		{"accepted prompts show more than the agent records", []said{{FromAgent, Limits{200, Unknown, 20}}, {FromAccepted, Limits{1000, Unknown, Unknown}}}, Limits{1000, Unknown, 20}, FromAccepted},
		{"accepted prompts are newer than an error", []said{{FromError, Limits{150, Unknown, Unknown}}, {FromAccepted, Limits{1000, Unknown, Unknown}}}, Limits{1000, Unknown, Unknown}, FromAccepted},
		{"an error is newer than the agent", []said{{FromAgent, Limits{200, Unknown, 20}}, {FromError, Limits{150, Unknown, Unknown}}}, Limits{150, Unknown, 20}, FromError},
		{"the agent is newer than an error", []said{{FromError, Limits{150, Unknown, Unknown}}, {FromAgent, Limits{200, Unknown, 20}}}, Limits{200, Unknown, 20}, FromAgent},
		{"the provider is newer than an error", []said{{FromError, Limits{150, Unknown, Unknown}}, {FromProvider, Limits{200, Unknown, 20}}}, Limits{200, Unknown, 20}, FromProvider},
		{"an error tells the input, the table the total", []said{{FromAgentTable, Limits{200, Unknown, Unknown}}, {FromError, Limits{Unknown, 120, Unknown}}}, Limits{200, 120, Unknown}, FromError},
		{"the total is never below an input that was told", []said{{FromAgentTable, Limits{100, Unknown, Unknown}}, {FromError, Limits{Unknown, 120, Unknown}}}, Limits{120, 120, Unknown}, FromError},
		{"the largest answer may come from another source", []said{{FromAgentTable, Limits{Unknown, Unknown, 30}}, {FromProvider, Limits{200, Unknown, Unknown}}}, Limits{200, Unknown, 30}, FromProvider},
		{"a withheld window is unknown, whatever other sources report", []said{{FromUser, Limits{200, Unknown, 10}}, {FromUser, Limits{WindowWithheld, Unknown, Unknown}}, {FromAgent, Limits{100, Unknown, 20}}, {FromError, Limits{150, Unknown, Unknown}}}, NoLimits, FromNoSource},
		{"until it is withdrawn", []said{{FromUser, Limits{WindowWithheld, Unknown, Unknown}}, {FromAgent, Limits{100, Unknown, 20}}, {FromUser, Limits{0, Unknown, Unknown}}}, Limits{100, Unknown, 20}, FromAgent},
		{"or set", []said{{FromUser, Limits{WindowWithheld, Unknown, Unknown}}, {FromUser, Limits{300, Unknown, Unknown}}}, Limits{300, Unknown, Unknown}, FromUser},
		{"what a source leaves out stays", []said{{FromAgent, Limits{200, 150, 20}}, {FromAgent, Limits{220, Unknown, Unknown}}}, Limits{220, 150, 20}, FromAgent},
	} {
		var l limits
		l.reset()
		for _, said := range c.said {
			l.set(said.Limits, said.from)
		}
		if got, from := l.inForce(); got != c.want || from != c.from {
			t.Errorf("%s: %v of source %d, want %v of %d", c.name, got, from, c.want, c.from)
		}
	}
}

func TestForgottenLimitsLeaveThoseOfTheNextSource(t *testing.T) {
	var l limits
	l.reset()
	l.setRegistry(Limits{1000, Unknown, 50})
	l.set(Limits{800, Unknown, Unknown}, FromProvider)
	l.set(Limits{700, Unknown, Unknown}, FromError)
	l.forget(FromError, FromProvider)
	if got, from := l.inForce(); got != (Limits{1000, Unknown, 50}) || from != FromRegistry {
		t.Errorf("%v of source %d", got, from)
	}
}

func TestThePromptsLimitIsTheSmallerOfWindowAndInput(t *testing.T) {
	for _, c := range []struct {
		limits Limits
		limit  int64
		shared bool
	}{
		{NoLimits, Unknown, false},
		{Limits{200, Unknown, 8}, 200, true},
		{Limits{400, 272, 128}, 272, false},
		{Limits{200, 300, 8}, 200, true},
		{Limits{Unknown, 272, 128}, 272, false},
	} {
		if got := c.limits.limit(); got != c.limit || c.limits.shared() != c.shared {
			t.Errorf("%v: limit %d, shared %v", c.limits, got, c.limits.shared())
		}
	}
}

// TestWhatTheAgentSaysNowHasItsRank checks the order of sources around the agent's current limits: a refusal with less,
// the user, the agent's current limits, its record; and that a change of the model drops the current limits.
func TestWhatTheAgentSaysNowHasItsRank(t *testing.T) {
	s := New(Identity{Model: "a"}, plain{})
	says := func(window int64, from LimitSource) {
		s.Apply(LimitsKnown{Limits{window, Unknown, Unknown}, from})
	}
	expect := func(window int64, from LimitSource) {
		t.Helper()
		if l, source := s.Limits(); l.Window != window || source != from {
			t.Errorf("the window is %d by %s, and should be %d by %s", l.Window, source, window, from)
		}
	}
	says(1_000_000, FromAgent)
	says(200_000, FromAgentNow)
	expect(200_000, FromAgentNow)
	says(500_000, FromError)
	expect(200_000, FromAgentNow)
	says(131_072, FromError)
	says(200_000, FromAgentNow)
	expect(131_072, FromError)
	says(180_000, FromUser)
	expect(180_000, FromUser)
	s.Apply(LimitsForgotten{FromUser})
	s.Apply(ModelSet{Model: "b"})
	expect(1_000_000, FromAgent)
}

// TestTheLargestPromptIsTheInput checks the limit that applies, and whether prompt and response share it.
func TestTheLargestPromptIsTheInput(t *testing.T) {
	for l, want := range map[Limits]int64{
		{Window: 200, Input: 100}: 100, {Window: 200, Input: 200}: 200, {Window: 200, Input: 300}: 200, {Window: 200, Input: Unknown}: 200, {Window: 200, Input: 0}: 200,
		{Window: Unknown, Input: 100}: 100, {Window: 0, Input: 100}: 100, {Window: 0, Input: 1}: 1, {Window: 1, Input: 0}: 1,
		{Window: 0, Input: 0}: Unknown, {Window: Unknown, Input: Unknown}: Unknown,
	} {
		if got := l.limit(); got != want || l.shared() != (want == l.Window && want > 0) {
			t.Errorf("%+v: the limit is %d, shared %t, want %d", l, got, l.shared(), want)
		}
	}
}

// TestARefusalShowsAReserveBelowTheLimit checks when the output of a refused request is the reserve.
func TestARefusalShowsAReserveBelowTheLimit(t *testing.T) {
	for output, want := range map[int64]int64{8000: 8000, 63_999: 63_999, 64_000: 0, 64_001: 0, Unknown: 0} {
		s := after(Overflowed{Prompt: 60_000, Output: output, Limit: 64_000, LimitIs: LimitTotal})
		if got := s.limits.refusedOutput; got != want {
			t.Errorf("an output of %d: a reserve of %d", output, got)
		}
	}
}

// TestARefusalWithoutASizeIsAtTheLimit checks that a refused prompt of unknown size is taken to have at least the size
// of the limit, unless that much is expected anyway.
func TestARefusalWithoutASizeIsAtTheLimit(t *testing.T) {
	for tokens, want := range map[int64]int64{999: 10_000, 1000: 9000, 1001: 9000} {
		s := after(LimitsKnown{Limits{10_000, Unknown, Unknown}, FromUser}, measured(9000, 0), item(ToolResults, tokens))
		s.Apply(Overflowed{Prompt: Unknown, Output: Unknown, Limit: Unknown})
		if got := s.Reading().LastRequest.In; got != want {
			t.Errorf("with %d tokens more the refused prompt has %d, want %d", tokens, got, want)
		}
	}
}
