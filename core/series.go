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

// seriesMost bounds a value in a sum.
const seriesMost = 1 << 20

func (s *series) walk(c *codec.Codec) {
	c.Ints("n", &s.n)
	c.Array("ring", s.ring[:])
	c.Refuse(s.n < 0)
}
