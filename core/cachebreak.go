// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// BreakCause is the reason why a request did not find in the cache what the previous request had left there.
type BreakCause uint8

const (
	// BreakUnknown is a break without evidence of its cause.
	BreakUnknown BreakCause = iota
	// BreakTime is a pause longer than the cache's lifetime.
	BreakTime
	// BreakCompaction is the first request after a compaction.
	BreakCompaction
	// BreakMessages is a rewound or edited conversation.
	BreakMessages
	// BreakModel is a change of model: each model has its own cache.
	BreakModel
	// BreakEffort is a change of effort or of the thinking budget.
	BreakEffort
	// BreakTools is a change of tool definitions.
	BreakTools
	// BreakSystem is a change of the system prompt or of a memory file in it.
	BreakSystem
	// BreakProcess is another process of the agent, or another route to the provider.
	BreakProcess
	// BreakProvider is a cache that the provider dropped or could not use.
	BreakProvider

	breakCauses = BreakProvider + 1
)

func (b BreakCause) String() string {
	return [...]string{"unknown", "time", "compaction", "messages", "model", "effort", "tools", "system", "process", "provider"}[b]
}

// CacheMiss is a provider's or an agent's own account of a request's cache.
type CacheMiss uint8

const (
	// MissUnrecorded is the account of a request without any.
	MissUnrecorded CacheMiss = iota
	// MissNone is a prompt that continued the previous one, as far as the provider compared them.
	MissNone
	// MissNotFound is a previous request that the provider did not find any more, or that went another way.
	MissNotFound
	// MissUnavailable is an account that the provider could not give.
	MissUnavailable
	// MissMessages is a prompt whose earlier messages changed.
	MissMessages
	// MissSystem is a prompt whose system prompt changed.
	MissSystem
	// MissTools is a prompt whose tools changed.
	MissTools
	// MissModel is a prompt for another model.
	MissModel
)

// CacheBreak is a request that wrote to the cache again what the previous request had left there. The growth of the
// conversation is not a break.
type CacheBreak struct {
	// At is when the request was answered; 0 if unknown. Call is its number in the session.
	At, Call int64
	// Written are the tokens written again, and Kept those that were read from the cache.
	Written, Kept int64
	Cause         BreakCause
	// Recorded is set if the provider or the agent named the cause.
	Recorded bool
	// Request is the response's ID. It is kept only while the session is Recording, and never saved.
	Request string
	// CauseText is the cause in a clause, and Text the cause and the tokens. Only the breaks of a Reading and of
	// CacheBreaks have them.
	CauseText, Text Text
}

// Breaks are a session's breaks in a Reading.
type Breaks struct {
	Count, Written int64
	Last           CacheBreak
	// Text is the number of breaks and of tokens written again.
	Text Text
}

const (
	// breaksKept is how many breaks a session remembers; the sums include all.
	breaksKept = 64
	// breakLeast is the smallest number of tokens that is a break: providers match caches in blocks, and agents move
	// the marks between them.
	breakLeast = 1024
	// breakShare is the smallest share of the cached prompt that is a break: a fiftieth.
	breakShare = 50
)

// cacheBreaks are a session's breaks.
type cacheBreaks struct {
	count, written int64
	list           []CacheBreak
	// cached is the part of the last prompt that was in the cache after it; Unknown if its usage does not show it.
	cached int64
	// expected is the value of cached before the last request: what that request was expected to read.
	expected int64
	// effort, version and route are hashes of the last request's.
	effort, version, route uint64
	// now is the effort of the next request; 0 if unknown.
	now uint64
	// tools and system are set if tools, or the system prompt, a memory file or a skill, may have changed since the last
	// request. Agents read memory and skills again when a turn begins.
	tools, system bool
}

func newCacheBreaks() cacheBreaks { return cacheBreaks{cached: Unknown, expected: Unknown} }

