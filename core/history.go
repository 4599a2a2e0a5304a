// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// history describes the whole session. It never enters used.
type history struct {
	spent       Spent
	compactions int64
	// justCompacted is set from a compaction until the next request.
	justCompacted bool
	earlier       Pace   // the pace of earlier sessions in this workspace
	growth        series // growth of the prompt from request to request
	curve         curve
	verdicts      []Verdict      // the last compactions
	userLeft      int64          // size of the user's messages after the last compaction
	steps         []StepMade     // predictions since TakeSteps; kept while Recording
	beforePause   *pauseForecast // the forecast before the end of a pause; kept while Recording
	landing       *Range         // predicted size after the last compaction; kept while Recording
}

// requested records a measured prompt: the first one after a compaction, less what the user added to it, shows the size
// that the compaction left. Small additions are not subtracted, so that the size remains a measured one.
func (h *history) requested(r *request, counted bool, user int64) {
	if !h.justCompacted {
		return
	}
	left, basis := r.in, Measured
	if counted {
		basis = Counted
	}
	if added := user - h.userLeft; added > r.in/leftLatitude {
		left, basis = max(r.in-added, 0), Estimated
	}
	if r.has(requestDoubtful) {
		basis = Estimated
	}
	h.curve.setLanding(left)
	h.setLeft(left, basis)
}

// leftLatitude is the share of the first prompt after a compaction, a twentieth, that the user may have added to it.
const leftLatitude = 20

// userTokens returns the size of the user's messages in the conversation. Files do not count: the agent attaches some
// again after a compaction, and they are part of what it left.
func (s *Session) userTokens() int64 {
	return s.conversation.rows.tokens[User] + s.conversation.pending.rows[User]
}

// compacted records a compaction of a prompt of before tokens.
func (h *history) compacted(time, before int64, auto bool) {
	h.compactions++
	h.justCompacted = true
	h.curve.compacted(time, h.spent.Calls, before, auto)
}

func (h *history) walk(c *codec.Codec) {
	c.Ints("compactions", &h.compactions)
	c.Bools("justCompacted", &h.justCompacted)
	h.spent.walk(c.Part("spent"))
	h.growth.walk(c.Part("growth"))
	h.earlier.walk(c.Part("earlier"))
	h.curve.walk(c.Part("curve"))
	codec.List(c, "verdicts", &h.verdicts, verdictsKept, (*Verdict).walk)
	c.Ints("userLeft", &h.userLeft)
}

// Curve returns the session's usage chart so far.
func (s *Session) Curve() ([]Point, []Landing) {
	return s.history.curve.points, s.history.curve.landings
}
