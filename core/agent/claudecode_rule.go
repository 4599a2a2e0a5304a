// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// claudeCodeWindows is Claude Code 2.1.329's own table (2026-11-19), read from the shipped program. It contains the
// windows without opt-in, and the default maximum output.
const claudeCodeWindows = `
claude-haiku-4-5 200000 32000
claude-haiku-5-5 1000000 128000
claude-3-7-sonnet 200000 32000
claude-3-5 200000 8192
claude-3- 200000 4096
claude-sonnet-4-6 200000 32000
claude-sonnet-4 200000 32000
claude-sonnet-5-5 1000000 128000
claude-sonnet-5 1000000 64000
claude-opus-4-7 1000000 64000
claude-opus-4-8 1000000 64000
claude-opus-4-6 200000 64000
claude-opus-4 200000 32000
claude-opus-5-5 1000000 128000
claude-opus-5 1000000 64000
claude-fable-5-2 1000000 128000
claude-fable-5 1000000 64000
claude-mythos-5-2 1000000 128000
claude-mythos-5 1000000 64000
`

// claudeCodeOptIn lists the models that have 1,000,000 tokens on request.
const claudeCodeOptIn = `
claude-sonnet-4-6 1000000 -
claude-sonnet-4 1000000 -
claude-opus-4-6 1000000 -
`

const claudeCodeSource = "read from the shipped program, versions 2.0.76, 2.1.50, 2.1.112, 2.1.197 and 2.1.329"

func claudeCodeWindow(in *Installation) (core.Limits, bool) {
	model := bare(in.Model)
	if model == "" {
		return core.NoLimits, false
	}
	if n := in.whole("CLAUDE_CODE_MAX_CONTEXT_TOKENS"); n > 0 && (in.on("DISABLE_COMPACT") || !strings.Contains(model, "claude")) {
		return core.Limits{Window: n, Input: core.Unknown, Output: core.Unknown}, true
	}
	limits, ok := table(claudeCodeWindows, claudeName(model))
	if ok && limits.Window < 1_000_000 && strings.Contains(model, "[1m]") && !in.on("CLAUDE_CODE_DISABLE_1M_CONTEXT") {
		if _, can := table(claudeCodeOptIn, claudeName(model)); can || !in.version().AtLeast("2.1.112") {
			limits.Window = 1_000_000
		}
	}
	if !ok {
		limits = core.NoLimits
		switch {
		case !strings.Contains(model, "claude") || in.on("CLAUDE_CODE_DISABLE_1M_CONTEXT") || !in.version().AtLeast("2.1.112"):
			limits.Window = 200_000
		default:
			limits.Window = 1_000_000
		}
	}
	if n := in.whole("CLAUDE_CODE_MAX_OUTPUT_TOKENS"); n > 0 {
		limits.Output = n
	}
	return limits, true
}

// claudeName returns a model's name in the maker's spelling, for a cloud's spelling such as
// "us.anthropic.claude-opus-4-6-v1:0".
func claudeName(model string) string {
	for i := 0; i+7 <= len(model); i++ {
		if model[i:i+7] == "claude-" {
			return model[i:]
		}
	}
	return model
}

