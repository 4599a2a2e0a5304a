// Copyright The ctx-lsp authors. MIT licence.

package main

import "testing"

// TestNoiseDecidesNothing checks that a few lucky rounds do not decide the result in docs/performance.md.
func TestNoiseDecidesNothing(t *testing.T) {
	rounds := func(ratios ...float64) []float64 {
		var all []float64
		for range 4 {
			all = append(all, ratios...)
		}
		return all
	}
	for want, ratios := range map[string][]float64{
		"within a tenth":    rounds(0.97, 1.02, 1.01, 0.99, 9), // other load affected one round in five
		"more than a tenth": rounds(1.2, 1.3, 1.25, 1.22, 0.5),
		"these rounds do not decide whether it is within a tenth": rounds(0.5, 2, 0.8, 1.3, 1),
	} {
		if s := spreadOf(ratios); s.verdict() != want {
			t.Errorf("%v are %q, want %q: %+v", ratios, s.verdict(), want, s)
		}
	}
	if s := spreadOf([]float64{3, 1, 2}); s.median != 2 || s.low != 1 || s.high != 3 {
		t.Errorf("of three rounds: %+v", s)
	}
}
