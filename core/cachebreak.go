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
	// Recorded is set if the provider or the agent named the cause. Unread is set if the provider reported no write: the
	// tokens were not read from the cache, and whether they were written to it again is unknown.
	Recorded, Unread bool
	// Touched is the change that was recorded before it, if that explains the break.
	Touched PromptTouched
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
	// Text is the number of breaks and of tokens written again, or not read from the cache if the provider reports no
	// writes.
	Text Text

	unread bool
}

const (
	// breaksKept is how many breaks a session remembers; the sums include all.
	breaksKept = 64
	// breakLeast is the smallest number of tokens that is a break: providers match caches in blocks, and agents move
	// the marks between them.
	breakLeast = 1024
	// breakShare is the smallest share of the cached prompt that is a break within a turn: a fiftieth. A break without
	// evidence of its cause is at least a twentieth, because providers sometimes miss the newest mark and read up to
	// the one before it.
	breakShare       = 50
	breakUnexplained = 20
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
	// request. Agents read memory and skills again when a turn begins. lateTools is set if the tools may have changed
	// before the last request, which did not show it: it may have been on its way already.
	tools, lateTools, system bool
	// touch is the last such change.
	touch PromptTouched
	// unread is set if a break was one of a provider without writes.
	unread bool
	// own is set if the agent began the turn by itself, for the result of a background task or another agent's message.
	own bool
	// levels are the sizes of the fixed context that requests have read.
	levels cacheLevels
}

func newCacheBreaks() cacheBreaks {
	return cacheBreaks{cached: Unknown, expected: Unknown, levels: cacheLevels{shared: Unknown, whole: Unknown}}
}

func (b *cacheBreaks) walk(c *codec.Codec) {
	c.Ints("count written cached expected", &b.count, &b.written, &b.cached, &b.expected)
	codec.List(c, "list", &b.list, breaksKept, (*CacheBreak).walk)
	c.Hash("effort", &b.effort)
	c.Hash("version", &b.version)
	c.Hash("route", &b.route)
	c.Hash("now", &b.now)
	c.Bools("tools lateTools system own unread", &b.tools, &b.lateTools, &b.system, &b.own, &b.unread)
	b.touch.walk(c.Part("touch"))
	b.levels.walk(c.Part("levels"))
	c.Refuse(b.count < int64(len(b.list)) || b.written < 0 || b.cached < Unknown || b.expected < Unknown)
}

func (b *CacheBreak) walk(c *codec.Codec) {
	c.Ints("At Call Written Kept", &b.At, &b.Call, &b.Written, &b.Kept)
	codec.Below(c, "Cause", &b.Cause, breakCauses)
	c.Bools("Recorded Unread", &b.Recorded, &b.Unread)
	b.Touched.walk(c.Part("Touched"))
	c.Refuse(b.Written < 0 || b.Kept < 0)
}

// EffortSet is the effort, or the thinking budget, of the next request.
type EffortSet struct{ Level string }

func (EffortSet) event() {}

// PromptTouched reports that a fixed part of the next prompt may have changed, such as by a loaded tool or an edited
// memory file. Name is that of the tool, of the file, or of the server whose instructions are in the system prompt; ""
// if unknown.
type PromptTouched struct {
	Kind Kind
	Name string
}

func (PromptTouched) event() {}

// touched records which part of the next prompt may have changed.
func (b *cacheBreaks) touched(e PromptTouched) {
	b.touch = e
	if e.Kind == Tools || e.Kind == MCPTools {
		b.tools = true
	} else {
		b.system = true
	}
}

// explains reports whether a change of this part can be the cause of a break. Agents send memory files either in the
// system prompt or in the first message.
func (e *PromptTouched) explains(cause BreakCause) bool {
	switch e.Kind {
	case Tools, MCPTools:
		return cause == BreakTools
	case Memory:
		return cause == BreakSystem || cause == BreakMessages
	}
	return cause == BreakSystem
}

