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
		{60 * time.Millisecond, true, pauses{600 * time.Millisecond, 6 * time.Second, 120 * time.Second}},
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

// TestASearchPlansTheNextOne checks that the pauses begin when a search ends.
func TestASearchPlansTheNextOne(t *testing.T) {
	for _, complete := range []bool{true, false} {
		var s schedule
		var ended time.Time
		s.run(func() bool { ended = time.Now(); return complete })
		if s.searched.Before(ended) || s.noticed < 50*time.Millisecond || s.check < 5*time.Second || s.search < 5*time.Second || !complete && s.search > 10*time.Second {
			t.Errorf("after a search that was complete, %v: %+v", complete, s)
		}
		if s.due(ended, func() bool { return true }) {
			t.Error("a search is due when one has just ended")
		}
	}
}

// TestASearchIsDueAfterAPauseOrAChange checks at which times the directories found are checked, and when the next
// search is due.
func TestASearchIsDueAfterAPauseOrAChange(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	for _, c := range []struct {
		quiet, checked, cost time.Duration // since the last search and since the last check, and what that has cost
		changed, look, due   bool
	}{
		{0, time.Hour, 0, true, false, false},
		{searchEvery - 1, time.Hour, 0, true, false, false},
		{searchEvery, time.Hour, 0, false, true, false},
		{searchEvery, time.Hour, 0, true, true, true},
		{searchEvery, searchEvery, 0, true, true, true},
		{searchEvery, searchEvery - 1, 0, true, false, false},
		{searchEvery, 10*time.Second - 1, 5 * time.Millisecond, true, false, false},
		{searchEvery, 10 * time.Second, 5 * time.Millisecond, true, true, true},
		{searchEvery, 30*time.Second - 1, time.Hour, true, false, false},
		{searchEvery, 30 * time.Second, time.Hour, false, true, false},
		{time.Minute - 1, time.Hour, 0, false, true, false},
		{time.Minute, time.Hour, 0, false, false, true},
		{time.Hour, 0, 0, false, false, true},
	} {
		s := schedule{pauses: pauses{check: searchEvery, search: time.Minute}, searched: at.Add(-c.quiet), checked: at.Add(-c.checked), cost: c.cost}
		before, looked := s, false
		due := s.due(at, func() bool { looked = true; return c.changed })
		if due != c.due || looked != c.look {
			t.Errorf("%+v: the directories were checked: %v, and a search is due: %v", c, looked, due)
		}
		if looked && (!s.checked.Equal(at) || c.cost > 0 && s.cost == c.cost) || !looked && s != before {
			t.Errorf("%+v: the next check is planned with %+v", c, s)
		}
	}
}