func (b *cacheBreaks) walk(c *codec.Codec) {
	c.Ints("count written cached expected", &b.count, &b.written, &b.cached, &b.expected)
	codec.List(c, "list", &b.list, breaksKept, (*CacheBreak).walk)
	c.Hash("effort", &b.effort)
	c.Hash("version", &b.version)
	c.Hash("route", &b.route)
	c.Hash("now", &b.now)
	c.Bools("tools system", &b.tools, &b.system)
	c.Refuse(b.count < int64(len(b.list)) || b.written < 0 || b.cached < Unknown || b.expected < Unknown)
}

func (b *CacheBreak) walk(c *codec.Codec) {
	c.Ints("At Call Written Kept", &b.At, &b.Call, &b.Written, &b.Kept)
	codec.Below(c, "Cause", &b.Cause, breakCauses)
	c.Bools("Recorded", &b.Recorded)
	c.Refuse(b.Written < 0 || b.Kept < 0)
}

// EffortSet is the effort, or the thinking budget, of the next request.
type EffortSet struct{ Level string }

func (EffortSet) event() {}

// PromptTouched reports that a fixed part of the next prompt may have changed, such as by a loaded tool or an edited
// memory file.
type PromptTouched struct{ Kind Kind }

func (PromptTouched) event() {}

// touched records which part of the next prompt may have changed.
func (b *cacheBreaks) touched(k Kind) {
	if k == Tools || k == MCPTools {
		b.tools = true
	} else {
		b.system = true
	}
}

// readCache compares what a request read from the cache with what the previous one had left there.
func (s *Session) readCache(previous, r *request, m *Metered) (broke *CacheBreak) {
	if m.Repeated {
		return nil
	}
	b := &s.breaks
	b.expected = b.cached
	if previous == nil && !s.history.justCompacted {
		b.expected = Unknown // a cleared conversation begins anew
	}
	if previous != nil && !previous.has(requestOverflow|requestStated) && previous.cacheRead != Unknown {
		b.expected = cachedAfter(previous) // after a rewind, the last request is not the one that this one continues
	}
	if found, ok := b.compare(r); ok {
		found.At, found.Call = max(s.now, 0), s.history.spent.Calls+1
		found.Cause, found.Recorded = s.breakCause(m, r, found.Kept)
		if s.Recording {
			found.Request = m.Request
		}
		b.add(found)
		broke = &found
	}
	b.cached = cachedAfter(r)
	b.effort, b.version, b.route, b.tools = b.now, fnv.Hash(s.AgentVersion), fnv.Hash(s.Provider+"\x00"+s.Route), false
	if broke != nil || previous == nil || previous.turn != r.turn {
		b.system = false
	}
	return broke
}

// readCacheAgain corrects the last request: a later report of it has other numbers.
func (s *Session) readCacheAgain(r *request, m *Metered) {
	b := &s.breaks
	b.cached = cachedAfter(r)
	n := len(b.list) - 1
	known := n >= 0 && b.list[n].Call == s.history.spent.Calls
	found, ok := b.compare(r)
	switch {
	case known && !ok:
		b.count, b.written, b.list = b.count-1, b.written-b.list[n].Written, b.list[:n]
	case known:
		b.written += found.Written - b.list[n].Written
		b.list[n].Written, b.list[n].Kept = found.Written, found.Kept
		if cause, recorded := recordedCause(m.CacheMiss); recorded && !s.Inferring {
			b.list[n].Cause, b.list[n].Recorded = cause, true
		}
	}
}

// cachedAfter returns how much of a prompt is in the cache after its request; Unknown if its usage does not show it.
// A provider that reports no writes shows only what was there before.
func cachedAfter(r *request) int64 {
	if r.cacheRead == Unknown {
		return Unknown
	}
	return r.cacheRead + max(r.cacheWrite, 0)
}

// compare returns the break of a request, without its time and cause.
func (b *cacheBreaks) compare(r *request) (CacheBreak, bool) {
	if b.expected == Unknown || r.cacheRead == Unknown {
		return CacheBreak{}, false
	}
	wrote := r.cacheWrite
	if wrote == Unknown {
		wrote = r.in - r.cacheRead
	}
	written := min(b.expected-r.cacheRead, wrote)
	return CacheBreak{Written: written, Kept: r.cacheRead}, written >= breakLeast && written > b.expected/breakShare
}

