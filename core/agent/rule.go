// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Installation describes a running agent as far as its rule and its window depend on it.
type Installation struct {
	Agent, Version, Model string
	// Provider is the provider or router that serves the model; "" if unknown.
	Provider string
	// Limits are the window's limits as known so far; NoLimits if unknown.
	Limits core.Limits
	// Setting returns an environment variable or a setting of the agent by its own name, "" if it is not set. A nil
	// Setting returns nothing.
	Setting func(name string) string
	// Note is called with the agent's interpretation of a setting's value, if it is not literal. It may be nil.
	Note func(setting string, note core.Text)
}

func (i *Installation) note(setting string, note core.Text) {
	if i.Note != nil {
		i.Note(setting, note)
	}
}

func (i *Installation) setting(name string) string {
	if i.Setting == nil {
		return ""
	}
	return i.Setting(name)
}

// on reports whether a setting has a value that programs accept as switched on.
func (i *Installation) on(name string) bool {
	switch i.setting(name) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// off reports whether a setting has a value that programs accept as switched off.
func (i *Installation) off(name string) bool {
	switch i.setting(name) {
	case "0", "false", "no", "off":
		return true
	}
	return false
}

func (i *Installation) version() reader.Version { return reader.ParseVersion(i.Version) }

// tokens reads a number of tokens as written in agents' settings: "200000", "400k", "1m". It returns -1 for anything
// else.
func tokens(s string) int64 {
	if s == "" || len(s) > 12 {
		return core.Unknown
	}
	unit := int64(1)
	switch s[len(s)-1] | 0x20 {
	case 'k':
		unit, s = 1000, s[:len(s)-1]
	case 'm':
		unit, s = 1_000_000, s[:len(s)-1]
	}
	if s == "" {
		return core.Unknown
	}
	n := int64(0)
	for i := 0; i < len(s); i++ {
		if s[i] == '_' || s[i] == ',' {
			continue
		}
		if s[i]-'0' > 9 {
			return core.Unknown
		}
		n = n*10 + int64(s[i]-'0')
	}
	if n *= unit; n > core.MaxTokens {
		return core.Unknown
	}
	return n
}

// whole reads a setting like the agent does, by the digits at its beginning: "200k" is 200. It returns -1 for a value
// without any.
func (i *Installation) whole(name string) int64 {
	s := i.setting(name)
	n := leading(s)
	if n != core.Unknown && n != tokens(s) {
		i.note(name, phrase.SettingReadAs.Text(phrase.Count(n)))
	}
	return n
}

// leading reads the digits at the beginning of a text. It returns -1 without any.
func leading(s string) int64 {
	end := 0
	for end < len(s) && end < 12 && s[end]-'0' <= 9 {
		end++
	}
	return tokens(s[:end])
}

// fraction reads a setting that is a fraction of 1 between two bounds, and returns hundredths. It returns -1 if the
// setting is missing or has any other value, which the agent ignores.
func (i *Installation) fraction(name string, least, most int64) int64 {
	s := i.setting(name)
	if s == "" {
		return core.Unknown
	}
	n := hundredth(s)
	switch {
	case n >= least && n <= most:
		return n
	case n > 100:
		i.note(name, phrase.SettingFraction.Text())
	default:
		i.note(name, phrase.SettingIgnored.Text())
	}
	return core.Unknown
}

// percentage reads a setting that is a percentage of at most 100, and returns hundredths. It returns -1 if the setting
// is missing or has any other value, which the agent ignores.
func (i *Installation) percentage(name string, least int64) int64 {
	s := i.setting(name)
	if s == "" {
		return core.Unknown
	}
	n := hundredth(s)
	if n <= 0 || n < least || n > 10_000 {
		i.note(name, phrase.SettingIgnored.Text())
		return core.Unknown
	}
	if n < 100 {
		i.note(name, phrase.SettingPercent.Text(phrase.Name(s)))
	}
	return n
}

// sized reads a setting that is a number of tokens with or without a unit: "200k" is 200,000.
func (i *Installation) sized(name string) int64 {
	n := tokens(i.setting(name))
	if n <= 0 && i.setting(name) != "" {
		i.note(name, phrase.SettingIgnored.Text())
	}
	return n
}

// hundredth reads a decimal number in hundredths: "70" is 7000, "0.7" is 70.
func hundredth(s string) int64 {
	n, scale := int64(0), -1
	if s == "" || len(s) > 12 {
		return core.Unknown
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '.' && scale < 0:
			scale = 0
		case s[i]-'0' <= 9:
			if scale < 2 {
				n = n*10 + int64(s[i]-'0')
				if scale >= 0 {
					scale++
				}
			}
		default:
			return core.Unknown
		}
	}
	for scale = max(scale, 0); scale < 2; scale++ {
		n *= 10
	}
	return n
}

// table finds a model in a window table: lines of "pattern window output". It uses the first line whose pattern begins
// the model's name, or occurs in it if the pattern begins with an asterisk. Columns with "-" are unknown.
func table(lines, model string) (core.Limits, bool) {
	for line := range strings.SplitSeq(lines, "\n") {
		pattern, rest := field(line)
		if pattern == "" || !matches(pattern, model) {
			continue
		}
		window, rest := field(rest)
		output, _ := field(rest)
		return core.Limits{Window: tokens(window), Input: core.Unknown, Output: tokens(output)}, true
	}
	return core.NoLimits, false
}

func matches(pattern, model string) bool {
	if pattern[0] == '*' {
		return strings.Contains(model, pattern[1:])
	}
	return strings.HasPrefix(model, pattern)
}

func field(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if end := strings.IndexAny(s, " \t"); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// bare returns a model's name without the provider's path before it.
func bare(model string) string {
	return model[strings.LastIndexByte(model, '/')+1:]
}

// AtLeast reports whether a version of an agent is at least another one. It returns true for an unknown version.
func AtLeast(version, least string) bool { return reader.ParseVersion(version).AtLeast(least) }

// These functions compute the percentages that agents themselves print, by the agents' formulas. They enter no other
// number: they are shown to explain why two numbers differ.

// rounded returns part in hundredths of a percent of whole, rounded half up to whole percents and kept between 0 and
// 100; Unknown if whole is unknown.
func rounded(part, whole int64) int64 {
	if whole <= 0 {
		return core.Unknown
	}
	percent := (200*max(part, 0) + whole) / (2 * whole)
	return min(percent, 100) * 100
}

func windowOf(l core.Limits) int64 {
	if l.Window > 0 {
		return l.Window
	}
	return l.Input
}

// printsPrompt returns the share of the prompt in the full window, without the response.
func printsPrompt(in, _ int64, l core.Limits) int64 { return rounded(in, windowOf(l)) }

// printsBoth returns the share of prompt and response in the full window.
func printsBoth(in, out int64, l core.Limits) int64 { return rounded(in+out, windowOf(l)) }

// printsInput returns the share of the prompt in the largest possible prompt.
func printsInput(in, _ int64, l core.Limits) int64 {
	if l.Input > 0 {
		return rounded(in, l.Input)
	}
	return rounded(in, l.Window-max(l.Output, 0))
}
