// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// inflation is the estimated content that provider-side tools added to the last prompt. It came with the request that
// used them, and later leaves all at once.
type inflation struct {
	tokens int64
	// stays is set if the content is sent again until the conversation is resumed.
	stays bool
}

// leaving returns the part that the next prompt will not contain.
func (i *inflation) leaving(resumed bool) int64 {
	if i.stays && !resumed {
		return 0
	}
	return i.tokens
}

func (i *inflation) walk(c *codec.Codec) {
	c.Ints("tokens", &i.tokens)
	c.Bools("stays", &i.stays)
}

// inflationLeaving returns the inflation that the next prompt will not contain.
func (s *Session) inflationLeaving() int64 { return s.inflation.leaving(s.changes.resumed) }

// learnInflation updates the inflation from the length of a measured prompt.
func (s *Session) learnInflation(r *request, folded *pending, m *Metered) {
	if s.inflation.tokens > 0 {
		s.learnDeflation(r, folded, m)
	}
	if !m.ServerTools && !m.Volatile {
		return
	}
	s.inflation.stays = m.ServerTools && m.ServerStays
	if p := s.predict(folded, nil, s.calibration.mode); r.in > p.used+p.used/100 {
		s.inflation.tokens += r.excess(p.used)
	}
}

// learnDeflation finds out whether the inflation has left: the prediction with the smaller error is right.
func (s *Session) learnDeflation(r *request, folded *pending, m *Metered) {
	inflated, stayed := s.inflation.tokens, s.inflation.stays
	expected := s.inflationLeaving() > 0
	s.inflation = inflation{tokens: inflated}
	missIfLeft := s.missWith(r, folded)
	s.inflation.tokens = 0
	whole := s.predict(folded, nil, s.calibration.mode).used
	missIfKept := distance(whole, r.in)
	kept := missIfKept <= missIfLeft
	if kept && m.Volatile && !stayed {
		expected = false // the excess was real content
	} else if kept {
		s.inflation.tokens = inflated
		if left := whole - r.in; left > r.in/100 { // a part of it
			s.inflation.tokens = max(inflated-left, 0)
		}
	}
	s.inflation.stays = stayed || expected && kept
}

// excess returns how much of a prompt that is longer than expected was counted although it was not there. Some routes
// count newly cached tokens twice; then the length without the second count is known exactly.
func (r *request) excess(expected int64) int64 {
	beyond := r.in - expected
	if r.cacheRead < 0 || r.cacheRead >= r.in {
		return beyond
	}
	twice := (r.in - r.cacheRead) / 2
	if off := beyond - twice; max(off, -off)*4 < beyond {
		return twice
	}
	return beyond
}
