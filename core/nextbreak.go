// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// NextBreak is a break of the cache that the next request is expected to cause, by a change after the last one.
type NextBreak struct {
	Cause BreakCause
	// Written are the tokens that it will write again.
	Written int64
	// Certain is false if the change may not reach the prompt, such as that of a file.
	Certain bool
	Text    Text
}

// readNextBreak fills in the expected break; nil without any. A text that has not changed is kept.
func (s *Session) readNextBreak(out *Reading) {
	out.NextBreak = nil
	last := s.anchor()
	if last == nil || last.cacheWrite == Unknown || s.history.justCompacted || s.cacheColdBy(s.now) {
		return
	}
	cause, why, certain := s.expectedBreak()
	written := s.breaks.cached
	if cause != BreakModel && cause != BreakEffort {
		written -= max(s.breaks.levels.shared, 0)
	}
	if cause == BreakUnknown || written < breakLeast {
		return
	}
	made := &out.storage.nextBreak
	if made.Cause != cause || made.Written != written || made.Certain != certain || made.Text.Empty() {
		id := phrase.NextBreakMay
		if certain {
			id = phrase.NextBreakWill
		}
		*made = NextBreak{cause, written, certain, id.Text(why.Text().Arg(), phrase.Tokens(Short(written)))}
	}
	out.NextBreak = made
}

// cacheColdBy reports whether the cache's lifetime has passed by a time, so that nothing is left to break.
func (s *Session) cacheColdBy(now int64) bool {
	return s.cache.life > 0 && !s.cache.least && s.cache.used != Unknown && now-s.cache.used > s.cache.life
}

// expectedBreak returns the cause of the next break, the change, and whether the change is certain to reach the prompt;
// BreakUnknown without any.
func (s *Session) expectedBreak() (cause BreakCause, why phrase.ID, certain bool) {
	b := &s.breaks
	servers, _ := s.changedServers()
	switch {
	case s.requests.remodeled:
		return BreakModel, phrase.BreakModel, true
	case b.effort != 0 && b.effort != b.now:
		return BreakEffort, phrase.BreakEffort, true
	case s.changes.toolsChanged, b.tools:
		return BreakTools, phrase.BreakTools, true
	case servers:
		return BreakTools, phrase.NextBreakServers, false
	case s.cache.ended != Unknown:
		return BreakProcess, phrase.NextBreakEnded, false
	case b.system, s.changedMemory():
		return BreakSystem, phrase.NextBreakMemory, false
	}
	return BreakUnknown, "", false
}