func (b *cacheBreaks) add(found CacheBreak) {
	if len(b.list) >= breaksKept {
		b.list = append(b.list[:0], b.list[1:]...)
	}
	b.list = append(b.list, found)
	b.count++
	b.written += found.Written
}

// breakCause returns why the cache broke: what was recorded, otherwise the change since the last request that explains
// it.
func (s *Session) breakCause(m *Metered, r *request, kept int64) (cause BreakCause, recorded bool) {
	if s.history.justCompacted {
		return BreakCompaction, false
	}
	miss := m.CacheMiss
	if s.Inferring {
		miss = MissUnrecorded
	}
	if cause, recorded = recordedCause(miss); recorded {
		return cause, true
	}
	b := &s.breaks
	switch {
	case s.requests.remodeled:
		return BreakModel, false
	case s.cacheExpired(r):
		return BreakTime, false
	case miss == MissNotFound:
		return BreakProcess, true
	case b.route != fnv.Hash(s.Provider+"\x00"+s.Route):
		return BreakProcess, false
	case s.cache.ended != Unknown, s.changes.resumed, b.version != fnv.Hash(s.AgentVersion):
		if kept > 0 {
			return BreakSystem, false // the tools are the same, and another process describes its environment anew
		}
		return BreakProcess, false
	case b.effort != b.now:
		return BreakEffort, false
	case s.changes.toolsChanged, b.tools:
		return BreakTools, false
	case len(s.changes.leaving) > 0, s.changes.replaced > 0:
		return BreakMessages, false
	case b.system:
		return BreakSystem, false
	case miss == MissNone, r.cacheWrite == Unknown: // a cache without writes promises nothing
		return BreakProvider, false
	}
	return BreakUnknown, false
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
// the short one for caches that are written explicitly, and twice as long for others.
func (s *Session) cacheExpired(r *request) bool {
	c := &s.cache
	life := c.life
	switch {
	case life > 0:
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

// CacheBreaks returns how many breaks the session had, how many tokens they wrote again, and the last of them, oldest
// first.
func (s *Session) CacheBreaks() (count, written int64, last []CacheBreak) {
	last = make([]CacheBreak, len(s.breaks.list))
	for i := range last {
		last[i] = s.breaks.list[i]
		last[i].describe()
	}
	return s.breaks.count, s.breaks.written, last
}

// readBreaks fills in the breaks of the session. Texts that have not changed are kept.
func (s *Session) readBreaks(out *Reading) {
	out.Breaks = nil
	b, made := &s.breaks, &out.storage.breaks
	n := len(b.list) - 1
	if n < 0 {
		return
	}
	if made.Count != b.count || made.Written != b.written {
		made.Text = phrase.BreaksMany.Text(phrase.Count(b.count), phrase.Tokens(Short(b.written)))
		if b.count == 1 {
			made.Text = phrase.BreaksOne.Text(phrase.Tokens(Short(b.written)))
		}
	}
	last, before := b.list[n], &made.Last
	if last.Cause == before.Cause && last.Written == before.Written {
		last.CauseText, last.Text = before.CauseText, before.Text
	} else {
		last.describe()
	}
	*made = Breaks{b.count, b.written, last, made.Text}
	out.Breaks = made
}

// describe makes the texts of a break.
func (b *CacheBreak) describe() {
	b.CauseText = breakTexts[b.Cause].Text()
	b.Text = phrase.BreakWritten.Text(b.CauseText.Arg(), phrase.Count(b.Written))
}

// breakTexts are the causes in a clause.
var breakTexts = [breakCauses]phrase.ID{
	phrase.BreakUnknown, phrase.BreakTime, phrase.BreakCompaction, phrase.BreakMessages, phrase.BreakModel,
	phrase.BreakEffort, phrase.BreakTools, phrase.BreakSystem, phrase.BreakProcess, phrase.BreakProvider,
}
