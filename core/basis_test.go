// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestTheBasisOfASum checks every pair, in both orders.
func TestTheBasisOfASum(t *testing.T) {
	names := [bases]string{"?", "m", "c", "d", "e", "mc", "me"}
	for a, row := range [bases][bases]string{
		//                 ?    m     c     d     e     mc    me
		BasisUnknown:      {"?", "?", "?", "?", "?", "?", "?"},
		Measured:          {"?", "m", "mc", "m", "me", "mc", "me"},
		Counted:           {"?", "mc", "c", "mc", "e", "mc", "me"},
		Derived:           {"?", "m", "mc", "d", "me", "mc", "me"},
		Estimated:         {"?", "me", "e", "me", "e", "me", "me"},
		MeasuredCounted:   {"?", "mc", "mc", "mc", "me", "mc", "me"},
		MeasuredEstimated: {"?", "me", "me", "me", "me", "me", "me"},
	} {
		for b, want := range row {
			if got := Basis(a).plus(Basis(b)); names[got] != want {
				t.Errorf("%s and %s: %s, want %s", Basis(a), Basis(b), names[got], want)
			}
		}
		if got := BasisUnknown.with(Basis(a)); got != Basis(a) {
			t.Errorf("an empty sum and %s: %s", Basis(a), got)
		}
	}
}

// TestEverySourceOfALimitHasItsLabel checks the names of sources and the labels that are printed for them.
func TestEverySourceOfALimitHasItsLabel(t *testing.T) {
	for name, want := range map[string]string{"registry": "table of models", "user": "set by you", "": "unknown", "other": "unknown"} {
		if got := LimitSourceLabel(name).Text().String(); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