func (e *PromptTouched) walk(c *codec.Codec) {
	codec.Below(c, "Kind", &e.Kind, kinds)
	c.Names("Name", &e.Name)
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
		found.Cause, found.Recorded = s.breakCause(previous, r, m, found.Kept)
		if found.significant(b.expected, previous != nil && previous.turn != r.turn && !found.Unread && s.resolved.Caching.Step == 0) {
			if (b.system || b.tools || b.lateTools) && b.touch.explains(found.Cause) {
				found.Touched = b.touch
			}
			if s.Recording {
				found.Request = m.Request
			}
			b.add(found)
			broke = &found
		}
	}
	b.levels.measured(r, broke, previous == nil, s.history.justCompacted)
	b.cached = cachedAfter(r)
	b.effort, b.version, b.route = b.now, fnv.Hash(s.AgentVersion), s.routeHash()
	b.lateTools, b.tools, b.own = b.tools && broke == nil, false, false
	if broke != nil || previous == nil || previous.turn != r.turn {
		b.system = false
	}
	return broke
}

// significant reports whether a loss is a break. The first request of a turn sends everything that was sent before, so
// that any loss of a cache with marks is one there. A provider that could not compare two prompts has found no change.
func (b *CacheBreak) significant(expected int64, begins bool) bool {
	switch {
	case b.Cause == BreakUnknown || b.Cause == BreakProvider:
		return b.Written > expected/breakUnexplained
	case begins || b.Recorded && b.Cause != BreakProcess:
		return true
	}
	return b.Written > expected/breakShare
}

// routeHash identifies the provider and the route of the next request.
func (s *Session) routeHash() uint64 { return fnv.Hash(s.Provider + "\x00" + s.Route) }

// readCacheAgain corrects the last request: a later report of it has other numbers.
func (s *Session) readCacheAgain(r *request, m *Metered) {
	b := &s.breaks
	b.cached = cachedAfter(r)
	n := len(b.list) - 1
	known := n >= 0 && b.list[n].Call == s.history.spent.Calls
	found, ok := b.compare(r)
	switch {
	case known && (!ok || found.Written <= b.expected/breakShare):
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

// compare returns the loss of a request, without its time and cause. A provider that reports no writes, or none for a
// prompt that it did not read, shows only that the tokens were not read from the cache.
func (b *cacheBreaks) compare(r *request) (CacheBreak, bool) {
	if b.expected == Unknown || r.cacheRead == Unknown {
		return CacheBreak{}, false
	}
	wrote := r.cacheWrite
	unread := wrote <= 0
	if unread {
		wrote = r.in - r.cacheRead
	}
	lost := min(b.expected-r.cacheRead, wrote)
	return CacheBreak{Written: lost, Kept: r.cacheRead, Unread: unread}, lost >= breakLeast
}

func (b *cacheBreaks) add(found CacheBreak) {
	if len(b.list) >= breaksKept {
		b.list = append(b.list[:0], b.list[1:]...)
	}
	b.list = append(b.list, found)
	b.count++
	b.written += found.Written
	b.unread = b.unread || found.Unread
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
	if made.Count != b.count || made.Written != b.written || made.unread != b.unread {
		one, many := phrase.BreaksOne, phrase.BreaksMany
		if b.unread {
			one, many = phrase.BreaksOneUnread, phrase.BreaksUnread
		}
		made.Text = many.Text(phrase.Count(b.count), phrase.Tokens(Short(b.written)))
		if b.count == 1 {
			made.Text = one.Text(phrase.Tokens(Short(b.written)))
		}
	}
	last, before := b.list[n], &made.Last
	if last.Cause == before.Cause && last.Written == before.Written && last.Unread == before.Unread && last.Touched == before.Touched {
		last.CauseText, last.Text = before.CauseText, before.Text
	} else {
		last.describe()
	}
	*made = Breaks{b.count, b.written, last, made.Text, b.unread}
	out.Breaks = made
}

// describe makes the texts of a break.
func (b *CacheBreak) describe() {
	b.CauseText = breakTexts[b.Cause].Text()
	if name := b.Touched.Name; name != "" {
		id := phrase.BreakServer
		switch b.Touched.Kind {
		case Tools:
			id = phrase.BreakLoaded
		case Memory:
			id = phrase.BreakEdited
		}
		b.CauseText = id.Text(b.CauseText.Arg(), phrase.Name(name))
	}
	id := phrase.BreakWritten
	if b.Unread {
		id = phrase.BreakUnread
	}
	b.Text = id.Text(b.CauseText.Arg(), phrase.Count(b.Written))
}

// breakTexts are the causes in a clause.
var breakTexts = [breakCauses]phrase.ID{
	phrase.BreakUnknown, phrase.BreakTime, phrase.BreakCompaction, phrase.BreakMessages, phrase.BreakModel,
	phrase.BreakEffort, phrase.BreakTools, phrase.BreakSystem, phrase.BreakProcess, phrase.BreakProvider,
}
