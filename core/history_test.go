// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"
)

func TestALongCurveKeepsEveryStrideThPointAndTheLast(t *testing.T) {
	var c curve
	c.amend(7) // without a request this does nothing
	const calls = 5*pointsKept + 3
	for call := int64(1); call <= calls; call++ {
		c.point(call*1000, call, call*10)
	}
	if len(c.points) > pointsKept+1 {
		t.Errorf("%d points are kept", len(c.points))
	}
	if c.stride != 8 || len(c.points) < pointsKept/2 {
		t.Errorf("every %dth of %d calls is kept, %d points", c.stride, calls, len(c.points))
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
		h.requested(&request{in: i}, false, 0)
	}
	landings := h.curve.landings
	if h.compactions != compactionsKept+10 || len(landings) != compactionsKept {
		t.Errorf("%d compactions, %d kept", h.compactions, len(landings))
	}
	if last := landings[len(landings)-1]; last != (Landing{compactionsKept + 10, compactionsKept + 10, 100 * (compactionsKept + 10), compactionsKept + 10, true}) {
		t.Errorf("%+v", last)
	}
	h.justCompacted = false
	h.requested(&request{in: 1}, false, 0)
	if landings[len(landings)-1].After == 1 {
		t.Error("a later request moved the landing")
	}
}

func TestGrowthIgnoresPromptsThatShrank(t *testing.T) {
	var g series
	for _, n := range []int64{100, -5000, 200, 300, -1, 400} {
		g.add(n)
	}
	if got := g.last(10, nil); !slices.Equal(got, []int64{100, 200, 300, 400}) {
		t.Errorf("%v", got)
	}
	for i := range int64(seriesKept) {
		g.add(i)
	}
	if got := g.last(3, nil); !slices.Equal(got, []int64{seriesKept - 3, seriesKept - 2, seriesKept - 1}) {
		t.Errorf("%v", got)
	}
}

// TestGrowthMovesTheForecastAwayFromTheAgentsMean checks that a session that grows faster than others has fewer
// requests left, and that a new value changes the forecast.
func TestGrowthMovesTheForecastAwayFromTheAgentsMean(t *testing.T) {
	left := func(usual int64, growths ...int64) int64 {
		s := New(Identity{}, plain{})
		s.rule.Growth = usual
		for _, n := range growths {
			s.history.growth.add(n)
		}
		calls, _ := s.callsLeft(100_000)
		return calls.Likely
	}
	uneven := func(mean int64) (list []int64) {
		for i := range 40 {
			list = append(list, mean/10)
			if i*i%11 == 3 {
				list = append(list, 6*mean)
			}
		}
		return list
	}
	usual, slow, fast := left(1500, uneven(1500)...), left(1500, uneven(100)...), left(1500, uneven(9000)...)
	if slow <= usual || fast >= usual {
		t.Errorf("usual %d, slow %d, fast %d", usual, slow, fast)
	}
	if left(100, uneven(1500)...) <= usual {
		t.Error("an agent whose sessions grow less has no more requests left")
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
	if s != (Spent{Calls: 1, In: 100, Out: 30, CacheRead: 60, Reasoning: 5, cost: 7600}) {
		t.Errorf("%+v", s)
	}
	s.atLeast(&Metered{In: 500, Out: 20, CacheRead: Unknown, CacheWrite: Unknown, Reasoning: Unknown})
	if s != (Spent{Calls: 1, In: 500, Out: 30, CacheRead: 60, Reasoning: 5, cost: 52_000}) {
		t.Errorf("raised to a sum: %+v", s)
	}
}

func TestSpentIsWeighedByTheClassOfItsTokens(t *testing.T) {
	var s Spent
	m := NewMetered()
	m.In, m.Out, m.CacheRead, m.CacheWrite, m.KeptLong = 100_000, 2000, 80_000, 15_000, 5000
	s.add(&m)
	// 5,000 plain, 2,000 of output, 8,000 for tokens read, 12,500 and 10,000 for tokens written.
	if got := s.Effective(); got != 37_500 {
		t.Errorf("effective %d", got)
	}
	if got := s.Total(); got != 102_000 {
		t.Errorf("total %d", got)
	}
}

// TestTheUsersTokensAreMessages checks which items count as the user's, measured or pending.
func TestTheUsersTokensAreMessages(t *testing.T) {
	s := after(item(User, 50), item(Documents, 700), item(ToolResults, 3000), measured(9000, 10), item(Assistant, 10), item(User, 5), item(Documents, 9))
	if got := s.userTokens(); got != 55 {
		t.Errorf("%d tokens are the user's", got)
	}
}

// TestACompactionLeavesThePromptWithoutTheUsersNextMessage checks what a compaction left: the next prompt, less a large
// message of the user.
func TestACompactionLeavesThePromptWithoutTheUsersNextMessage(t *testing.T) {
	for _, c := range []struct {
		added Event
		left  int64
		basis Basis
	}{
		{item(User, 100), 20_000, Measured},
		{item(User, 5000), 15_000, Estimated},
		{item(Documents, 5000), 20_000, Measured},
	} {
		s := after(item(User, 50_000), measured(90_000, 10), Compacted{Before: Unknown, Tokens: Unknown, Recorded: true}, c.added, measured(20_000, 10))
		v := s.Verdicts()
		if len(v) != 1 || v[0].Left != c.left || v[0].LeftBasis != c.basis {
			t.Errorf("after %+v: %+v, not %d %s", c.added, v, c.left, c.basis)
		}
		if _, landings := s.Curve(); landings[0].After != c.left {
			t.Errorf("the chart says %d, not %d", landings[0].After, c.left)
		}
	}
}
