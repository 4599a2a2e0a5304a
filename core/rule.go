// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Rule is when an agent compacts, as dated data. The line is the lowest of
// the bounds that are set; a rule without any has no line.
type Rule struct {
	// Name, Since and Source say which rule this is, from when, and where it
	// was read.
	Name, Since, Source string

	// Sources are the rules that would apply by one source alone: the rule that
	// was asked for, then each setting, then the agent's own rule. It is empty
	// if the agent's own rule is all there is.
	Sources []RuleSource

	// Percent of the limit, in hundredths: 7000 is 70 %.
	Percent int64
	// OfWindow makes Percent, Reserve and Below count from the total window
	// even where a smaller maximum input is known.
	OfWindow bool
	// Reserve is kept free below the limit.
	Reserve int64
	// OutputCap keeps room for the answer: the model's maximum output, but
	// at most this; an unknown or zero maximum counts as the cap.
	OutputCap int64
	// Below is a further distance below the limit.
	Below int64
	// Line is an absolute number of tokens.
	Line int64
	// Formula, where it is set, replaces all of the above: some agents
	// compute what no sum of bounds can say.
	Formula func(Limits) (line int64)

	// Warning is how far below the line the agent starts to warn; 0 for the
	// default of core.
	Warning int64
	// Margin is how far below the line compaction is already due, because
	// the next request will cross it; 0 for the default of core.
	Margin int64
	// Target is what compaction leaves, counted down from the window: 50000
	// leaves window - 50000, or 80 % of a window that is no larger than that.
	Target int64
	// TargetTokens is what compaction leaves, as a number.
	TargetTokens int64
	// SummaryLow and SummaryHigh bound what compaction adds to the fixed part
	// of the window.
	SummaryLow, SummaryHigh int64
	// FirstMost bounds the residual of a first prompt: one that held more
	// belonged to a conversation whose records are not all there. Its residual
	// is FirstUsual then.
	FirstMost, FirstUsual int64
	// First is the part of a first prompt without any record.
	First FirstPrompt
	// Past is the hint past the threshold of an agent that does not compact inside a turn; "" for one that does.
	Past phrase.ID
	// CountsDropped says that the agent's own counter goes on counting
	// reasoning that is not sent again, and DroppedItem how much more it counts
	// for each item of it. The line comes earlier by that.
	CountsDropped bool
	DroppedItem   int64
	// ComparesMeasured says that the agent compares before each request, and by
	// the usage of the response before it: a request that it sends shows that the
	// threshold is not below that.
	ComparesMeasured bool
	// CompactedReads is true if the first request after a compaction reads the
	// tools and the system prompt from the cache, and nothing else.
	CompactedReads bool
	// Window is the smaller window that the user has set for the agent; 0 without
	// such a setting. Readings are divided by it.
	Window int64
	// Usual is the window that this agent has if the user or the account gives it
	// no larger one; 0 if unknown.
	Usual int64
	// Growth is what a call of this agent adds to the prompt in the mean.
	Growth int64
	// Spread is how far requests of this agent are off where a session has not
	// shown it yet.
	Spread Spread
	// Commands are the agent's own.
	Commands Commands
	// Prints is the percentage that the agent itself shows after an answer, in
	// hundredths, and PrintsAs what it is called; Unknown when it shows none.
	Prints   func(in, out int64, l Limits) int64
	PrintsAs Text
	// Unseen is what the agent is known to send without recording it, by when
	// it does; "" where nobody knows.
	Unseen [Occasions]phrase.ID
	// ToolsUnrecorded says that the agent records all that surrounds the
	// conversation but its tools.
	ToolsUnrecorded bool
	// BehindCache is what stands between what a first request may read from the
	// cache and the conversation, where that is memory files and nothing else of
	// size; "" where it may be more. BehindSystem is the same behind a system
	// prompt of which all was read, where skills and agents are on record.
	BehindCache, BehindSystem phrase.ID
	// Idle is when the agent compacts a session that is left alone.
	Idle IdleCompaction
	// Hard is set where nothing compacts before the provider refuses.
	Hard bool
	// Unadvised is set if the user wants no threshold and no advice to compact.
	Unadvised bool
}

// DefaultOutputCap is the room for an answer when the model's own maximum is
// larger or not known.
const DefaultOutputCap = 32000

// line is where compaction happens; Unknown when the rule has none or the
// window is not known.
func (r *Rule) line(l Limits) int64 {
	if r.Formula != nil {
		return r.Formula(l)
	}
	limit := l.limit()
	if r.OfWindow && l.Window > 0 {
		limit = l.Window
	}
	line := Unknown
	lower := func(n int64) {
		if n < 0 {
			n = 0
		}
		if line == Unknown || n < line {
			line = n
		}
	}
	if r.Line > 0 {
		lower(r.Line)
	}
	if limit <= 0 {
		return line
	}
	if r.Percent > 0 {
		lower(mulDiv(limit, r.Percent, 10000))
	}
	if free := r.keptFree(l); free > 0 || r.OutputCap > 0 {
		lower(limit - free) // the whole limit if an answer needs no room
	}
	return line
}

// keptFree is what the rule keeps free below the limit.
func (r *Rule) keptFree(l Limits) int64 {
	free := r.Reserve + r.Below
	// An answer needs room only where it shares the window with the prompt.
	if r.OutputCap > 0 && l.shared() {
		free += outputRoom(l.Output, r.OutputCap)
	}
	return free
}

// outputRoom is min(maximum output, cap), where no maximum means the cap.
func outputRoom(output, most int64) int64 {
	if output <= 0 || output > most {
		return most
	}
	return output
}

// target is what compaction leaves by the rule; Unknown when it does not say.
func (r *Rule) target(l Limits) int64 {
	if r.TargetTokens > 0 {
		return r.TargetTokens
	}
	window := l.limit()
	if r.Target <= 0 || window <= 0 {
		return Unknown
	}
	if window <= r.Target {
		return window * 8 / 10
	}
	return window - r.Target
}
