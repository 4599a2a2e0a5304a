// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readStatusLine reads the context_window object that Claude Code passes to status lines: current_usage is the last
// request, and the totals are sums over the session.
func readStatusLine(r *reader, u, _ json.Value, c *counts) {
	if window := r.may(u, "context_window_size"); window > 0 {
		c.window = window
	}
	if current := u.Get("current_usage"); current.Kind() == json.Object {
		readAnthropic(r, current, u, c)
	} else {
		c.input = r.may(u, "total_input_tokens")
		c.output = r.may(u, "total_output_tokens")
		c.sum = true
		c.cache, c.thought = within, within
	}
}
