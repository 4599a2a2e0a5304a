// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

// Caching describes how a provider matches prompts with its cache. The zero value is an unknown provider.
type Caching struct {
	// Lookback is the largest number of items between a cached mark and the next one that still finds it; 0 if there is
	// no limit.
	Lookback int
	// Step is the number of tokens whose multiples the cache matches, up to any difference; 0 if it matches up to marks.
	Step int64
	// Promised is the shortest lifetime that the provider promises, in milliseconds; 0 if it promises none.
	Promised int64
}

// cacheLevels are the sizes of the fixed context that requests read from the cache while nothing of the conversation
// was there. A prompt is matched from its beginning: tools, system prompt, messages. So the level at which a read ends
// shows which of them changed.
type cacheLevels struct {
	// shared is the beginning that other sessions send as well: the tools, and the part of the system prompt that is
	// the same everywhere. whole is the complete fixed context. Both are Unknown until a request has shown them.
	shared, whole int64
}

// levelWidth is how far apart two reads of the same level are at most: directories, branches and dates in a system
// prompt change its size a little.
const levelWidth = 512

func (l *cacheLevels) walk(c *codec.Codec) {
	c.Ints("shared whole", &l.shared, &l.whole)
	c.Refuse(l.shared < Unknown || l.whole < Unknown)
}

// measured learns the levels from a request. The first request reads the beginning that other sessions share. One
// after a compaction also reads the rest of the fixed context, which the same session had written.
func (l *cacheLevels) measured(r *request, broke *CacheBreak, first, compacted bool) {
	read := r.cacheRead
	switch {
	case read < 0 || r.cacheWrite <= 0:
		return
	case compacted && read > 0 && (l.shared == Unknown || read > l.shared+levelWidth):
		l.whole = read
		return
	case broke != nil && !first && 0 < read && read < l.shared-levelWidth && (broke.Cause == BreakSystem || broke.Cause == BreakTime):
		l.shared, l.whole = read, max(l.shared, l.whole) // the first request had found the whole context of another session
		return
	case first || compacted:
		l.shared = read
		return
	case broke == nil || read == 0:
		return
	}
	switch broke.Cause {
	case BreakModel, BreakTools, BreakProcess, BreakEffort:
		l.shared, l.whole = read, Unknown
	case BreakSystem:
		l.shared = read
	case BreakTime:
		if l.shared <= 0 || read < l.shared {
			l.shared = read
		}
	}
}

// place is where a read from the cache ended.
type place uint8

const (
	// placeUnknown is a read that no level explains.
	placeUnknown place = iota
	// placeNothing is a read of nothing, although other sessions share the beginning of the prompt.
	placeNothing
	// placeShared is a read that ends where other sessions' prompts differ: before the end of the system prompt.
	placeShared
	// placeMessages is a read that covers the fixed context, so that only messages can differ.
	placeMessages
)

// placeOf returns where a read ended.
func (l *cacheLevels) placeOf(read int64) place {
	switch {
	case l.whole != Unknown && read >= l.whole-levelWidth, l.shared > 0 && read > l.shared+levelWidth:
		return placeMessages
	case l.shared == 0 && read > 0 && l.whole == Unknown:
		return placeUnknown // other sessions' prompts had expired before the first request
	case read == 0 && l.shared > 0:
		return placeNothing
	case l.shared != Unknown || l.whole != Unknown:
		return placeShared
	}
	return placeUnknown
}

