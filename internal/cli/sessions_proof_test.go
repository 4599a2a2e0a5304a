// Copyright The ctx-lsp authors. MIT licence.

package cli

import "testing"

// TestTheListNamesAgentsThatWereNotRun checks that a list of sessions says which of its agents were only compared with
// recordings, each once, and nothing of those that were run in the lab.
func TestTheListNamesAgentsThatWereNotRun(t *testing.T) {
	list := []*listed{{Agent: "claude-code"}, {Agent: "goose"}, {Agent: "cursor"}, {Agent: "goose"}, {Agent: "unknown"}}
	const want = "Goose: compared with recordings of 2026-11 only, without a promise.\nCursor: estimated from texts, compared with recordings of 2026-11 only."
	if got := unproved(list); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := unproved(list[:1]); got != "" {
		t.Errorf("of agents that were run: %q", got)
	}
}
