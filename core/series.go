// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// seriesKept is how many values a series keeps.
const seriesKept = 128

// series keeps the newest values of a quantity: the growth of the prompt from request to request, or the number of
// requests in a turn.
type series struct {
	ring [seriesKept]int64
	n    int64

	// regular caches the result of regularity for the first summarized values: Readings are made far more often than
	// requests.
	regular    regularity
	summarized int64
}

// add appends a value. A negative one is ignored: a prompt that was pruned or rewound shows nothing about growth.
func (s *series) add(value int64) {
	if value < 0 {
		return
	}
	s.ring[s.n%seriesKept] = value
	s.n++
}

// last appends the n newest values to into, the oldest first.
func (s *series) last(n int64, into []int64) []int64 {
	n = min(n, s.n, seriesKept)
	for i := s.n - n; i < s.n; i++ {
		into = append(into, s.ring[i%seriesKept])
	}
	return into
}

// sum returns the sum and the number of the stored values.
func (s *series) sum() (sum, n int64) {
	n = min(s.n, seriesKept)
	for _, v := range s.ring[:n] {
		sum += min(v, seriesMost)
	}
	return sum, n
}

// recent returns the sum and the number of the newest values, each capped at limit.
func (s *series) recent(most, limit int64) (sum, n int64) {
	n = min(s.n, most, seriesKept)
	for i := s.n - n; i < s.n; i++ {
		sum += min(s.ring[i%seriesKept], limit)
	}
	return sum, n
}

const (
	// periodMost is the longest recognized period, in values, and periodsEnough how many periods are needed to
	// recognize one.
	periodMost    = 8
	periodsEnough = 3
	// steadyHalf is the error at which a series' own mean has half of the weight: 1.7%, in millionths of the square of
	// the mean. In recorded sessions the error is hardly ever below 5%.
	steadyHalf = 300
	// seriesMost bounds a value, so that the squares of sums fit into 63 bits.
	seriesMost = 1 << 20
)

// regularity is a series' own mean, sum divided by n, and its reliability in thousandths.
type regularity struct{ sum, n, weight int64 }

// regularity returns the mean of the values. Its standard error follows from the sums over periods: alternating small
// and large values are as regular as equal ones. The period with the smallest error is used.
func (s *series) regularity() regularity {
	if s.summarized == s.n {
		return s.regular
	}
	s.summarized, s.regular = s.n, regularity{}
	var buffer [seriesKept]int64
	all := s.last(seriesKept, buffer[:0])
	for i, v := range all {
		all[i] = min(v, seriesMost)
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
			least = off
			s.regular = regularity{sum, n * int64(period), 1000 * steadyHalf / (steadyHalf + off)}
		}
	}
	return s.regular
}

func (s *series) walk(c *codec.Codec) {
	c.Ints("n", &s.n)
	c.Array("ring", s.ring[:])
	c.Refuse(s.n < 0)
}
