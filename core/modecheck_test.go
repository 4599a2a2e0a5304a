// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestSizesShowAnotherReasoningMode(t *testing.T) {
	type offs = [reasoningModes]int64
	for _, c := range []struct {
		name      string
		mode      ReasoningMode
		estimated int64
		explained bool
		stayed    bool
		offs      []offs
		want      ReasoningMode
	}{
		{"one error that a mode explains exactly", ReasoningTurn, 0, false, false, []offs{{1000, 1000, 10}}, ReasoningAlways},
		{"one that it explains within a tenth", ReasoningTurn, 0, false, false, []offs{{1000, 1000, 90}}, ReasoningTurn},
		{"one that estimated text may have made", ReasoningTurn, 9000, false, false, []offs{{1000, 1000, 10}}, ReasoningTurn},
		{"one that came back after a pause", ReasoningTurn, 0, true, false, []offs{{1000, 1000, 10}}, ReasoningTurn},
		{"three that it explains within a tenth", ReasoningTurn, 9000, true, false, []offs{{1000, 1000, 90}, {2000, 2000, -150}, {500, 500, 40}}, ReasoningAlways},
		{"three with one of another sign", ReasoningTurn, 9000, true, false, []offs{{1000, 1000, 90}, {-2000, -2000, 150}, {500, 500, 40}}, ReasoningTurn},
		{"three between requests that tell nothing and were shorter", ReasoningTurn, 9000, true, false, []offs{{1000, 1000, 90}, {-300, -300, -300}, {2000, 2000, -150}, {-400, -400, -400}, {500, 500, 40}}, ReasoningAlways},
		{"three that were shorter", ReasoningAlways, 9000, true, false, []offs{{0, 60, -1000}, {0, 60, -1000}, {0, 60, -1000}}, ReasoningNever},
		{"requests that tell nothing between them", ReasoningTurn, 9000, true, false, []offs{{1000, 1000, 90}, {30, 30, 30}, {2000, 2000, -150}, {30, 30, 0}, {500, 500, 40}}, ReasoningAlways},
		{"an error that no mode explains between them", ReasoningTurn, 9000, true, false, []offs{{1000, 1000, 90}, {2000, 2000, 900}, {500, 500, 40}, {500, 500, 40}}, ReasoningTurn},
		{"one after a request that refuted it", ReasoningTurn, 0, false, false, []offs{{0, 0, -1000}, {1000, 1000, 10}}, ReasoningTurn},
		{"three after a request that refuted it", ReasoningTurn, 0, false, false, []offs{{0, 0, -1000}, {1000, 1000, 10}, {1000, 1000, 10}, {1000, 1000, 10}}, ReasoningAlways},
		{"one after a refutation, if what came back stayed", ReasoningTurn, 0, false, true, []offs{{0, 0, -1000}, {1000, 1000, 10}}, ReasoningAlways},
		{"a shorter request", ReasoningAlways, 0, false, false, []offs{{0, 0, -1000}}, ReasoningNever},
		{"a difference too small to compare", ReasoningTurn, 0, false, false, []offs{{90, 90, 0}, {90, 90, 0}, {90, 90, 0}, {90, 90, 0}}, ReasoningTurn},
	} {
		var check modeCheck
		mode := c.mode
		for _, off := range c.offs {
			mode = check.compare(off, c.mode, c.estimated, c.explained, c.stayed)
		}
		if mode != c.want {
			t.Errorf("%s: mode %s, want %s", c.name, mode, c.want)
		}
	}
}

func TestAFixedReasoningModeIsKept(t *testing.T) {
	s := after()
	s.FixReasoning(ReasoningTurn)
	s.Apply(measured(10_000, 2_000, reasoning(1_000)))
	for range 4 {
		s.Apply(TurnEnded{})
		s.Apply(TurnStarted{})
		s.Apply(measured(s.requests.anchor().in+2_000, 2_000, reasoning(1_000)))
		if r := s.Reading(); r.Accuracy.Last.Error != -1000 || len(r.Warnings) > 0 {
			t.Fatalf("%+v %v", r.Accuracy.Last, r.Warnings)
		}
	}
}
