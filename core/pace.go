// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

// Pace describes how a session grew: by how many tokens in how many steps from one request to the next, and how many
// requests it had in how many turns.
type Pace struct{ Tokens, Steps, Requests, Turns int64 }

// pacesMost bounds each number of a Pace.
const pacesMost = 1 << 40

// pace returns the session's growth so far.
func (s *Session) pace() Pace {
	tokens, steps := s.history.growth.sum()
	return Pace{tokens, steps, s.turn.calls, s.turn.number}
}

// sane reports whether the numbers of a pace are plausible.
func (p Pace) sane() bool {
	for _, n := range [...]int64{p.Tokens, p.Steps, p.Requests, p.Turns} {
		if n < 0 || n > pacesMost {
			return false
		}
	}
	return true
}

// learnPace adopts the growth of earlier sessions. A session learns nothing from itself.
func (s *Session) learnPace(l *Lesson) {
	others := l.Paces
	if l.Session == fnv.Hash(s.ID) && len(others) > 0 {
		others = others[:len(others)-1]
	}
	sum := Pace{}
	for _, p := range others {
		if p.sane() {
			sum = Pace{sum.Tokens + p.Tokens, sum.Steps + p.Steps, sum.Requests + p.Requests, sum.Turns + p.Turns}
		}
	}
	s.history.earlier = sum
}

// fromEarlier reports whether forecasts are based on earlier sessions, because this one has too few measured requests
// and they have enough.
func (s *Session) fromEarlier() bool {
	return s.history.growth.n < growthsEnough && s.history.earlier.Steps >= growthsEnough && s.history.earlier.Tokens > 0
}

func (p *Pace) walk(c *codec.Codec) {
	c.Ints("Tokens Steps Requests Turns", &p.Tokens, &p.Steps, &p.Requests, &p.Turns)
	c.Refuse(!p.sane())
}
