// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"
)

func TestALongCurveKeepsEveryStrideThPointAndTheLast(t *testing.T) {
	var c curve
	const calls = 5*pointsKept + 3
	for call := int64(1); call <= calls; call++ {
		c.point(call*1000, call, call*10)
	}
	if len(c.points) > pointsKept+1 {
		t.Errorf("%d points are kept", len(c.points))
	}
	last := len(c.points) - 1
	if c.points[last].Call != calls {
		t.Errorf("the last point is of call %d", c.points[last].Call)
	}
	for i, p := range c.points[1:last] {
		if p.Call%c.stride != 0 || p.Call-c.points[i].Call > c.stride {
			t.Fatalf("point %d is of call %d, the one before of %d, the stride %d", i+1, p.Call, c.points[i].Call, c.stride)
		}
	}
	c.amend(7)
	if c.points[last].Used != 7 {
		t.Error("a request reported again does not correct the last point")
	}
}

func TestTheLastCompactionsAreKept(t *testing.T) {
	var h history
	for i := int64(1); i <= compactionsKept+10; i++ {
		h.spent.Calls = i
		h.compacted(i, 100*i, i%2 == 0)
		if !h.justCompacted {
			t.Fatal("a compaction is not noted")
		}
		h.requested(i)
	}
	landings := h.curve.landings
	if h.compactions != compactionsKept+10 || len(landings) != compactionsKept {
		t.Errorf("%d compactions, %d kept", h.compactions, len(landings))
	}
	if last := landings[len(landings)-1]; last != (Landing{compactionsKept + 10, compactionsKept + 10, 100 * (compactionsKept + 10), compactionsKept + 10, true}) {
		t.Errorf("%+v", last)
	}
	h.justCompacted = false
	h.requested(1)
	if landings[len(landings)-1].After == 1 {
		t.Error("a later request moved the landing")
	}
}

func TestGrowthIgnoresPromptsThatShrank(t *testing.T) {
	var g growth
	for _, n := range []int64{100, -5000, 200, 300, -1, 400} {
		g.add(n)
	}
	if got := g.last(10, nil); !slices.Equal(got, []int64{100, 200, 300, 400}) {
		t.Errorf("%v", got)
	}
	for i := range int64(growthsKept) {
		g.add(i)
	}
	if got := g.last(3, nil); !slices.Equal(got, []int64{growthsKept - 3, growthsKept - 2, growthsKept - 1}) {
		t.Errorf("%v", got)
	}
}

func TestGrowthMovesTheForecastAwayFromTheAgentsMean(t *testing.T) {
	var usual, slow, fast growth
	for range 40 {
		slow.add(100)
		fast.add(9000)
	}
	if u, s, f := usual.means(1500), slow.means(1500), fast.means(1500); s >= u || f <= u {
		t.Errorf("usual %d, slow %d, fast %d", u, s, f)
	}
	one := fast.means(1500)
	fast.add(1)
	if fast.means(1500) == one {
		t.Error("a new value does not change the answer")
	}
	if fast.means(100) == fast.means(1500) {
		t.Error("another agent's mean does not change the answer")
	}
}

func TestSpentCountsARequestOnce(t *testing.T) {
	var s Spent
	m := NewMetered()
	m.In, m.Out, m.CacheRead = 100, 10, 60
	s.add(&m)
	before := request{in: 100, out: 10, reasoning: Unknown, cacheRead: 60, cacheWrite: Unknown}
	after := before
	after.out, after.reasoning = 30, 5
	s.replace(&before, &after)
	if s != (Spent{Calls: 1, In: 100, Out: 30, CacheRead: 60, Reasoning: 5, weighed: 7600}) {
		t.Errorf("%+v", s)
	}
	s.atLeast(&Metered{In: 500, Out: 20, CacheRead: Unknown, CacheWrite: Unknown, Reasoning: Unknown})
	if s != (Spent{Calls: 1, In: 500, Out: 30, CacheRead: 60, Reasoning: 5, weighed: 52_000}) {
		t.Errorf("raised to a sum: %+v", s)
	}
}

func TestSpentIsWeighedByTheClassOfItsTokens(t *testing.T) {
	var s Spent
	m := NewMetered()
	m.In, m.Out, m.CacheRead, m.CacheWrite, m.KeptLong = 100_000, 2000, 80_000, 15_000, 5000
	s.add(&m)
	// 5,000 plain, 2,000 of output, 8,000 for what was read, 12,500 and 10,000 for what was written.
	if got := s.Effective(); got != 37_500 {
		t.Errorf("effective %d", got)
	}
	if got := s.Total(); got != 102_000 {
		t.Errorf("total %d", got)
	}
}
