// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Rule describes when an agent compacts, as dated data. The compaction threshold is the lowest of the bounds that are
// set; a rule without any has no threshold.
type Rule struct {
	// Name, Since and Source identify the rule, the date from which it applies, and where it was found.
	Name, Since, Source string

	// Sources are the rules that would apply with a single source each: the requested rule, then each setting, then the
	// agent's own rule. It is empty if there is only the agent's own rule.
	Sources []RuleSource

	// Percent is a share of the limit, in hundredths: 7000 is 70%.
	Percent int64
	// OfWindow applies Percent, Reserve and Below to the total window even if a smaller maximum input is known.
	OfWindow bool
	// Reserve is kept free below the limit.
	Reserve int64
	// OutputCap is the upper bound of the output reserve: the model's maximum output is reserved, but at most this; an
	// unknown or zero maximum is treated as the cap.
	OutputCap int64
	// Below is a further distance below the limit.
	Below int64
	// Threshold is an absolute number of tokens.
	Threshold int64
	// Formula replaces all of the above if it is set: some agents compute a threshold that no sum of bounds can
	// express.
	Formula func(Limits) (threshold int64)

	// Warning is how far below the threshold the agent starts to warn; 0 to use the default of core.
	Warning int64
	// Margin is how far below the threshold compaction is already due, because the next request will cross it; 0 to use
	// the default of core.
	Margin int64
	// Target is the size after compaction, counted down from the window: 50000 leaves window - 50000, or 80% of a
	// window that is no larger than that.
	Target int64
	// TargetTokens is the size after compaction in tokens.
	TargetTokens int64
	// SummaryLow and SummaryHigh bound the tokens that compaction adds to the fixed context.
	SummaryLow, SummaryHigh int64
	// FirstMost bounds the residual of a first prompt: a larger one shows that records of the conversation are missing.
	// The residual is FirstUsual then.
	FirstMost, FirstUsual int64
	// First is the unrecorded part of a first prompt.
	First FirstPrompt
	// Past is the hint past the threshold of an agent that does not compact inside a turn; "" for other agents.
	Past phrase.ID
	// CountsDropped is set if the agent's own counter keeps counting reasoning that is no longer sent, and DroppedItem
	// is the extra count for each item of it. The threshold comes earlier by that much.
	CountsDropped bool
	DroppedItem   int64
	// ComparesMeasured is set if the agent checks the threshold before each request, with the usage of the previous
	// response: a request that it sends shows that the threshold is not below that usage.
	ComparesMeasured bool
	// CompactedReads is set if the first request after a compaction reads only the tools and the system prompt from the
	// cache.
	CompactedReads bool
	// Window is the smaller window that the user has set for the agent; 0 if there is none. Readings are divided by it.
	Window int64
	// Usual is the agent's window unless the user or the account gives it a larger one; 0 if unknown.
	Usual int64
	// Growth is how many tokens a request of this agent adds to the prompt on average.
	Growth int64
	// Spread gives the typical errors of this agent's predictions, used until a session has shown its own.
	Spread Spread
	// Commands are the agent's own commands.
	Commands Commands
	// Prints computes the percentage that the agent itself shows after a response, in hundredths, or returns Unknown if
	// it shows none. PrintsAs is its name.
	Prints   func(in, out int64, l Limits) int64
	PrintsAs Text
	// Unseen names the content that the agent is known to send without recording it, by occasion; "" if unknown.
	Unseen [Occasions]phrase.ID
	// ToolsUnrecorded is set if the agent records all of its fixed context except its tools.
	ToolsUnrecorded bool
	// AfterCache names the content between the part that a first request may read from the cache and the conversation,
	// if it is memory files and nothing else of notable size; "" if it may be more. AfterSystem is the same for the
	// content after a system prompt that was read completely, if skills and agents are recorded.
	AfterCache, AfterSystem phrase.ID
	// Idle describes when the agent compacts an idle session.
	Idle IdleCompaction
	// Hard is set if nothing compacts before the provider refuses a prompt.
	Hard bool
	// Unadvised is set if the user wants no threshold and no advice to compact.
	Unadvised bool
}

// DefaultOutputCap is the output reserve if the model's own maximum is larger or unknown.
const DefaultOutputCap = 32000

// threshold returns the compaction threshold, or Unknown if the rule has none or the window is unknown.
func (r *Rule) threshold(l Limits) int64 {
	if r.Formula != nil {
		return r.Formula(l)
	}
	limit := l.limit()
	if r.OfWindow && l.Window > 0 {
		limit = l.Window
	}
	threshold := Unknown
	lower := func(n int64) {
		if n < 0 {
			n = 0
		}
		if threshold == Unknown || n < threshold {
			threshold = n
		}
	}
	if r.Threshold > 0 {
		lower(r.Threshold)
	}
	if limit <= 0 {
		return threshold
	}
	if r.Percent > 0 {
		lower(mulDiv(limit, r.Percent, 10000))
	}
	if free := r.keptFree(l); free > 0 || r.OutputCap > 0 {
		lower(limit - free) // the whole limit if no output reserve is needed
	}
	return threshold
}

// keptFree returns how many tokens the rule keeps free below the limit.
func (r *Rule) keptFree(l Limits) int64 {
	free := r.Reserve + r.Below
	// A response needs a reserve only if it shares the window with the prompt.
	if r.OutputCap > 0 && l.shared() {
		free += outputRoom(l.Output, r.OutputCap)
	}
	return free
}

// outputRoom returns the maximum output, but at most most. An unknown or zero maximum is treated as most.
func outputRoom(output, most int64) int64 {
	if output <= 0 || output > most {
		return most
	}
	return output
}

// target returns the rule's size after compaction, or Unknown if the rule gives none.
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
