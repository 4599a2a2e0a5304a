// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// The lifetimes of prompt caches after their last use, in milliseconds.
const (
	CacheShort int64 = 5 * 60 * 1000
	CacheLong  int64 = 60 * 60 * 1000
)

// cachesMost bounds a lifetime: a day.
const cachesMost = 24 * CacheLong

// CacheLife returns the lifetime of a prompt cache from the tokens written to it for a short and for a long time; 0 if
// neither is recorded. The part kept for long comes first, so the end of the conversation has the short lifetime.
func CacheLife(short, long int64) int64 {
	switch {
	case short > 0:
		return CacheShort
	case long > 0:
		return CacheLong
	}
	return 0
}

// cacheClock is the state of a session's prompt cache as far as records show it.
type cacheClock struct {
	life  int64 // the last lifetime recorded or promised; 0 if unknown
	used  int64 // when the last request was answered; Unknown before the first
	fixed int64 // the tokens read by the last request that found only the fixed context; Unknown before the first
	sent  int64 // the time before that of the last event: at a response's first record, when its request was sent
	ended int64 // when the agent's process ended after the last request; Unknown if it was not reported
	// certain is set if no later report can show that the process is still running.
	certain bool
	// least is set if life is the shortest lifetime that the provider promises: it may keep the cache for longer.
	least bool
}

// lifetime is how long a request's cache is kept after its last use, in milliseconds; 0 if unknown.
type lifetime struct {
	milliseconds int64
	least        bool
}

// lifetimeOf returns the lifetime of the cache that a request wrote: the recorded one, otherwise the promised one. A
// request that wrote nothing, or whose provider reports no writes, shows none.
func (s *Session) lifetimeOf(m *Metered) lifetime {
	promised := s.resolved.Caching.Promised
	switch {
	case m.CacheLife > 0:
		return lifetime{m.CacheLife, false}
	case m.CacheWrite > 0 && promised > 0:
		return lifetime{promised, true}
	}
	return lifetime{}
}

// keep records a known lifetime.
func (c *cacheClock) keep(l lifetime) {
	if l.milliseconds > 0 {
		c.life, c.least = min(l.milliseconds, cachesMost), l.least
	}
}

// coldFrom returns when a cache that was used at a time is certainly cold: a minute after five minutes, three minutes
// after an hour, and a day after its last use if the provider may keep it for longer.
func (c *cacheClock) coldFrom() int64 {
	if c.least {
		return c.used + cachesMost
	}
	return c.used + c.life + max(c.life/20, 60_000)
}

func newCacheClock() cacheClock {
	return cacheClock{used: Unknown, fixed: Unknown, sent: Unknown, ended: Unknown}
}

func (c *cacheClock) walk(to *codec.Codec) {
	to.Ints("life used fixed sent ended", &c.life, &c.used, &c.fixed, &c.sent, &c.ended)
	to.Bools("certain least", &c.certain, &c.least)
	to.Refuse(c.life < 0 || c.life > cachesMost || c.used < Unknown || c.fixed < Unknown || c.sent < Unknown || c.ended < Unknown)
}

// ProcessEnded reports that the agent's process has ended, so that another process continues the session. Unless it is
// certain, it is ignored while the agent works. With Runs it reports that the process is still running, which withdraws
// an uncertain report.
type ProcessEnded struct{ Certain, Runs bool }

func (ProcessEnded) event() {}

// applyProcessEnded records the end of the process.
func (s *Session) applyProcessEnded(e ProcessEnded) {
	switch {
	case e.Runs && !s.cache.certain:
		s.cache.ended = Unknown
	case e.Runs || s.cache.certain:
	case e.Certain || s.activity.now != Working:
		s.cache.ended, s.cache.certain = max(s.now, 0), e.Certain
	}
}

// applyAt advances the session's time.
func (s *Session) applyAt(e At) {
	if e.Milliseconds <= s.now {
		return
	}
	if s.Recording {
		s.forecastPause(e.Milliseconds)
	}
	s.cache.sent, s.now = s.now, e.Milliseconds
}

// measured updates the cache's state from a measured request.
func (c *cacheClock) measured(previous, r *request, life lifetime, now int64, compacted bool) {
	c.used, c.ended, c.certain = now, Unknown, false
	c.keep(life)
	// A request that read less than half of the previous prompt found only its fixed context.
	if r.cacheRead >= 0 && (previous == nil || compacted || r.cacheRead < previous.in/2) && (r.cacheRead > 0 || c.fixed == Unknown) {
		c.fixed = r.cacheRead
	}
}

// extend records that a response continues: the cache was in use until then.
func (c *cacheClock) extend(life lifetime, now int64) {
	if c.used != Unknown {
		c.used = max(c.used, now)
	}
	c.keep(life)
}
