// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand"
	"testing"
	"time"
)

// TestARangeHoldsNineOfTenWhateverTheErrors covers errors of very different kinds, many times as large or as small as
// the prior assumes.
func TestARangeHoldsNineOfTenWhateverTheErrors(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	for name, miss := range map[string]func() int64{
		"even":        func() int64 { return random.Int63n(2000) },
		"heavy tails": func() int64 { return int64(30 / (random.Float64() + 0.0001)) },
		"two sizes": func() int64 {
			if random.Intn(4) == 0 {
				return 3000 + random.Int63n(500)
			}
			return random.Int63n(40)
		},
	} {
		for _, kind := range []int{spreadTool, spreadUser} {
			var w spread
			held := 0
			const steps = 4000
			for range steps {
				half := max(mulDiv(50, w.factor(kind, 100), spreadUnit), 1)
				hit := miss() <= half
				if hit {
					held++
				}
				w.adjust(kind, 100, hit)
			}
			if share := held * 1000 / steps; share < 880 || share > 930 {
				t.Errorf("%s, kind %d: the range held %d of 1000", name, kind, share)
			}
		}
	}
}

// TestEachKindOfStepHasARangeOfItsOwn checks that thousands of exact steps inside turns do not affect the range of a
// turn's first request, and that a range is given before the request that it is compared with.
func TestEachKindOfStepHasARangeOfItsOwn(t *testing.T) {
	s := after(RuleSet{Rule{Spread: Spread{User: 700}}}, TurnStarted{}, item(User, 50), measured(50_000, 100))
	width := func() int64 { r := s.Reading(); return r.High - r.Low }
	for range 40 {
		s.Apply(item(ToolResults, 200))
		s.Apply(measured(s.Reading().Used, 100))
	}
	s.Apply(item(ToolResults, 200))
	if w := width(); w > 60 {
		t.Errorf("after forty exact steps a range of %d", w)
	}
	s.Apply(measured(s.Reading().Used, 100))
	s.Apply(TurnEnded{})
	s.Apply(TurnStarted{})
	s.Apply(item(User, 50))
	wide := width()
	if wide < 2*700*(30+60)/100 {
		t.Errorf("the first request of a turn has a range of %d", wide)
	}
	if again := width(); again != wide {
		t.Errorf("reading once more changes the range from %d to %d", wide, again)
	}
	used := s.Reading().Used
	s.Recording = true
	s.Apply(measured(used+10_000, 100))
	if steps := s.TakeSteps(); len(steps) != 1 || steps[0].Kind != "user" || steps[0].High-steps[0].Low != wide {
		t.Errorf("recorded was %+v, stated a range of %d", steps, wide)
	}
	s.Apply(TurnEnded{})
	s.Apply(TurnStarted{})
	s.Apply(item(User, 50))
	if w := width(); w <= wide {
		t.Errorf("after a miss the range is %d, no wider than %d", w, wide)
	}
}

// TestAWideRangeSaysWhy checks the causes that cannot be predicted.
func TestAWideRangeSaysWhy(t *testing.T) {
	inflated := NewMetered()
	inflated.In, inflated.Out, inflated.ServerTools = 20_000, 10, true
	for want, events := range map[string][]Event{
		"nothing has been measured yet":                               {item(User, 500)},
		"what the agent puts back after a compaction is not recorded": {item(User, 50), measured(10_000, 10), Compacted{Tokens: Unknown, Before: Unknown}},
		"content of a provider-side tool may leave or stay":           {item(User, 50), measured(10_000, 10), item(ToolResults, 9), inflated},
		"a resume rebuilds the prompt":                                {item(User, 50), measured(10_000, 10), Resumed{Reloaded: true}, item(User, 50)},
		"reasoning of earlier turns may come back after a pause": {
			TurnStarted{},
			item(User, 50), measured(10_000, 900, reasoning(800)),
			TurnEnded{},
			TurnStarted{},
			item(User, 50),
			measured(10_200, 10),
			TurnEnded{},
			Resumed{},
			TurnStarted{},
			item(User, 50),
		},
		"": {item(User, 50), measured(10_000, 10), item(ToolResults, 50)},
	} {
		if r := after(events...).Reading(); r.RangeCause.String() != want {
			t.Errorf("%q, want %q", r.RangeCause, want)
		}
	}
}

// TestCountedTextHasARangeOfItsOwn checks that the range of a session with exact counted steps becomes a single number,
// that a step with estimated text keeps its own width, and that more results at once widen its range.
func TestCountedTextHasARangeOfItsOwn(t *testing.T) {
	s := after(TurnStarted{}, item(User, 50), measured(50_000, 100))
	for range 120 {
		s.Apply(item(ToolResults, 200))
		s.Apply(measured(s.Reading().Used, 100))
	}
	width := func(items ...Event) int64 {
		l := s.Save()
		restored, ok := Restore(l, plain{})
		if !ok {
			t.Fatal("not restored")
		}
		for _, e := range items {
			restored.Apply(e)
		}
		r := restored.Reading()
		return r.High - r.Low
	}
	if w := width(item(ToolResults, 200)); w != 0 {
		t.Errorf("after 120 exact steps a range of %d", w)
	}
	result := func(characters int) Event {
		return Appended{Item: Item{Kind: ToolResults, Text: make([]byte, characters), Tokens: Unknown}}
	}
	one := width(result(4000))
	if one < 2*(12+500/13) {
		t.Errorf("estimated text has a range of %d", one)
	}
	if four := width(result(4000), result(1), result(1), result(1)); four < one+2*3*12 {
		t.Errorf("one result has a range of %d, four have %d", one, four)
	}
}
