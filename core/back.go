// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// IdleCompaction is when an agent compacts a session that is left alone. The zero value never does.
type IdleCompaction struct {
	// Share is the part of the cache's lifetime after which it compacts, in percent.
	Share int64
	// Least is the smallest prompt it compacts, and Life the shortest cache lifetime it needs.
	Least, Life int64
}

// BackCause is why a prompt cache is of no use before its time is over.
type BackCause uint8

const (
	// BackByTime is the usual case: the cache is read until its time is over.
	BackByTime BackCause = iota
	// BackEnded is an agent whose process has ended: another process builds the prompt in another way.
	BackEnded
	// BackModel is a model that has changed: each model has its own cache.
	BackModel
	// BackTools are definitions of tools that have changed: they precede everything else.
	BackTools
	// BackCompacted is a conversation that was compacted: its summary was never sent.
	BackCompacted
)

func (b BackCause) String() string {
	return [...]string{"time", "ended", "model", "tools", "compacted"}[b]
}

// Back is what coming back to a session costs. Times are in milliseconds: the core has no clock.
type Back struct {
	// Until WarmUntil the next prompt is read from the cache. From ColdFrom it is written anew. Between the two
	// either may happen. WarnFrom is when the last fifth of the cache's lifetime begins.
	WarmUntil, ColdFrom, WarnFrom int64
	Cause                         BackCause
	Life                          int64
	// Anew is what the next prompt writes to the cache once it is cold, Kept the fixed part that it still reads, and
	// Weighted both by what tokens cost, in tokens of plain input. Kept is an upper bound: after hours it is often
	// gone as well.
	Anew, Kept, Weighted int64
	// CompactsAt is when the agent compacts the session itself if it is left alone, and CompactsTo what that leaves;
	// Unknown if it does not.
	CompactsAt, CompactsTo int64
	// CompactFirst is what the first prompt after a compaction writes anew; Unknown without a landing.
	CompactFirst int64
	// CompactNow is set if a compaction between WarnFrom and WarmUntil is cheaper than one after it: the turn is over, and
	// what a compaction leaves is small. NowText says so.
	CompactNow bool
	// Text is the cost once the cache is cold, CompactsText the agent's own compaction and FirstText a compaction
	// before the next prompt, unless it writes about as much. Either may be empty. None of them has a time.
	Text, CompactsText, FirstText, NowText Text
	Display                                string // Anew as front ends print it

	compact string // the command that FirstText names
}

// backTexts are the costs by cause. Texts are made again only if a number changes, because a Reading is made often.
var backTexts = [...]phrase.ID{phrase.BackAnew, phrase.BackEnded, phrase.BackModel, phrase.BackTools, phrase.BackAnew}

// ColdAt reports whether the cache is cold at a time; perhaps is true if it may be.
func (b *Back) ColdAt(time int64) (cold, perhaps bool) {
	return time >= b.ColdFrom, time > b.WarmUntil && time < b.ColdFrom
}

// coldWithin returns how long a cache may still be read after its lifetime: a minute if that is five minutes, and three
// if it is an hour.
func coldWithin(life int64) int64 { return max(life/20, 60_000) }

// readBack fills in what coming back costs: nothing of a session whose records do not say how long its cache is kept.
func (s *Session) readBack(out *Reading) {
	out.Back = nil
	if s.back(&out.storage.back, out.Used, out.Compaction.Line, out.Compaction.Landing) {
		out.Back = &out.storage.back
	}
}

// back computes a forecast for a next prompt of a size.
func (s *Session) back(b *Back, used, line int64, landing *Range) bool {
	c := &s.cache
	if c.life <= 0 || c.used == Unknown || used <= 0 || s.Parent != "" || s.anchor() == nil && !s.history.justCompacted {
		return false
	}
	kept, before := min(max(c.fixed, 0), used), *b
	*b = Back{
		WarmUntil: c.used + c.life, Life: c.life, Anew: used - kept, Kept: kept,
		CompactsAt: Unknown, CompactsTo: Unknown, CompactFirst: Unknown,
	}
	b.ColdFrom = b.WarmUntil + coldWithin(c.life)
	gone := func(cause BackCause, from int64) { b.Cause, b.WarmUntil, b.ColdFrom = cause, from, from }
	switch {
	case s.history.justCompacted:
		gone(BackCompacted, c.used)
	case s.requests.remodeled:
		b.Kept, b.Anew = 0, used
		gone(BackModel, c.used)
	case s.changes.toolsChanged:
		b.Kept, b.Anew = 0, used
		gone(BackTools, c.used)
	case c.ended != Unknown:
		gone(BackEnded, c.ended)
	}
	b.WarnFrom = b.WarmUntil
	if b.Cause == BackByTime {
		b.WarnFrom -= c.life / 5
	}
	weight := int64(weightWrite)
	if c.life >= CacheLong {
		weight = weightLong
	}
	b.Weighted = (b.Anew*weight + b.Kept*weightRead + 50) / 100
	if b.Text, b.Display = before.Text, before.Display; b.Text.Empty() || before.Anew != b.Anew || before.Cause != b.Cause {
		b.Display = Short(b.Anew)
		b.Text = backTexts[b.Cause].Text(phrase.Tokens(b.Display))
	}
	if landing == nil || b.Cause == BackCompacted || landing.Likely <= 0 || landing.Likely >= used {
		return true
	}
	if s.worthCompacting() && s.rule.Commands.Compact != "" {
		b.CompactFirst = max(landing.Likely-b.Kept, 0)
		switch b.FirstText = before.FirstText; {
		case b.CompactFirst >= b.Anew-b.Anew/20: // within the forecast's error
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
	if b.CompactNow = b.CompactsAt == Unknown && s.goodMoment(b, used, line, landing.Likely); b.CompactNow {
		b.NowText = phrase.BackNow.Text(phrase.Tokens(Short(used - landing.Likely)))
	}
	return true
}

// goodMoment reports whether a compaction pays before the cache is cold: nothing is under way, it frees more than half,
// and what it leaves is well below the threshold even after a typical turn.
func (s *Session) goodMoment(b *Back, used, line, landing int64) bool {
	if b.Cause != BackByTime || b.FirstText.Empty() || s.activity.now != Waiting || s.activity.nowFor != ForPrompt || landing > used/2 {
		return false
	}
	turn, known := s.typicalTurn()
	return known && line > 0 && landing+turn < line/5*4
}
