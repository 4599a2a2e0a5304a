// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestTheRatioFollowsWhatEstimatesTurnOutToBe(t *testing.T) {
	for _, c := range []struct {
		name              string
		estimated, actual int64
		rises, falls      bool
	}{
		{"more than estimated", 1000, 1200, true, false},
		{"less than estimated", 1000, 800, false, true},
		{"too little text to tell", 39, 80, false, false},
		{"another reason than tokenization: far more", 1000, 2600, false, false},
		{"another reason than tokenization: far less", 1000, 300, false, false},
	} {
		r := newRatio()
		r.add(c.estimated, c.actual)
		if got := r.scale(10_000); got > 10_000 != c.rises || got < 10_000 != c.falls {
			t.Errorf("%s: 10000 estimated are %d", c.name, got)
		}
	}
	r := newRatio()
	for range 100 {
		r.add(5000, 6000)
	}
	if got := r.scale(10_000); got < 11_950 || got > 12_000 {
		t.Errorf("after a hundred steps of 6 for 5, 10000 are %d", got)
	}
	if got := (ratio{6000, 5000}).learned(); got != (ratio{4800, ratioPrior}) {
		t.Errorf("learned from other sessions: %v", got)
	}
}

func TestFramingCountsOnceTheNewestStepsAgree(t *testing.T) {
	var f framing
	for _, residual := range []int64{10, 11, 12} {
		f.add(residual)
	}
	if f.offset != 0 {
		t.Errorf("three steps are enough for %d", f.offset)
	}
	f.add(11)
	if f.offset != 11 {
		t.Errorf("four steps that agree make %d", f.offset)
	}
	for _, residual := range []int64{500, -500, 700, -700, 900, -900} {
		f.add(residual)
	}
	if f.offset != 0 {
		t.Errorf("steps that disagree make %d", f.offset)
	}
}

func TestAnotherReasoningModeIsBelievedOnEvidence(t *testing.T) {
	c := modeChoice{mode: ReasoningTurn}
	c.choose([reasoningModes]int64{500, 500, 500}, 100)
	if c.score != [reasoningModes]int64{} {
		t.Error("what does not tell the modes apart counts")
	}
	if c.choose([reasoningModes]int64{300, 80, 0}, 100) != ReasoningTurn {
		t.Error("one miss below the hysteresis is enough")
	}
	if mode := c.choose([reasoningModes]int64{300, 80, 0}, 100); mode != ReasoningAlways {
		t.Errorf("mode %v after two misses", mode)
	}
	c = modeChoice{mode: ReasoningTurn}
	c.choose([reasoningModes]int64{0, 399, 1 << 40}, 100)
	if c.score != [reasoningModes]int64{0, 399, 400} {
		t.Errorf("one error counts %d", c.score)
	}
}

func TestTheRecordSumsUpTheErrorsOfTheLastSteps(t *testing.T) {
	var r record
	for i := int64(1); i <= 100; i++ {
		r.add(StepMade{Predicted: 10_000 + i, Actual: 10_000}, Text{})
	}
	if r.median != 50 || r.p90 != 90 || r.p95 != 95 || r.p95Share != 95 {
		t.Errorf("median %d, p90 %d, p95 %d, %d hundredths of a percent", r.median, r.p90, r.p95, r.p95Share)
	}
	r.correct(10_100)
	if miss, percent := r.last.Error(); miss != 0 || percent != 0 || r.errors[r.newest] != 0 || r.steps != 100 {
		t.Errorf("corrected: %d, %d", miss, percent)
	}
	for range errorsKept {
		r.add(StepMade{Predicted: 9, Actual: 10}, Text{})
	}
	if r.median != 1 || r.p95 != 1 || r.p95Share != 1000 {
		t.Errorf("old errors are still counted: median %d, p95 %d, %d", r.median, r.p95, r.p95Share)
	}
}

// TestTheFramingIsThatOfEachResult checks that a constant cost of results is learned from steps with one result and
// hardly any estimated text, and that several results cost it several times.
func TestTheFramingIsThatOfEachResult(t *testing.T) {
	result := func(characters int) Event {
		return Appended{Item: Item{Kind: ToolResults, Text: make([]byte, characters), Tokens: Unknown}}
	}
	s := after(TurnStarted{}, item(User, 50), measured(50_000, 100))
	step := func(more int64, characters ...int) {
		for _, n := range characters {
			s.Apply(result(n))
		}
		s.Apply(measured(s.Reading().Used+more, 100))
	}
	step(900, 8000) // the estimate may be wrong by that much
	step(-900, 8000)
	for range 4 {
		step(18-s.calibration.framing.offset, 16)
	}
	if s.calibration.framing.offset != 18 {
		t.Fatalf("after four small results that cost 18 more, %d are expected", s.calibration.framing.offset)
	}
	before := s.Reading().Used
	s.Apply(result(16))
	one := s.Reading().Used - before
	s.Apply(result(16))
	s.Apply(result(16))
	if three := s.Reading().Used - before; three-one < 2*(18+4) { // each has about four tokens of text
		t.Errorf("one result costs %d, three cost %d", one, three)
	}
}

// TestFramingIsLearnedFromShortResults checks how much estimated text a step may have that shows the framing.
func TestFramingIsLearnedFromShortResults(t *testing.T) {
	for chars, want := range map[int]int64{4: 7, 240: 7, 241: 0} {
		s := after(TurnStarted{}, item(User, 50), measured(10_000, 20))
		in := int64(10_000)
		for range framingsNeeded {
			s.Apply(item(ToolCalls, 20))
			s.Apply(Appended{Item{Kind: ToolResults, Text: make([]byte, chars), Tokens: Unknown}})
			in += 20 + int64(chars+3)/4 + 7
			s.Apply(measured(in, 20))
		}
		if got := s.calibration.framing.offset; got != want {
			t.Errorf("results of %d characters: a framing of %d", chars, got)
		}
	}
}
