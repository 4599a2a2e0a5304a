// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestWithoutAnAgentAForecastFollowsTheSession checks that forecasts of a conversation without an agent, which has no
// usual growth, cover the real numbers however fast it grows.
func TestWithoutAnAgentAForecastFollowsTheSession(t *testing.T) {
	const seed, threshold = 7, 160_000
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, seed))
	for _, mean := range []int64{300, 1_000, 4_000, 16_000} {
		covered, made, near := 0, 0, 0
		for range min(mean/20, 200) {
			s := New(Identity{ID: "a"}, plain{})
			var forecasts []Range
			for in := 5_000 + random.Int64N(30_000); in < threshold; in += int64(random.ExpFloat64() * float64(mean)) {
				s.Apply(measured(in, 0))
				if calls, known := s.callsLeft(threshold - in); known {
					forecasts = append(forecasts, calls)
				}
			}
			for i, f := range forecasts {
				came := int64(len(forecasts) - i)
				made++
				if f.Low <= came && came <= f.High {
					covered++
				}
				if f.Likely <= 3*came && came <= 3*f.Likely {
					near++
				}
			}
		}
		if covered*100 < 72*made || near*100 < 84*made {
			t.Errorf("growth of %d tokens in the mean: of %d forecasts %d covered what came, and %d were within a factor of three", mean, made, covered, near)
		}
		t.Logf("growth of %d: %d%% of %d covered, %d%% within a factor of three", mean, covered*100/made, made, near*100/made)
	}
}

// TestTurnsOfEarlierSessionsMakeTheForecast checks that turns are forecast by the requests and turns of earlier
// sessions only if both are known.
func TestTurnsOfEarlierSessionsMakeTheForecast(t *testing.T) {
	for pace, want := range map[Pace]Range{
		{100_000, 50, 0, 0}:  {1, 2, 5},
		{100_000, 50, 10, 0}: {1, 2, 5},
		{100_000, 50, 0, 10}: {1, 2, 5},
		{100_000, 50, 1, 1}:  {8, 28, 74},
		{100_000, 50, 20, 5}: {2, 7, 19},
	} {
		s := after()
		s.Agent = "claude-code"
		s.learnPace(&Lesson{Session: 1, Paces: []Pace{pace}})
		if got, known := s.turnsLeft(Range{20, 40, 80}); got != want || !known {
			t.Errorf("%+v: %v turns are left, want %v", pace, got, want)
		}
	}
}

// TestForecastsAreMadeForThresholdsAhead checks for which sizes forecasts are recorded: from 40% of a size on, until it
// is reached.
func TestForecastsAreMadeForThresholdsAhead(t *testing.T) {
	for used, want := range map[int64]string{31_999: "", 32_000: "80000 ", 47_999: "80000 ", 48_000: "80000 120000 ", 79_999: "80000 120000 160000 ", 80_000: "120000 160000 200000 ", 240_000: ""} {
		s := after()
		s.learnPace(&Lesson{Session: 1, Paces: []Pace{{100_000, 50, 20, 5}}})
		s.Apply(measured(used, 0))
		got := ""
		for _, f := range s.forecasts() {
			got += fmt.Sprint(f.Threshold, " ")
		}
		if got != want {
			t.Errorf("with %d tokens there are forecasts for %q, want %q", used, got, want)
		}
	}
}