func claudeCodeRule(in *Installation) core.Rule {
	rule := core.Rule{
		Warning: 20_000, Margin: 2_000, ComparesMeasured: true, Usual: 200_000, SummaryLow: 1_000, SummaryHigh: 23_000, Growth: 1_289,
		FirstMost: 80_000, FirstUsual: 40_000,
		Prints: printsPrompt, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Claude Code")),
	}
	rule.Source = claudeCodeSource
	rule.First = core.FirstPrompt{Tools: core.Unrecorded{Usual: 5_500, Most: 14_000}, Memory: core.Unrecorded{Usual: 7_500, Most: 14_000}}
	if in.Model == "" {
		rule.First.Tools.Most += 12_000 // Sonnet 5 has longer descriptions of tools
	}
	if in.Version != "" && in.version().AtLeast("2.1.277") {
		rule.First.Memory = core.Unrecorded{Usual: 300, Most: 2_000} // memory files are recorded
	}
	rule.CompactedReads = in.version().AtLeast("2.1.37") // in earlier versions, memory files were read too
	rule.Unseen[core.WithResults] = phrase.Reminders
	rule.Unseen[core.WithMessage] = phrase.Attached
	rule.Unseen[core.AtResume] = phrase.Resumed
	rule.Unseen[core.AtCompaction] = phrase.PutBack
	rule.Spread = core.Spread{First: 320, User: 130, Resume: 300, Reloaded: 2500, Compaction: 18_000}
	if in.version().AtLeast("2.1.100") {
		rule.Spread.User = 30 // attachments and the length of responses are recorded
	}
	if in.version().AtLeast("2.1.170") {
		rule.Spread.Compaction = 10_000 // content that is attached again is recorded
	}
	switch v := in.version(); {
	case in.Version == "":
	case !v.AtLeast("2.1.18"):
		// Agents and skills are in the descriptions of tools and not listed separately.
		rule.AfterCache = phrase.MemoryAndGit
	case v.AtLeast("2.1.177"):
		rule.AfterSystem = phrase.MemoryUnrecorded
	}
	if in.on("DISABLE_COMPACT") || in.on("DISABLE_AUTO_COMPACT") || in.off("autoCompactEnabled") {
		return claudeCodeOff(in, rule)
	}
	rule.Idle = claudeCodeIdle(in)
	// Up to 2.1.19, the output reserve was the whole maximum output; since then it is at most 20,000.
	room := int64(20_000)
	rule.Name, rule.Since = "claude-code 2.1.20+", "2026-01-22"
	if !in.version().AtLeast("2.1.20") {
		room = 32_000
		rule.Name, rule.Since = "claude-code up to 2.1.19", "2025-12-27"
	}
	if n := in.whole("CLAUDE_CODE_MAX_OUTPUT_TOKENS"); n > 0 {
		if n > room && in.version().AtLeast("2.1.20") {
			in.note("CLAUDE_CODE_MAX_OUTPUT_TOKENS", phrase.SettingLowered.Text(phrase.Count(room)))
			n = room
		}
		room = n
	}
	const share = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
	percent := in.percentage(share, 0)
	if percent > 0 {
		rule.Name += " with CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
	}
	own := claudeCodeOwnWindow(in)
	if own > 0 {
		rule.Name += " with its own window"
		rule.Window = own
	} else if own = claudeCodeServedWindow(in); own > 0 {
		rule.Name, rule.Since = "claude-code 2.1.183+ with a served window", "2026-06-18"
	}
	if table, _ := claudeCodeWindow(in); own <= 0 && percent <= 0 && table.Window >= 1_000_000 && in.version().AtLeast("2.1.112") {
		// If the user has not set a window, Claude Code may wait for the provider's refusal: 2.1.219 was observed to
		// compact at 998,659 of a million.
		rule.Name, rule.Since = "claude-code 2.1.112+, which may wait until the window is full", "2026-04-16"
	}
	rule.Formula = func(l core.Limits) int64 {
		window := l.Window
		if window <= 0 {
			window = l.Input
		}
		if own > 0 && (window <= 0 || own < window) {
			window = own
		}
		if window <= 0 {
			return core.Unknown
		}
		answer := room
		if l.Output > 0 {
			answer = min(answer, l.Output)
		}
		effective := window - answer
		threshold := effective - 13_000
		if percent > 0 {
			threshold = min(threshold, effective*percent/10_000)
		}
		return max(threshold, 0)
	}
	return rule
}

// claudeCodeIdle returns when Claude Code compacts an idle session: since 2.1.286, after nine tenths of the lifetime of
// a cache that is kept for an hour. This was read from the shipped program, version 2.1.332 (2026-11-24). There,
// precomputeCompactionEnabled applies only to sessions that another program hosts, and moves no threshold.
func claudeCodeIdle(in *Installation) core.IdleCompaction {
	if in.Version == "" || !in.version().AtLeast("2.1.286") || in.off("idleCompaction") {
		return core.IdleCompaction{}
	}
	least := int64(200_000)
	if n := in.whole("CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS"); n > 0 {
		least = max(n, 100_000)
	}
	return core.IdleCompaction{Share: 90, Least: least, Life: core.CacheLong}
}

// claudeCodeOff returns the rule without automatic compaction: Claude Code refuses a prompt that leaves no space for a
// response and 3,000 tokens, so that the user compacts. Its first version left that to the provider.
func claudeCodeOff(in *Installation, rule core.Rule) core.Rule {
	rule.Name, rule.Since = "claude-code with automatic compaction off", "2025-12-27"
	rule.Hard = true
	if !in.version().AtLeast("2.1") {
		return rule
	}
	rule.Formula = func(l core.Limits) int64 {
		if l.Window <= 0 {
			return core.Unknown
		}
		answer := int64(20_000)
		if l.Output > 0 {
			answer = min(answer, l.Output)
		}
		return max(l.Window-answer-3_000, 0)
	}
	return rule
}

// claudeCodeUnits is the first version that was observed to read units in CLAUDE_CODE_AUTO_COMPACT_WINDOW. 2.1.300
// reads "200k" as 200.
const claudeCodeUnits = "2.1.329"

