// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestValuesThatAreNotLiteralAreExplained checks what a user reads about a setting whose value the agent changes or
// ignores, at both sides of each bound. A value that applies as it is has no note.
func TestValuesThatAreNotLiteralAreExplained(t *testing.T) {
	const own, variable, ignored = "autoCompactWindow", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "is ignored, because it is not a valid value"
	for _, c := range []struct {
		agent, version, model string
		setting, value, want  string
	}{
		{"claude-code", "2.1.332", "", own, "100000", ""},
		{"claude-code", "2.1.332", "", own, "99999", "is below the smallest value; 100,000 is used"},
		{"claude-code", "2.1.332", "", own, "1", "is below the smallest value; 100,000 is used"},
		{"claude-code", "2.1.332", "", own, "1000000", ""},
		{"claude-code", "2.1.332", "", own, "1000001", "is above the largest value; 1,000,000 is used"},
		{"claude-code", "2.1.332", "", own, "auto", ""},
		{"claude-code", "2.1.332", "", own, "0", ignored},
		{"claude-code", "2.1.332", "", own, "much", ignored},
		{"claude-code", "2.1.111", "", own, "much", ""},
		{"claude-code", "2.1.332", "", variable, "400k", ""},
		{"claude-code", "2.1.300", "", variable, "400k", "is read as 400, which is below the smallest value; 100,000 is used"},
		{"claude-code", "", "", variable, "400k", "is read as 400 by versions before 2.1.329"},
		{"claude-code", "", "", variable, "400000", ""},
		{"claude-code", "2.1.332", "", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "20000", ""},
		{"claude-code", "2.1.332", "", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "20001", "is above the largest value; 20,000 is used"},
		{"claude-code", "2.1.19", "", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "64000", ""},
		{"claude-code", "2.1.332", "", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "9k", "is read as 9"},
		{"claude-code", "2.1.332", "", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "1", ""},
		{"claude-code", "2.1.332", "", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "0.8", "is read as 0.8%, because it is a percentage and not a fraction"},
		{"claude-code", "2.1.332", "", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "100", ""},
		{"claude-code", "2.1.332", "", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "100.1", ignored},
		{"claude-code", "2.1.332", "", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "0", ignored},
		{"claude-code", "2.1.332", "claude-opus-5", "autoCompactWindowsCache.claude-opus-5", "100000", ""},
		{"claude-code", "2.1.332", "claude-opus-5", "autoCompactWindowsCache.claude-opus-5", "99999", ignored},
		{"claude-code", "2.1.332", "claude-opus-5", "autoCompactWindowsCache.claude-opus-5", "400000 or 500000", "is 500000 for other accounts; which one applies is not read, and 400,000 is used"},
		{"claude-code", "2.1.332", "claude-opus-5-5", "cachedGrowthBookFeatures.tengu_jaunty_breeze", "300000", ""},
		{"claude-code", "2.1.332", "claude-opus-5-5", "cachedGrowthBookFeatures.tengu_jaunty_breeze", "299999", ignored},
		{"claude-code", "2.1.332", "claude-opus-5-5", "cachedGrowthBookFeatures.tengu_jaunty_breeze", "999999", ""},
		{"claude-code", "2.1.332", "claude-opus-5-5", "cachedGrowthBookFeatures.tengu_jaunty_breeze", "1000000", ignored},
		{"gemini-cli", "", "", "model.compressionThreshold", "0.01", ""},
		{"gemini-cli", "", "", "model.compressionThreshold", "1", ""},
		{"gemini-cli", "", "", "model.compressionThreshold", "1.01", "is ignored, because it is a fraction of 1 and not a percentage"},
		{"gemini-cli", "", "", "model.compressionThreshold", "0", ignored},
		{"gemini-cli", "", "", "model.compressionThreshold", "half", ignored},
		{"kimi-code", "", "", "loop_control.compaction_trigger_ratio", "0.5", ""},
		{"kimi-code", "", "", "loop_control.compaction_trigger_ratio", "0.49", ignored},
		{"kimi-code", "", "", "loop_control.compaction_trigger_ratio", "0.99", ""},
		{"kimi-code", "", "", "loop_control.compaction_trigger_ratio", "1", ignored},
		{"dexto", "", "", "compaction.thresholdPercent", "0.1", ""},
		{"dexto", "", "", "compaction.thresholdPercent", "0.09", ignored},
		{"grok", "", "", "GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "1", ""},
		{"grok", "", "", "GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "0.99", ignored},
		{"pi", "", "", "compaction.reserveTokens", "1", ""},
		{"pi", "", "", "compaction.reserveTokens", "0", ignored},
		{"codex", "", "", "model_auto_compact_token_limit", "200k", ""},
		{"codex", "", "", "model_auto_compact_token_limit", "all", ignored},
	} {
		got := ""
		of := agent.Installation{
			Agent: c.agent, Version: c.version, Model: c.model,
			Setting: func(name string) string {
				if name == c.setting {
					return c.value
				}
				return ""
			},
			Note: func(setting string, note core.Text) {
				if setting == c.setting {
					got = note.String()
				} else {
					t.Errorf("%s %s=%s: a note about %s", c.agent, c.setting, c.value, setting)
				}
			},
		}
		if _, ok := agent.Rule(of); !ok {
			t.Fatalf("%s has no rule", c.agent)
		}
		if got != c.want {
			t.Errorf("%s %s, %s=%s: %q, want %q", c.agent, c.version, c.setting, c.value, got, c.want)
		}
	}
}
