// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestASessionThatHasOnlyBegunHasAFirstPrompt checks records that Claude Code writes before the first message: the
// number is that of a first prompt, with a range and the reason, and not 0. A file with only a summary has not begun.
func TestASessionThatHasOnlyBegunHasAFirstPrompt(t *testing.T) {
	for record, want := range map[string]bool{
		`{"type":"mode","mode":"normal","sessionId":"s"}`:                                         true,
		`{"type":"permission-mode","permissionMode":"default","sessionId":"s"}`:                   true,
		`{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}`: true,
		`{"type":"summary","summary":"Tests","leafUuid":"11111111-1111-4111-8111-111111111111"}`:  false,
	} {
		r := sessionOf(eventsOf(t, agent.ClaudeCode, record)).Reading()
		if (r.Agent == agent.ClaudeCode && r.Used > 10_000 && r.High > r.Used && r.Low < r.Used && !r.RangeCause.Empty()) != want || !want && r.Used != 0 {
			t.Errorf("%s: %s, used %d [%d to %d] %q", record, r.Agent, r.Used, r.Low, r.High, r.RangeCause)
		}
	}
}
