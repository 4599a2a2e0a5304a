// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

const growthsKept = 128

// growth remembers by how much the prompt grew from call to call.
type growth struct {
	ring [growthsKept]int64
	n    int64

	// The answer of means, kept until a value is added or the agent's mean
	// changes: a Reading is made far more often than a request.
	summarised, mean, logs int64
	// own is the logarithm of the session's own mean, and steady how far it can
	// be relied on, in thousandths.
	own, steady int64
	// uneven is the variance of the values against the square of their mean, in
	// thousandths, where means was asked last; Unknown while they are few.
	uneven int64
}

func (g *growth) add(tokens int64) {
	if tokens < 0 {
		return // a prompt that was pruned or rewound says nothing about growth
	}
	g.ring[g.n%growthsKept] = tokens
	g.n++
}

// last returns the newest values, oldest first.
func (g *growth) last(n int64, into []int64) []int64 {
	n = min(n, g.n, growthsKept)
	for i := g.n - n; i < g.n; i++ {
		into = append(into, g.ring[i%growthsKept])
	}
	return into
}

// means are four views of how much a call adds: the recent mean pulled towards
// the agent's own, that mean itself, the recent median, and the mean of the
// session without its extremes. means returns the weighted sum of their
// logarithms, in hundredths.
func (g *growth) means(mean int64) int64 {
	if g.logs != 0 && g.summarised == g.n && g.mean == mean {
		return g.logs
	}
	g.uneven = g.unevenness()
	g.own, g.steady = g.regularity()
	sum30, median20, winsorised := int64(0), mean, mean
	var buffer [growthsKept]int64
	for _, n := range g.last(30, buffer[:0]) {
		sum30 += n
	}
	if g.n >= 5 {
		all := g.last(growthsKept, buffer[:0])
		slices.Sort(all)
		top, sum := all[quantile(len(all), 90)], int64(0)
		for _, n := range all {
			sum += min(n, top)
		}
		winsorised = sum / int64(len(all))
		last20 := g.last(20, buffer[:0])
		slices.Sort(last20)
		median20 = last20[len(last20)/2]
	}
	mean30 := (10*mean + sum30) / (10 + min(g.n, 30))
	g.summarised, g.mean = g.n, mean
	g.logs = 19*log2(atLeastOne(mean30), 1) + 41*log2(atLeastOne(mean), 1) + 7*log2(atLeastOne(median20), 1) + 23*log2(atLeastOne(winsorised), 1)
	return g.logs
}

// unevenFrom is how many values show whether growth is even.
const unevenFrom = 8

func (g *growth) unevenness() int64 {
	var buffer [growthsKept]int64
	all := g.last(growthsKept, buffer[:0])
	if len(all) < unevenFrom {
		return Unknown
	}
	sum, squares, n := int64(0), int64(0), int64(len(all))
	for _, v := range all {
		v = min(v, 1<<21)
		sum += v
		squares += v * v
	}
	if sum == 0 {
		return 0
	}
	return mulDiv(max(n*squares-sum*sum, 0), 1000, sum*sum)
}

const (
	// periodMost is the longest period of growth that is recognized, in calls,
	// and periodsEnough how many periods show one.
	periodMost    = 8
	periodsEnough = 3
	// steadyHalf is the error that gives the mean half of the weight: 3%, in millionths of the square of the mean.
	steadyHalf = 1000
	// growthMost bounds a value, so that the squares of sums fit into 63 bits.
	growthMost = 1 << 20
)

// regularity returns the logarithm of the session's mean, and how far that can
// be relied on, in thousandths. The standard error of the mean follows from the
// sums over periods: calls that add little and much in turn are as regular as
// calls that all add the same. The period with the smallest error is used.
func (g *growth) regularity() (mean, weight int64) {
	var buffer [growthsKept]int64
	all := g.last(growthsKept, buffer[:0])
	for i, v := range all {
		all[i] = min(v, growthMost)
	}
	least := int64(-1)
	for period := 1; period <= periodMost && len(all) >= period*periodsEnough; period++ {
		sum, squares, n := int64(0), int64(0), int64(len(all)/period)
		for end := len(all); end >= period; end -= period {
			part := int64(0)
			for _, v := range all[end-period : end] {
				part += v
			}
			sum += part
			squares += part * part
		}
		if sum == 0 {
			continue
		}
		if off := mulDiv(max(n*squares-sum*sum, 0), 1_000_000, (n-1)*sum*sum); least < 0 || off < least {
			least, mean = off, log2(uint64(sum), uint64(n)*uint64(period))
		}
	}
	if least < 0 {
		return 0, 0
	}
	return mean, 1000 * steadyHalf / (steadyHalf + least)
}

func atLeastOne(n int64) uint64 { return uint64(max(n, 1)) }

func (g *growth) walk(c *codec.Codec) {
	c.Ints("n", &g.n)
	c.Array("ring", g.ring[:])
	c.Refuse(g.n < 0)
}
