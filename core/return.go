// Copyright The ctx-lsp authors. MIT licence.

package core

// Return compares the first request after a pause with the forecast before it.
type Return struct {
	// Back is the forecast, and Used the prompt size it was made for.
	Back Back
	Used int64
	// Pause is the time since the last request, and Sent the time when this one was sent.
	Pause, Sent int64
	// Read and Wrote are the tokens that the request read from the cache and wrote to it. Cold is set if it did not
	// read the conversation, and Compacted if the conversation was compacted during the pause.
	Read, Wrote     int64
	Cold, Compacted bool
}

// pauseForecast is a forecast made before the end of a pause.
type pauseForecast struct {
	back        Back
	used        int64
	compactions int64
	since       int64 // when the cache was last in use
}

const (
	// returnAfter is the shortest pause after which a request is a return, in milliseconds.
	returnAfter = CacheShort
	// returnQuiet is the shortest time without an event before a newer forecast replaces an older one: hooks and
	// attachments of a prompt follow it within seconds.
	returnQuiet = 5_000
)

// forecastPause stores the current forecast before an event at a later time is applied.
func (s *Session) forecastPause(next int64) {
	c := &s.cache
	if c.used == Unknown || next-c.used <= returnAfter || s.history.beforePause != nil && next-s.now < returnQuiet {
		return
	}
	s.history.beforePause = nil
	if r := s.Reading(); r.Back != nil {
		s.history.beforePause = &pauseForecast{*r.Back, r.Used, s.history.compactions, c.used}
	}
}

// returned compares a request with the forecast made before the pause.
func (s *Session) returned(r *request) *Return {
	f := s.history.beforePause
	s.history.beforePause = nil
	if f == nil || r.cacheRead < 0 {
		return nil
	}
	compacted := f.compactions != s.history.compactions
	if now := s.Reading(); compacted && now.Back != nil {
		f.back, f.used = *now.Back, now.Used // the compaction changed the forecast
	}
	back := Return{
		Back: f.back, Used: f.used, Pause: s.now - f.since, Sent: s.cache.sent, Read: r.cacheRead, Wrote: r.in - r.cacheRead,
		Compacted: compacted,
	}
	whole := min(f.used, r.in)
	kept := min(f.back.Kept, whole)
	back.Cold = r.cacheRead-kept < (whole-kept)/2
	return &back
}
