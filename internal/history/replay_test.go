// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
)

func TestPercentiles(t *testing.T) {
	for n, want := range map[int][3]int64{1: {1, 1, 1}, 2: {1, 2, 2}, 20: {10, 19, 20}, 100: {50, 95, 99}} {
		var sorted []int64
		for i := range n {
			sorted = append(sorted, int64(i+1))
		}
		if got := [3]int64{rank(sorted, 50), rank(sorted, 95), rank(sorted, 99)}; got != want {
			t.Errorf("of 1…%d the percentiles are %v, want %v", n, got, want)
		}
	}
}

// TestReturnsAreCountedByOutcome checks the three outcomes of a forecast, and that a request found in two files is
// included once.
func TestReturnsAreCountedByOutcome(t *testing.T) {
	at := func(sent, read int64, cold bool) follow.Step {
		time := api.Time(sent)
		return follow.Step{Return: &api.Return{
			Back:  api.Back{WarmUntil: 1000, ColdFrom: 2000, Cause: "time", Life: 300_000, Rewritten: 110},
			Pause: 400_000, Sent: &time, Read: read, Wrote: 100, Cold: cold,
		}}
	}
	r := NewReturns()
	r.Add("a", []follow.Step{at(1000, 1, false), at(1500, 2, true), at(2000, 3, true), at(2001, 4, false), {}}, nil)
	r.Add("b", []follow.Step{at(2001, 4, false)}, []api.Verdict{{Trigger: "auto"}})
	list := r.list()
	q := list[len(list)-1]
	if q.Pauses != 4 || q.Cold != 2 || q.Right != 2 || q.Perhaps != 1 || q.HitPercent != 62.5 || q.MedianPercent != 10 {
		t.Errorf("%+v", q)
	}
	if len(r.wrong) != 1 || r.wrong[0].Read != 4 || len(r.verdicts) != 1 {
		t.Errorf("%+v", r)
	}
}
