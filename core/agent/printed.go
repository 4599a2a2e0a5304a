// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

// What agents print of their own context, by their own formulae. None of it
// enters any other number: it is shown so that two numbers that differ can
// be told apart.

// rounded is part of whole in percent, rounded half up and kept within 0 and
// 100, in hundredths; Unknown without a whole.
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

// codexBaseline is what Codex takes every prompt to hold before anything was
// said; it is taken off both the window and the prompt.
const codexBaseline = 12_000

// printsLeft is what Codex prints: the percentage that is left.
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