// breakCause returns why the cache broke: what was recorded, otherwise the change since the last request that explains
// it. previous is the request that r continues, and kept is what r read.
func (s *Session) breakCause(previous, r *request, m *Metered, kept int64) (cause BreakCause, recorded bool) {
	miss := m.CacheMiss
	if s.Inferring {
		miss = MissUnrecorded
	}
	if s.history.justCompacted {
		switch cause, recorded = recordedCause(miss); cause {
		case BreakModel, BreakTools, BreakSystem:
			return cause, true // it stopped to match before the messages
		case BreakMessages:
			return BreakCompaction, true
		}
		return BreakCompaction, false
	}
	effort := s.breaks.effort != 0 && s.breaks.effort != s.breaks.now
	if cause, recorded = recordedCause(miss); recorded && !(miss == MissUnavailable && effort) {
		return cause, true // prompts whose efforts differ are not compared
	}
	switch b := &s.breaks; {
	case s.requests.remodeled:
		return BreakModel, false
	case s.cacheExpired(r):
		return BreakTime, false
	case miss == MissNotFound:
		return BreakProcess, true
	case b.route != s.routeHash():
		return BreakProcess, false
	case effort:
		return BreakEffort, false
	case s.changes.toolsChanged, b.tools:
		return BreakTools, false
	case miss == MissNone:
		return BreakProvider, false
	}
	return s.causeByPlace(previous, r, kept), false
}

// causeByPlace returns the cause of a break from the place at which the cache stopped to match, and from the records
// that can explain a difference there.
func (s *Session) causeByPlace(previous, r *request, kept int64) BreakCause {
	b := &s.breaks
	process := s.cache.ended != Unknown || s.changes.resumed || b.version != fnv.Hash(s.AgentVersion)
	edited := len(s.changes.leaving) > 0 || s.changes.replaced > 0
	begins := previous == nil || previous.turn != r.turn || b.own
	tooFar := false
	if n := s.resolved.Caching.Lookback; n > 0 && previous != nil {
		tooFar = r.through-previous.through > n
	}
	marks := r.cacheWrite > 0 && s.resolved.Caching.Step == 0
	place := placeUnknown
	if marks {
		place = b.levels.placeOf(kept)
	}
	switch {
	case edited && place != placeShared:
		return BreakMessages
	case place == placeMessages && tooFar:
		return BreakProvider
	case place == placeMessages && begins:
		return BreakMessages
	case place == placeMessages:
		return BreakProvider // within a turn, an agent only appends
	case b.lateTools:
		return BreakTools
	case place == placeNothing && b.readNothing(s.history.spent.Calls):
		return b.list[len(b.list)-1].Cause // what the last request wrote is not found either
	case place == placeNothing && !process && !tooFar:
		return BreakTools // they come before everything that other sessions share
	case process && (!marks || kept == 0 && place != placeShared):
		return BreakProcess
	case process, b.system && begins:
		return BreakSystem // another process describes its environment anew
	case edited, b.own && kept > 0 && marks:
		return BreakMessages // the same process goes on by itself, and has no reason to build its fixed context again
	case tooFar:
		return BreakProvider
	case place == placeShared && begins && kept > 0:
		return BreakSystem
	case b.system:
		return BreakSystem
	case !marks: // a cache without writes promises nothing, and one without marks depends on the machine that answers
		return BreakProvider
	}
	return BreakUnknown
}

// readNothing reports whether a request broke the cache and read nothing of it.
func (b *cacheBreaks) readNothing(call int64) bool {
	n := len(b.list) - 1
	return n >= 0 && b.list[n].Call == call && b.list[n].Kept == 0
}

// recordedCause returns the cause that a recorded account names; ok is false if it names none.
func recordedCause(m CacheMiss) (cause BreakCause, ok bool) {
	switch m {
	case MissUnavailable:
		return BreakProvider, true
	case MissMessages:
		return BreakMessages, true
	case MissSystem:
		return BreakSystem, true
	case MissTools:
		return BreakTools, true
	case MissModel:
		return BreakModel, true
	}
	return BreakUnknown, false
}

// cacheExpired reports whether a request was sent after the cache's lifetime. If the lifetime is not recorded, it is
// the provider's promise, otherwise the short one for caches that are written explicitly, and twice as long for others.
func (s *Session) cacheExpired(r *request) bool {
	c := &s.cache
	life := c.life
	switch {
	case life > 0:
	case s.resolved.Caching.Promised > 0:
		life = s.resolved.Caching.Promised
	case r.cacheWrite > 0:
		life = CacheShort
	default:
		life = 2 * CacheShort
	}
	sent := c.sent
	if sent == Unknown || sent < c.used {
		sent = s.now
	}
	return c.used != Unknown && sent-c.used > life
}
