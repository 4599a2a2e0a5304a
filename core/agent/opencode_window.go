// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

// openCodeWindow returns the limits in OpenCode's or Pi's own list of models for the model and its provider, which may
// allow less than the model's maker: "models." with both is the window, the largest prompt and the largest response,
// and "-" is an unknown number.
func openCodeWindow(in *Installation) (core.Limits, bool) {
	if in.Provider == "" {
		return core.NoLimits, false
	}
	window, rest := field(in.setting("models." + in.Provider + "/" + in.Model))
	input, rest := field(rest)
	output, _ := field(rest)
	l := core.Limits{Window: tokens(window), Input: tokens(input), Output: tokens(output)}
	return l, l.Window > 0
}
