// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// IdleCompaction describes when an agent compacts an idle session. The zero value never does.
type IdleCompaction struct {
	// Share is the part of the cache's lifetime after which it compacts, in percent.
	Share int64
	// Least is the smallest prompt it compacts, and Life the shortest cache lifetime it needs.
	Least, Life int64
}

// BackCause is the reason why a prompt cache becomes useless before its lifetime ends.
type BackCause uint8

const (
	// BackByTime is the usual case: the cache is read until its lifetime ends.
	BackByTime BackCause = iota
	// BackEnded is an agent whose process has ended: another process builds the prompt differently.
	BackEnded
	// BackModel is a model change: each model has its own cache.
	BackModel
	// BackTools is a change of tool definitions: they precede everything else.
	BackTools
	// BackCompacted is a compacted conversation: its summary was never sent.
	BackCompacted
)

func (b BackCause) String() string {
	return [...]string{"time", "ended", "model", "tools", "compacted"}[b]
}

// Back is the cost of returning to a session. Times are in milliseconds: the core has no clock.
type Back struct {
	// Until WarmUntil the next prompt is read from the cache. From ColdFrom it is rewritten. In between either may
	// happen. WarnFrom is when the last fifth of the cache's lifetime begins.
	WarmUntil, ColdFrom, WarnFrom int64
	Cause                         BackCause
	Life                          int64
	// Rewritten is the part of the next prompt that is written to the cache once it is cold, Kept the fixed context
	// that is still read. Kept is an upper bound: after hours it has often expired as well.
	Rewritten, Kept int64
	// CompactsAt is when the agent compacts the session automatically if it stays idle, and CompactsTo the size after
	// that; Unknown if it does not.
	CompactsAt, CompactsTo int64
	// CompactFirst is how much the first prompt after a compaction rewrites; Unknown if the size after a compaction is
	// unknown.
	CompactFirst int64
	// Text is the cost once the cache is cold, CompactsText the agent's own compaction and FirstText a compaction
	// before the next prompt, unless it rewrites about as much. Either may be empty. None of them contains a time.
	Text, CompactsText, FirstText Text
	Display                       string // Rewritten as front ends print it

	compact string // the command that FirstText names
}

// backTexts are the texts by cause. Texts are rebuilt only if a number changes, because Readings are made often.
var backTexts = [...]phrase.ID{phrase.BackAnew, phrase.BackEnded, phrase.BackModel, phrase.BackTools, phrase.BackAnew}

// ColdAt reports whether the cache is cold at a time; perhaps is true if it may be.
func (b *Back) ColdAt(time int64) (cold, perhaps bool) {
	return time >= b.ColdFrom, time > b.WarmUntil && time < b.ColdFrom
}

// readBack fills in the cost of returning: nil for a session whose records do not show how long its cache is kept.
func (s *Session) readBack(out *Reading) {
	out.Back = nil
	if s.back(&out.storage.back, out.Used, out.Compaction.Threshold, out.Compaction.Landing) {
		out.Back = &out.storage.back
	}
}

// back computes the cost for a next prompt of a given size. It returns false if the cost is unknown.
func (s *Session) back(b *Back, used, line int64, landing *Range) bool {
	c := &s.cache
	if c.life <= 0 || c.used == Unknown || used <= 0 || s.Parent != "" || s.anchor() == nil && !s.history.justCompacted {
		return false
	}
	kept, before := min(max(c.fixed, 0), used), *b
	*b = Back{
		WarmUntil: c.used + c.life, Life: c.life, Rewritten: used - kept, Kept: kept,
		CompactsAt: Unknown, CompactsTo: Unknown, CompactFirst: Unknown,
	}
	b.ColdFrom = c.coldFrom()
	expire := func(cause BackCause, from int64) { b.Cause, b.WarmUntil, b.ColdFrom = cause, from, from }
	switch {
	case s.history.justCompacted:
		expire(BackCompacted, c.used)
	case s.requests.remodeled:
		b.Kept, b.Rewritten = 0, used
		expire(BackModel, c.used)
	case s.changes.toolsChanged:
		b.Kept, b.Rewritten = 0, used
		expire(BackTools, c.used)
	case c.ended != Unknown:
		expire(BackEnded, c.ended)
	}
	b.WarnFrom = b.WarmUntil
	if b.Cause == BackByTime {
		b.WarnFrom -= c.life / 5
	}
	if b.Text, b.Display = before.Text, before.Display; b.Text.Empty() || before.Rewritten != b.Rewritten || before.Cause != b.Cause {
		b.Display = Short(b.Rewritten)
		b.Text = backTexts[b.Cause].Text(phrase.Tokens(b.Display))
	}
	if landing == nil || b.Cause == BackCompacted || landing.Likely <= 0 || landing.Likely >= used {
		return true
	}
	if s.worthCompacting() && s.rule.Commands.Compact != "" {
		b.CompactFirst = max(landing.Likely-b.Kept, 0)
		switch b.FirstText = before.FirstText; {
		case b.CompactFirst >= b.Rewritten-b.Rewritten/20: // within the forecast's error
			b.FirstText = Text{}
		case b.FirstText.Empty() || before.CompactFirst != b.CompactFirst || before.compact != s.rule.Commands.Compact:
			b.FirstText = phrase.BackFirst.Text(phrase.Name(s.rule.Commands.Compact), phrase.Tokens(Short(b.CompactFirst)))
		}
		b.compact = s.rule.Commands.Compact
	}
	if i := &s.rule.Idle; i.Share > 0 && c.life >= i.Life && used >= i.Least && b.Cause == BackByTime {
		b.CompactsAt, b.CompactsTo = c.used+c.life/100*i.Share, landing.Likely
		if b.CompactsText = before.CompactsText; b.CompactsText.Empty() || before.CompactsTo != b.CompactsTo {
			b.CompactsText = phrase.BackCompacts.Text(phrase.Tokens(Short(b.CompactsTo)))
		}
	}
	return true
}
