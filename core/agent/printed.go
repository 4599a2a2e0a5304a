// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

// These functions compute what agents print of their own context, by the
// agents' formulas. None of it enters any other number: it is shown so that two
// different numbers can be explained.

// rounded is part as hundredths of a percent of whole, rounded half up to
// percents and kept between 0 and 100; Unknown without a whole.
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

// printsPrompt: the prompt in the full window, the answer left out.
func printsPrompt(in, _ int64, l core.Limits) int64 { return rounded(in, windowOf(l)) }

// printsBoth: prompt and answer in the full window.
func printsBoth(in, out int64, l core.Limits) int64 { return rounded(in+out, windowOf(l)) }

// codexBaseline is how many tokens Codex assumes in every prompt before
// anything was said. Codex subtracts it from both the window and the prompt.
const codexBaseline = 12_000

// printsLeft is what Codex prints: the percentage of the window that is left.
func printsLeft(in, out int64, l core.Limits) int64 {
	room := windowOf(l) - codexBaseline
	if room <= 0 {
		return 0
	}
	return rounded(room-max(in+out-codexBaseline, 0), room)
}

// printsInput: the prompt in the largest prompt there may be.
func printsInput(in, _ int64, l core.Limits) int64 {
	if l.Input > 0 {
		return rounded(in, l.Input)
	}
	return rounded(in, l.Window-max(l.Output, 0))
}