// claudeCodeOwnWindow returns the window within which the user wants Claude Code to compact, 0 if none is set.
func claudeCodeOwnWindow(in *Installation) int64 {
	if !in.version().AtLeast("2.1.112") {
		return 0
	}
	const least, variable = 100_000, "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
	for _, name := range []string{variable, "modelSettings." + in.Model + ".autoCompactWindow", "autoCompactWindow"} {
		value := in.setting(name)
		n := tokens(value)
		if name == variable && in.Version != "" && !in.version().AtLeast(claudeCodeUnits) {
			n = in.whole(name)
		}
		if n <= 0 {
			if value != "" && value != "auto" {
				in.note(name, phrase.SettingIgnored.Text())
			}
			continue
		}
		used := min(max(n, least), 1_000_000)
		switch digits := leading(value); {
		case n < least && n != tokens(value):
			in.note(name, phrase.SettingReadRaised.Text(phrase.Count(n), phrase.Count(used)))
		case n < least:
			in.note(name, phrase.SettingRaised.Text(phrase.Count(used)))
		case n > used:
			in.note(name, phrase.SettingLowered.Text(phrase.Count(used)))
		case name == variable && in.Version == "" && digits != n:
			in.note(name, phrase.SettingOlder.Text(phrase.Count(digits), phrase.Name(claudeCodeUnits)))
		}
		return used
	}
	return 0
}

// claudeCodeServedWindow returns the window that the provider serves for compaction, 0 if there is none. The model's
// window takes precedence over an experiment's, and both over the model's default. The order and the bounds were read
// from the shipped program, version 2.1.330 (2026-11-23).
func claudeCodeServedWindow(in *Installation) int64 {
	if in.Model == "" || !in.version().AtLeast("2.1.183") {
		return 0
	}
	model := claudeCodeCanonical(in.Model)
	for _, name := range []string{"clientDataCacheSlots." + model, "autoCompactWindowsCache." + model} {
		if n := in.served(name, 100_000, core.MaxTokens); n > 0 {
			return n
		}
	}
	if model == "claude-opus-5-5" {
		return in.served("cachedGrowthBookFeatures.tengu_jaunty_breeze", 300_000, 999_999)
	}
	return 0
}

// served reads a number of tokens between two bounds, the first of several. It returns 0 if none is set, and for any
// other value, which Claude Code ignores.
func (i *Installation) served(name string, least, most int64) int64 {
	first, others, several := strings.Cut(i.setting(name), " or ")
	n := tokens(first)
	if n >= least && n <= most {
		if several {
			i.note(name, phrase.SettingByAccount.Text(phrase.Name(others), phrase.Count(n)))
		}
		return n
	}
	if i.setting(name) != "" {
		i.note(name, phrase.SettingIgnored.Text())
	}
	return 0
}

// claudeCodeCanonical returns a model's name as used for served windows: without a cloud's spelling, a date, and the
// mark of the long window.
func claudeCodeCanonical(model string) string {
	name := claudeName(bare(model))
	if end := strings.IndexAny(name, "[@:"); end >= 0 {
		name = name[:end]
	}
	name = strings.TrimSuffix(name, "-v1")
	if end := len(name) - 9; end > 0 && name[end] == '-' && leading(name[end+1:]) >= 20_000_000 {
		name = name[:end]
	}
	return name
}

// promptTooLong reads the refusal "prompt is too long: 203123 tokens > 200000 maximum", which Claude Code records as a
// response.
func promptTooLong(text []byte) (core.Overflowed, bool) {
	const sign = "prompt is too long"
	if len(text) > 4096 {
		return core.Overflowed{}, false
	}
	s := string(text)
	for i := 0; i+len(sign) <= len(s); i++ {
		if s[i]|0x20 != 'p' || s[i+1:i+len(sign)] != sign[1:] {
			continue
		}
		prompt, rest := number(s[i+len(sign):])
		limit, _ := number(rest)
		if prompt > 0 && limit > 0 && limit < prompt {
			return core.Overflowed{Prompt: prompt, Output: core.Unknown, Limit: limit, LimitIs: core.LimitTotal, PromptIs: core.Exact}, true
		}
		return core.Overflowed{Prompt: core.Unknown, Output: core.Unknown, Limit: core.Unknown}, true
	}
	return core.Overflowed{}, false
}

// number returns the first whole number in a text, Unknown if it has none.
func number(s string) (n int64, rest string) {
	i := 0
	for i < len(s) && s[i]-'0' > 9 {
		i++
	}
	if i == len(s) {
		return core.Unknown, ""
	}
	for ; i < len(s) && (s[i]-'0' <= 9 || s[i] == ','); i++ {
		if s[i] == ',' {
			continue
		}
		if n = n*10 + int64(s[i]-'0'); n > core.MaxTokens {
			return core.Unknown, ""
		}
	}
	return n, s[i:]
}

// claudeCodeCaches returns where Claude Code puts a kind: the list of agents is in the description of a tool, and so is
// that of skills up to 2.1.37.
func claudeCodeCaches(version string, kind core.Kind) core.Cached {
	if kind == core.Agents || kind == core.Skills && reader.ParseVersion(version) < reader.ParseVersion("2.1.37") {
		return core.IsCached
	}
	return core.NotCached
}
