// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// ThresholdMove is a change of the compaction threshold during a session, such as one that another session has shown.
// What the agent counts differently is subtracted from both thresholds, see ThresholdAdjusts, and no part of them.
type ThresholdMove struct {
	At, Call int64 // when it changed; 0 if unknown; and the number of the request before it
	From, To int64
	Source   ThresholdSourceKind // the source of the new threshold
	Text     Text                // all of this as a message, in the moves of a Reading and of Moves
}

const (
	// movesKept is how many moves a session remembers.
	movesKept = 20
	// moveLeast is the smallest share of a threshold, a hundredth, that is a move.
	moveLeast = 100
)

// thresholdMoves are the moves of a session's threshold.
type thresholdMoves struct {
	last int64 // the threshold after the last move; 0 if unknown
	list []ThresholdMove
}

func (m *thresholdMoves) walk(c *codec.Codec) {
	c.Ints("last", &m.last)
	codec.List(c, "list", &m.list, movesKept, (*ThresholdMove).walk)
	c.Refuse(m.last < 0)
}

func (m *ThresholdMove) walk(c *codec.Codec) {
	c.Ints("At Call From To", &m.At, &m.Call, &m.From, &m.To)
	codec.Below(c, "Source", &m.Source, thresholdSourceKinds)
	c.Refuse(m.At < 0 || m.Call < 0 || m.From <= 0 || m.To <= 0)
}

// watchThreshold records that the threshold has changed. Before the first request, rules and settings are still
// arriving.
func (s *Session) watchThreshold() {
	l, _ := s.Limits()
	threshold, from := s.thresholdFrom(l)
	if limit := l.limit(); limit > 0 && max(limit-s.reserve(l), 0) < threshold {
		threshold, from = max(limit-s.reserve(l), 0), FromLargestPrompt
	}
	m := &s.moves
	if threshold <= 0 || s.history.spent.Calls == 0 || distance(threshold, m.last) < max(threshold, m.last)/moveLeast {
		return
	}
	if m.last > 0 {
		if len(m.list) == movesKept {
			m.list = append(m.list[:0], m.list[1:]...)
		}
		m.list = append(m.list, ThresholdMove{At: max(s.now, 0), Call: s.history.spent.Calls, From: m.last, To: threshold, Source: from})
	}
	m.last = threshold
}

// Moves returns the last changes of the compaction threshold, the oldest first.
func (s *Session) Moves() []ThresholdMove {
	list := make([]ThresholdMove, len(s.moves.list))
	for i := range list {
		list[i] = s.moves.list[i]
		list[i].Text = list[i].sentence()
	}
	return list
}

// readMoved fills the last move of a Reading.
func (s *Session) readMoved(out *Reading) {
	out.Compaction.Moved = nil
	if n := len(s.moves.list); n > 0 {
		out.storage.moved = s.moves.list[n-1]
		out.storage.moved.Text = out.storage.moved.sentence()
		out.Compaction.Moved = &out.storage.moved
	}
}

// sentence returns the move in words.
func (m *ThresholdMove) sentence() Text {
	why := [thresholdSourceKinds]phrase.ID{
		FromThisSession: phrase.SourceIsThis, FromEarlierSessions: phrase.MovedByEarlier, FromAskedRule: phrase.MovedByRule,
		FromSetting: phrase.MovedByRule, FromOwnRule: phrase.MovedByRule, FromLargestPrompt: phrase.MovedByLimit,
	}[m.Source]
	return phrase.ThresholdMoved.Text(phrase.Count(m.From), phrase.Count(m.To), why.Arg())
}
