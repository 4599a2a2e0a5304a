// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// unexplained is the part of the next prompt that no item and no fixed row explains: fixed context that a host does not
// send, and frames of messages. Only a measured prompt shows a change of it. If it changes otherwise, a usage was
// assigned to the wrong prompt, or a change of earlier items was counted wrongly.
type unexplained struct {
	known     bool
	tokens    int64
	explained int64 // the rest of the prompt that showed it
	measured  bool  // a prompt was measured since the last comparison
	suspect   int64 // what the last comparison showed instead of tokens
	doubt     int64 // how much longer the next prompt is by that; 0 without a contradiction
}

// requestUnclear are the flags of prompts whose length does not show what was sent.
const requestUnclear = requestOverflow | requestStated | requestPartial | requestDoubtful | requestInflated

const (
	unexplainedLeast = 256 // a smaller change shows nothing
	unexplainedShare = 20  // nor does this part of what was added and removed since
	unexplainedEnd   = 64  // how far it may be off where a prompt ended
)

// compareUnexplained compares the unexplained part of the next prompt with that of the prompts before, if the host
// sends its whole conversation and its texts are counted. A prompt that later items explain ended there. Otherwise the
// number is in doubt until a second measured prompt has the same unexplained part. shown is set if the host has shown
// all items that it has.
func (s *Session) compareUnexplained(shown bool) {
	u, r := &s.unexplained, s.anchor()
	if s.transcribed || s.Mode == ProviderOnly || r == nil || r.ahead && !shown || r.has(requestUnclear) {
		return
	}
	tokens, explained, counted := s.unexplainedNow()
	if !counted {
		*u = unexplained{}
		return
	}
	bound := max(unexplainedLeast, distance(explained, u.explained)/unexplainedShare)
	measured, judges := u.measured, u.known && s.whole
	if judges && measured && distance(tokens, u.tokens) > bound && s.endExplained(r, explained) {
		tokens, explained, _ = s.unexplainedNow()
	}
	off := tokens - u.tokens
	switch u.measured = false; {
	case !measured && u.doubt != 0 && distance(tokens, u.suspect) <= bound: // as in the last comparison
	case !judges, distance(off, 0) <= bound, measured && u.doubt != 0 && distance(tokens, u.suspect) <= bound:
		*u = unexplained{known: true, tokens: tokens, explained: explained}
	case measured:
		u.suspect, u.doubt = tokens, off
	default: // nothing else can have changed it
		s.changes.adjust(-off, phrase.RangeUsages.Text())
		u.suspect, u.doubt = u.tokens, -off
	}
}

// unexplainedNow returns the part of the next prompt that nothing explains, and the rest. counted is false if the size
// of any item, apart from responses, is an estimate.
func (s *Session) unexplainedNow() (tokens, explained int64, counted bool) {
	sums := s.itemSums(s.Mode)
	explained, counted = sumRows(&s.fixed.now), true
	for k, n := range sums.tokens {
		explained += n
		counted = counted && (n <= 0 || sums.basis[k] != Estimated || Kind(k).Reply())
	}
	return s.predictNext().used - explained, explained, counted
}

// endExplained ends a measured prompt at a later item if it then has the unexplained part of the prompts before it.
func (s *Session) endExplained(r *request, explained int64) bool {
	items, end, best := s.conversation.items, 0, int64(unexplainedEnd)
	rest := r.in - s.unexplained.tokens - explained
	if r.through == len(items) {
		rest += max(r.out, 0) // its response is not among the items
	}
	for i := len(items); i > r.through; i-- {
		if i < len(items) {
			if !items[i].has(slotRemoved) {
				rest += int64(items[i].tokens)
			}
			if !items[i].canBeReply() || items[i-1].canBeReply() {
				continue
			}
		}
		if off := distance(rest, 0); off < best {
			end, best = i, off
		}
	}
	if end == 0 {
		return false
	}
	c := &s.conversation
	for i := max(r.through, c.folded); i < end; i++ {
		c.change(i, items[i].flags&^slotReply) // it is the response to an earlier prompt
	}
	r.through, r.unseen, r.unseenTurn = end, 0, 0
	s.fold(end)
	c.answer(end, c.answeredUntil(end))
	return true
}

// doubtBand returns how much shorter and longer the next prompt may be if the usages and the messages do not agree.
func (u *unexplained) doubtBand() (shorter, longer int64) {
	switch {
	case u.doubt > 0:
		shorter = u.doubt + unexplainedLeast
	case u.doubt < 0:
		longer = unexplainedLeast - u.doubt
	}
	return shorter, longer
}

func (u *unexplained) walk(c *codec.Codec) {
	c.Bools("known measured", &u.known, &u.measured)
	c.Ints("tokens explained suspect doubt", &u.tokens, &u.explained, &u.suspect, &u.doubt)
}
