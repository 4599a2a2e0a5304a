// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestFixedPointAgreesWithFloatingPoint(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 20000 {
		n, one := r.Uint64N(1<<40)+1, r.Uint64N(1<<30)+1
		want := math.Log2(float64(n) / float64(one))
		if got := float64(log2(n, one)) / logOne; math.Abs(got-want) > 4e-5 {
			t.Fatalf("log2(%d/%d) = %v, want %v", n, one, got, want)
		}
		x := r.Int64N(40*logOne) - 20*logOne
		want = math.Exp2(float64(x)/logOne) * 1e6
		if got := float64(exp2(x, 1_000_000)); math.Abs(got-want) > want*1e-9+1 {
			t.Fatalf("exp2(%d) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []int64{-200 * logOne, 70 * logOne, 200 * logOne} {
		exp2(x, 1<<62) // saturates, never panics
	}
}

func TestPercentagesRoundHalfUp(t *testing.T) {
	for _, c := range []struct{ part, whole, want int64 }{
		{52100, 200000, 2605},
		{170105, 200000, 8505},
		{1, 3, 3333},
		{2, 3, 6667},
		{1, 20000, 1},
		{1, 20001, 0},
		{5, 5115, 10},
		{-5, 5115, -10},
		{0, 0, 0},
		{300, 200, 15000},
	} {
		if got := hundredths(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d is %d hundredths of a percent, want %d", c.part, c.whole, got, c.want)
		}
	}
}
