// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"testing"
	"time"
)

// TestPausesFollowTheCostOfASearch checks that a cheap search is repeated after seconds, an expensive one takes a small
// share of the time, and one that left something out is repeated soon, however long it took.
func TestPausesFollowTheCostOfASearch(t *testing.T) {
	for _, c := range []struct {
		cost     time.Duration
		complete bool
		want     pauses
	}{
		{time.Millisecond, true, pauses{50 * time.Millisecond, 5 * time.Second, 5 * time.Second}},
		{200 * time.Millisecond, true, pauses{2 * time.Second, 10 * time.Second, 400 * time.Second}},
		{5 * time.Second, true, pauses{5 * time.Second, 10 * time.Second, 10_000 * time.Second}},
		{5 * time.Second, false, pauses{5 * time.Second, 10 * time.Second, 10 * time.Second}},
		{time.Millisecond, false, pauses{50 * time.Millisecond, 5 * time.Second, 5 * time.Second}},
	} {
		if got := pausesAfter(c.cost, c.complete); got != c.want {
			t.Errorf("after %s, complete %v: %v, want %v", c.cost, c.complete, got, c.want)
		}
	}
}
