// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestPastTheThresholdAgentsSayWhenTheyCompact checks the hint of a session past its threshold. Gemini CLI 0.61 sent
// 136,259 tokens with a threshold of 62,914, and compacted at the next prompt. Pi 0.73 compacted at the end of its
// turn.
func TestPastTheThresholdAgentsSayWhenTheyCompact(t *testing.T) {
	for of, want := range map[string]string{
		agent.GeminiCLI:  "compacts at the next prompt",
		agent.Pi:         "compacts after this turn",
		agent.ClaudeCode: "compacts now",
	} {
		s := sessionOf([]core.Event{core.AgentSeen{Agent: of, Version: "2.1.330"}, core.ModelSet{Model: "m"}, core.LimitsKnown{Limits: core.Limits{Window: 100_000, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent}})
		m := core.NewMetered()
		m.In, m.Out = 60_000, 100
		s.Apply(core.TurnStarted{})
		s.Apply(core.Appended{Item: core.Item{Kind: core.User, Tokens: 100, Parameters: core.Unknown}})
		s.Apply(m)
		if got := s.Reading().Compaction.Hint.String(); of != agent.GeminiCLI && got == want {
			t.Errorf("%s below its threshold: %q", of, got)
		}
		m.In = 98_000
		s.Apply(m)
		if c := s.Reading().Compaction; c.Level != core.Over || c.Hint.String() != want {
			t.Errorf("%s at 98,000 of 100,000: %s, %q, want %q", of, c.Level, c.Hint.String(), want)
		}
	}
}
