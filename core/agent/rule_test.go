// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// thresholdOf is where a session of this installation says it will be compacted.
func thresholdOf(t *testing.T, of agent.Installation, l core.Limits) int64 {
	t.Helper()
	rule, ok := agent.Rule(of)
	if !ok {
		t.Fatalf("%s has no rule", of.Agent)
	}
	s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
	s.Apply(core.LimitsKnown{Limits: l, Source: core.FromUser})
	s.Apply(core.RuleSet{Rule: rule})
	return s.Reading().Compaction.Threshold
}

func limits(window, input, output int64) core.Limits {
	return core.Limits{Window: window, Input: input, Output: output}
}

const no = core.Unknown

// TestLines holds every agent's rule against the numbers it is known by.
func TestLines(t *testing.T) {
	set := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	for _, c := range []struct {
		about                 string
		agent, version, model string
		setting               func(string) string
		limits                core.Limits
		threshold             int64
	}{
		{"the old buffer of 45,000", "claude-code", "2.1.19", "claude-opus-4-5", nil, limits(200_000, no, 32_000), 155_000},
		{"the first version of the rule", "claude-code", "2.0.76", "claude-opus-4-5", nil, limits(200_000, no, 64_000), 155_000},
		{"the buffer of 33,000", "claude-code", "2.1.20", "claude-opus-4-6", nil, limits(200_000, no, 64_000), 167_000},
		{"a version nobody knows is taken for the newest", "claude-code", "", "claude-opus-4-6", nil, limits(200_000, no, no), 167_000},
		{"a million", "claude-code", "2.1.219", "claude-opus-5", nil, limits(1_000_000, no, 64_000), 967_000},
		{"a small answer leaves more room", "claude-code", "2.1.50", "claude-3-5-haiku", nil, limits(200_000, no, 8_192), 178_808},
		{"the override by percentage", "claude-code", "2.1.50", "claude-opus-4-6", set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "50"), limits(200_000, no, 64_000), 90_000},
		{"an override above the threshold changes nothing", "claude-code", "2.1.50", "claude-opus-4-6", set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "100"), limits(200_000, no, 64_000), 167_000},
		{"an override that is no percentage", "claude-code", "2.1.50", "claude-opus-4-6", set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "lots"), limits(200_000, no, 64_000), 167_000},
		{"a window of one's own", "claude-code", "2.1.329", "claude-sonnet-5", set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "400000"), limits(1_000_000, no, 64_000), 367_000},
		{"of which older versions read the digits, and take no less than a smallest window", "claude-code", "2.1.300", "claude-sonnet-5", set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "400k"), limits(1_000_000, no, 64_000), 67_000},
		{"and newer ones the unit too", "claude-code", "2.1.329", "claude-sonnet-5", set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "400k"), limits(1_000_000, no, 64_000), 367_000},
		{"which has a least", "claude-code", "2.1.200", "claude-sonnet-5", set("autoCompactWindow", "1000"), limits(1_000_000, no, 64_000), 67_000},
		{"and came with 2.1.112", "claude-code", "2.1.50", "claude-sonnet-5", set("autoCompactWindow", "400k"), limits(1_000_000, no, 64_000), 967_000},
		{"a served window", "claude-code", "2.1.330", "claude-opus-5[1m]", set("clientDataCacheSlots.claude-opus-5", "500000", "autoCompactWindowsCache.claude-opus-5", "400000"), limits(1_000_000, no, 64_000), 467_000},
		{"served in the other copy", "claude-code", "2.1.330", "us.anthropic.claude-opus-5-20260901-v1:0", set("autoCompactWindowsCache.claude-opus-5", "400000"), limits(1_000_000, no, 64_000), 367_000},
		{"over which one's own takes precedence", "claude-code", "2.1.330", "claude-opus-5", set("clientDataCacheSlots.claude-opus-5", "500000", "autoCompactWindow", "300k"), limits(1_000_000, no, 64_000), 267_000},
		{"of another model", "claude-code", "2.1.330", "claude-opus-5-5", set("clientDataCacheSlots.claude-opus-5", "500000"), limits(1_000_000, no, 64_000), 967_000},
		{"which is too small", "claude-code", "2.1.330", "claude-opus-5", set("autoCompactWindowsCache.claude-opus-5", "99999"), limits(1_000_000, no, 64_000), 967_000},
		{"which older versions do not know", "claude-code", "2.1.150", "claude-opus-5", set("autoCompactWindowsCache.claude-opus-5", "400000"), limits(1_000_000, no, 64_000), 967_000},
		{"an experiment's window", "claude-code", "2.1.330", "claude-opus-5-5", set("cachedGrowthBookFeatures.tengu_jaunty_breeze", "600000"), limits(1_000_000, no, 64_000), 567_000},
		{"after a served one", "claude-code", "2.1.330", "claude-opus-5-5", set("cachedGrowthBookFeatures.tengu_jaunty_breeze", "600000", "autoCompactWindowsCache.claude-opus-5-5", "700000"), limits(1_000_000, no, 64_000), 667_000},
		{"within its bounds", "claude-code", "2.1.330", "claude-opus-5-5", set("cachedGrowthBookFeatures.tengu_jaunty_breeze", "299999"), limits(1_000_000, no, 64_000), 967_000},
		{"for one model", "claude-code", "2.1.330", "claude-opus-5", set("cachedGrowthBookFeatures.tengu_jaunty_breeze", "600000"), limits(1_000_000, no, 64_000), 967_000},
		{"switched off: where it refuses to go on", "claude-code", "2.1.50", "claude-opus-4-6", set("DISABLE_AUTO_COMPACT", "1"), limits(200_000, no, 64_000), 177_000},
		{"switched off in the settings", "claude-code", "2.1.50", "claude-opus-4-6", set("autoCompactEnabled", "false"), limits(200_000, no, 64_000), 177_000},
		{"which the first version did not", "claude-code", "2.0.76", "claude-opus-4-6", set("DISABLE_AUTO_COMPACT", "1"), limits(200_000, no, 64_000), no},
		{"of the shown window 90/95", "codex", "0.142.0", "gpt-5.5", nil, limits(258_400, no, no), 244_800},
		{"the small one", "codex", "0.142.0", "gpt-5.3-codex-spark", nil, limits(121_600, no, no), 115_200},
		{"the user's own limit", "codex", "0.142.0", "gpt-5.5", set("model_auto_compact_token_limit", "100000"), limits(258_400, no, no), 100_000},
		{"is no higher than the rule", "codex", "0.142.0", "gpt-5.5", set("model_auto_compact_token_limit", "900000"), limits(258_400, no, no), 244_800},
		{"without a window, of the largest prompt", "codex", "0.142.0", "gpt-5.5", nil, limits(no, 258_400, no), 244_800},
		{"without both, the user's own limit", "codex", "0.142.0", "gpt-5.5", set("model_auto_compact_token_limit", "100000"), limits(no, no, no), 100_000},
		{"without both, none", "codex", "0.142.0", "gpt-5.5", nil, limits(no, no, no), no},
		{"a shared window gives the answer its room", "opencode", "1.18.33", "x", nil, limits(200_000, no, 64_000), 168_000},
		{"a maximum input keeps a reserve", "opencode", "1.18.33", "x", nil, limits(400_000, 272_000, 128_000), 252_000},
		{"the reserve of the settings", "opencode", "1.18.33", "x", set("compaction.reserved", "5000"), limits(400_000, 272_000, 128_000), 267_000},
		{"version 2 keeps the answer's room", "opencode", "2.0.26", "x", nil, limits(200_000, no, 64_000), 168_000},
		{"or a buffer, if that is larger", "opencode", "2.0.26", "x", nil, limits(200_000, no, 8_192), 180_000},
		{"and the buffer below a maximum input", "opencode", "2", "x", nil, limits(400_000, 272_000, 128_000), 252_000},
		{"whichever comes first", "opencode", "2.2.0", "x", nil, limits(280_000, 272_000, 32_000), 248_000},
		{"the buffer of the settings", "opencode", "2.2.0", "x", set("compaction.buffer", "50000", "compaction.reserved", "5000"), limits(200_000, no, 8_192), 150_000},
		{"which was called a reserve", "opencode", "2.2.0", "x", set("compaction.reserved", "40000"), limits(200_000, no, 8_192), 160_000},
		{"switched off in version 2", "opencode", "2.2.0", "x", set("compaction.auto", "false"), limits(200_000, no, 8_192), no},
		{"before 1.1 the threshold is beyond the maximum input, where the provider refuses", "opencode", "1.0.0", "x", nil, limits(400_000, 272_000, 128_000), 272_000},
		{"a fork with a percentage", "kilo", "7.7.9", "x", set("compaction.threshold_percent", "60"), limits(200_000, no, 64_000), 120_000},
		{"half of the window", "gemini-cli", "", "gemini-3-pro", nil, limits(1_048_576, no, no), 524_288},
		{"or another part", "gemini-cli", "", "gemini-3-pro", set("model.compressionThreshold", "0.7"), limits(1_000_000, no, no), 700_000},
		{"0.7 of the window", "qwen-code", "0.15.10", "x", nil, limits(131_072, no, no), 91_750},
		{"0.85 of the window, and no less than 33,000 below it", "qwen-code", "0.24.4", "x", nil, limits(200_000, no, no), 167_000},
		{"of a large window 0.85", "qwen-code", "0.24.4", "x", nil, limits(1_000_000, no, no), 850_000},
		{"of a small one, too", "qwen-code", "0.24.4", "x", nil, limits(32_000, no, no), 27_200},
		{"or another part", "qwen-code", "0.24.4", "x", set("context.autoCompactThreshold", "0.5"), limits(200_000, no, no), 100_000},
		{"0.8 in the background", "copilot-cli", "1.0.60", "x", nil, limits(128_000, no, no), 102_400},
		{"the distances of the classic one", "cline", "3.20.0", "x", nil, limits(64_000, no, no), 37_000},
		{"of 128,000", "cline", "3.20.0", "x", nil, limits(128_000, no, no), 98_000},
		{"of 200,000", "cline", "3.20.0", "x", nil, limits(200_000, no, no), 160_000},
		{"and of any other", "cline", "3.20.0", "x", nil, limits(1_000_000, no, no), 960_000},
		{"0.9 of the largest prompt", "cline", "4.1.13", "x", nil, limits(200_000, 180_000, no), 162_000},
		{"which is the window if its maker names none", "cline", "4.1.13", "x", nil, limits(200_000, no, no), 180_000},
		{"a tenth and the answer stay free", "roo-code", "3.52.1", "x", nil, limits(200_000, no, 16_000), 164_000},
		{"of Claude not what it could answer at most", "roo-code", "3.52.1", "claude-sonnet-4-5", nil, limits(200_000, no, 64_000), 171_808},
		{"a large answer takes a fifth", "roo-code", "3.52.1", "glm-5", nil, limits(200_000, no, 128_000), 140_000},
		{"Kilo Code took that over", "kilo-code", "5.1", "glm-5", nil, limits(200_000, no, 128_000), 140_000},
		{"or a percentage", "roo-code", "3.52.1", "x", set("autoCondenseContextPercent", "50"), limits(200_000, no, 16_000), 100_000},
		{"20,000 of a large window", "crush", "", "x", nil, limits(400_000, no, no), 380_000},
		{"a fifth of a small one", "crush", "", "x", nil, limits(200_000, no, no), 160_000},
		{"0.8", "goose", "", "x", nil, limits(200_000, no, no), 160_000},
		{"or what the environment says", "goose", "", "x", set("GOOSE_AUTO_COMPACT_THRESHOLD", "0.6"), limits(200_000, no, no), 120_000},
		{"half of the window", "hermes", "", "x", nil, limits(1_000_000, no, no), 500_000},
		{"three quarters below 512,000", "hermes", "", "x", nil, limits(200_000, no, no), 150_000},
		{"not below 64,000", "hermes", "", "x", nil, limits(80_000, no, no), 64_000},
		{"a small window", "hermes", "", "x", nil, limits(64_000, no, no), 54_400},
		{"less the output", "hermes", "", "x", set("model.max_tokens", "60000"), limits(200_000, no, no), 105_000},
		{"a higher share", "hermes", "", "x", set("compression.threshold", "0.80"), limits(200_000, no, no), 160_000},
		{"a lower share", "hermes", "", "x", set("compression.threshold", "0.70"), limits(200_000, no, no), 150_000},
		{"no share", "hermes", "", "x", set("compression.threshold", "7"), limits(200_000, no, no), 150_000},
		{"90% of the window", "gptme", "", "x", nil, limits(128_000, no, no), 115_200},
		{"the reserve of a small window", "gptme", "", "x", nil, limits(64_000, no, 32_000), 31_000},
		{"at most 256,000", "gptme", "", "x", nil, limits(1_000_000, no, no), 256_000},
		{"a window smaller than the output", "gptme", "", "x", nil, limits(128_000, no, 128_000), 115_200},
		{"a budget", "gptme", "", "x", set("GPTME_CONTEXT_BUDGET", "60000"), limits(128_000, no, no), 60_000},
		{"a budget above what fits", "gptme", "", "x", set("context.budget", "500000"), limits(128_000, no, no), 118_808},
		{"a share", "gptme", "", "x", set("chat.context_budget", "0.5", "GPTME_CONTEXT_BUDGET", "9000"), limits(128_000, no, no), 64_000},
		{"no budget", "gptme", "", "x", set("GPTME_CONTEXT_BUDGET", "much"), limits(128_000, no, no), 115_200},
		{"compression off", "hermes", "", "x", set("compression.enabled", "false", "compression.threshold", "0.7"), limits(200_000, no, no), no},
		{"which may switch it off", "goose", "", "x", set("GOOSE_AUTO_COMPACT_THRESHOLD", "0"), limits(200_000, no, no), no},
		{"the last warning", "amp", "", "x", nil, limits(200_000, 168_000, no), 159_600},
		{"earlier for large ones", "amp", "", "x", nil, limits(1_000_000, 936_000, no), 842_400},
		{"another percentage", "zed", "", "x", set("agent.auto_compact.threshold", "70%"), limits(1_000_000, no, 384_000), 431_200},
		{"so many tokens", "zed", "", "x", set("agent.auto_compact.threshold", "150000"), limits(200_000, no, 8_000), 150_000},
		{"so many left", "zed", "", "x", set("agent.auto_compact.threshold", "-20000"), limits(200_000, no, 8_000), 172_000},
		{"nine tenths of what the answer leaves", "zed", "", "x", nil, limits(1_000_000, no, 384_000), 554_400},
		{"0.9 of the largest prompt", "dexto", "", "x", nil, limits(200_000, no, no), 180_000},
		{"or another share", "dexto", "", "x", set("compaction.thresholdPercent", "0.75"), limits(200_000, no, no), 150_000},
		{"of a smaller window", "dexto", "", "x", set("compaction.maxContextTokens", "100000"), limits(200_000, no, no), 90_000},
		{"switched off", "dexto", "", "x", set("compaction.enabled", "false"), limits(200_000, no, no), no},
		{"what an answer leaves", "codelet", "", "claude-opus-4-6", nil, limits(200_000, no, 8192), 191_808},
		{"at most 32,000 for it", "codelet", "", "x", nil, limits(200_000, no, 64_000), 168_000},
		{"and 32,000 where it is not known", "codelet", "", "x", nil, limits(100_000, no, no), 68_000},
		{"0.8 of Google's", "codelet", "", "gemini-2.5-pro", nil, limits(1_000_000, no, 65_536), 800_000},
		{"and of OpenAI's", "codelet", "", "gpt-4o", nil, limits(128_000, no, 16_384), 102_400},
		{"unless an answer leaves less", "codelet", "", "gpt-4", nil, limits(32_000, no, 16_000), 16_000},
		{"without a window, of the largest prompt", "codelet", "", "x", nil, limits(no, 200_000, 8_192), 191_808},
		{"the answer and a buffer", "continue", "", "x", nil, limits(200_000, no, 64_000), 121_000},
		{"an unknown answer is assumed to have 64,000", "continue", "", "x", nil, limits(200_000, no, no), 121_000},
		{"of a small window 35%", "continue", "", "x", nil, limits(100_000, no, no), 50_000},
		{"an unknown window is assumed to have 200,000", "continue", "", "x", nil, limits(no, no, 8_000), 177_000},
		{"0.9 of the window", "cursor", "", "x", nil, limits(200_000, 180_000, no), 180_000},
		{"0.85 of a window smaller than the reserve", "kimi-cli", "", "x", nil, limits(50_000, no, no), 42_500},
		{"of at least a half", "kimi-code", "", "x", set("loop_control.compaction_trigger_ratio", "0.49"), limits(262_144, no, no), 212_144},
		{"and at most 0.99", "kimi-code", "", "x", set("loop_control.compaction_trigger_ratio", "0.99", "loop_control.reserved_context_size", "0"), limits(200_000, no, no), 198_000},
		{"0.85 of the window", "grok", "", "x", nil, limits(256_000, 240_000, no), 217_600},
		{"first that of the environment", "grok", "", "x", set("GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "50", "session.auto_compact_threshold_percent", "70"), limits(256_000, no, no), 128_000},
		{"0.8 of the window", "dsh", "", "x", nil, limits(128_000, 110_000, no), 102_400},
		{"16,384 below the window", "pi", "1.0", "x", nil, limits(200_000, 190_000, no), 183_616},
		{"switched off", "vibe", "", "x", set("auto_compact_threshold", "0"), limits(400_000, no, no), no},
		{"a maximum input that is the window has no reserve", "opencode", "1.18.33", "x", nil, limits(200_000, 200_000, 64_000), 168_000},
		{"switched off in the environment", "opencode", "1.18.33", "x", set("OPENCODE_DISABLE_AUTOCOMPACT", "1"), limits(200_000, no, 64_000), no},
		{"the largest prompt less the output, if it is not known", "amp", "", "x", nil, limits(200_000, no, 32_000), 159_600},
		{"an answer of more than a fifth", "roo-code", "3.52.1", "gpt-5.5", nil, limits(400_000, no, 128_000), 232_000},
		{"an answer as large as the window", "roo-code", "3.52.1", "x", nil, limits(200_000, no, 200_000), 171_808},
		{"a share below 5%", "roo-code", "3.52.1", "x", set("autoCondenseContextPercent", "4"), limits(200_000, no, 16_000), 164_000},
		{"the smallest share", "roo-code", "3.52.1", "x", set("autoCondenseContextPercent", "5"), limits(200_000, no, 16_000), 10_000},
	} {
		got := thresholdOf(t, agent.Installation{Agent: c.agent, Version: c.version, Model: c.model, Limits: c.limits, Setting: c.setting}, c.limits)
		if got != c.threshold {
			t.Errorf("%s %s: %s: the threshold is at %d, not at %d", c.agent, c.version, c.about, got, c.threshold)
		}
	}
}

// TestEveryRuleSaysWhichItIs: a reading shows the rule's name, its date and
// its source, and no limits at all make none of them fail.
func TestEveryRuleSaysWhichItIs(t *testing.T) {
	for _, name := range agent.Ruled() {
		for _, l := range []core.Limits{core.NoLimits, limits(1, no, no), limits(0, 0, 0), limits(core.MaxTokens, no, no), limits(200_000, 100_000, 300_000)} {
			rule, ok := agent.Rule(agent.Installation{Agent: name, Limits: l})
			if !ok || rule.Name == "" || len(rule.Since) != 10 || rule.Source == "" {
				t.Errorf("%s: %+v", name, rule)
			}
			if threshold := thresholdOf(t, agent.Installation{Agent: name, Limits: l}, l); threshold < core.Unknown || threshold > core.MaxTokens {
				t.Errorf("%s with %+v: threshold at %d", name, l, threshold)
			}
		}
	}
	if _, ok := agent.Rule(agent.Installation{Agent: "nobody"}); ok {
		t.Error("an agent nobody knows has a rule")
	}
}

// TestWindows checks the agents' own tables of windows, in which a more specific name comes before a general one.
func TestWindows(t *testing.T) {
	for _, c := range []struct {
		agent, version, model string
		window, output        int64
	}{
		{"claude-code", "2.1.37", "claude-opus-4-6", 200_000, 64_000},
		{"claude-code", "2.1.37", "claude-opus-4-6[1m]", 1_000_000, 64_000},
		{"claude-code", "2.1.204", "claude-opus-4-8", 1_000_000, 64_000},
		{"claude-code", "2.1.204", "claude-fable-5-2", 1_000_000, 128_000},
		{"claude-code", "2.1.204", "us.anthropic.claude-haiku-4-5-20251001-v1:0", 200_000, 32_000},
		{"claude-code", "2.1.1", "some-local-model", 200_000, no},
		{"codex", "", "gpt-5.5", 258_400, no},
		{"gemini-cli", "", "gemini-3-pro", 1_048_576, no},
		{"gemini-cli", "", "gemma-4-27b", 256_000, no},
		{"qwen-code", "", "qwen3-coder-plus", 1_000_000, no},
		{"qwen-code", "", "somebody-elses", 131_072, no},
	} {
		got, ok := agent.Window(agent.Installation{Agent: c.agent, Version: c.version, Model: c.model})
		if !ok || got.Window != c.window || got.Output != c.output {
			t.Errorf("%s, %s: %+v, want %d and %d", c.agent, c.model, got, c.window, c.output)
		}
	}
	if _, ok := agent.Window(agent.Installation{Agent: "crush", Model: "x"}); ok {
		t.Error("an agent without a table has a window")
	}
}

// TestWindowsOfSettings checks windows that settings, the provider or the agent's version decide.
func TestWindowsOfSettings(t *testing.T) {
	type settings = map[string]string
	for name, c := range map[string]struct {
		of   agent.Installation
		set  settings
		want core.Limits // a window of 0 for none
	}{
		"Kimi's own model":              {agent.Installation{Agent: "kimi-code", Model: "k"}, settings{"KIMI_MODEL_NAME": "k"}, limits(262_144, no, no)},
		"and its size":                  {agent.Installation{Agent: "kimi-code", Model: "k"}, settings{"KIMI_MODEL_NAME": "k", "KIMI_MODEL_MAX_CONTEXT_SIZE": "500000"}, limits(500_000, no, no)},
		"of another model":              {agent.Installation{Agent: "kimi-code", Model: "k2"}, settings{"KIMI_MODEL_NAME": "k", "KIMI_MODEL_MAX_CONTEXT_SIZE": "500000"}, core.Limits{}},
		"without a name":                {agent.Installation{Agent: "kimi-code"}, settings{"KIMI_MODEL_MAX_CONTEXT_SIZE": "500000"}, core.Limits{}},
		"a foreign model's window":      {agent.Installation{Agent: "claude-code", Model: "glm-5"}, settings{"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "300000"}, limits(300_000, no, no)},
		"not Claude's":                  {agent.Installation{Agent: "claude-code", Model: "claude-opus-4-6"}, settings{"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "300000"}, limits(200_000, no, 64_000)},
		"unless compaction is disabled": {agent.Installation{Agent: "claude-code", Model: "claude-opus-4-6"}, settings{"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "300000", "DISABLE_COMPACT": "1"}, limits(300_000, no, no)},
		"a million on request":          {agent.Installation{Agent: "claude-code", Version: "2.1.112", Model: "claude-opus-4-6[1m]"}, nil, limits(1_000_000, no, 64_000)},
		"which can be disabled":         {agent.Installation{Agent: "claude-code", Version: "2.1.112", Model: "claude-opus-4-6[1m]"}, settings{"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}, limits(200_000, no, 64_000)},
		"of a model without it":         {agent.Installation{Agent: "claude-code", Version: "2.1.112", Model: "claude-opus-4-5[1m]"}, nil, limits(200_000, no, 32_000)},
		"which older versions believe":  {agent.Installation{Agent: "claude-code", Version: "2.1.111", Model: "claude-opus-4-5[1m]"}, nil, limits(1_000_000, no, 32_000)},
		"an unknown Claude":             {agent.Installation{Agent: "claude-code", Version: "2.1.112", Model: "claude-next"}, nil, limits(1_000_000, no, no)},
		"in an older version":           {agent.Installation{Agent: "claude-code", Version: "2.1.111", Model: "claude-next"}, nil, limits(200_000, no, no)},
		"without the large window":      {agent.Installation{Agent: "claude-code", Version: "2.1.112", Model: "claude-next"}, settings{"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}, limits(200_000, no, no)},
		"the maximum output":            {agent.Installation{Agent: "claude-code", Model: "claude-opus-4-6"}, settings{"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "9000"}, limits(200_000, no, 9_000)},
		"no model":                      {agent.Installation{Agent: "claude-code"}, nil, core.Limits{}},
		"a model in OpenCode's list":    {agent.Installation{Agent: "opencode", Provider: "p", Model: "m"}, settings{"models.p/m": "300000 200000 8000"}, limits(300_000, 200_000, 8_000)},
		"with unknown limits":           {agent.Installation{Agent: "opencode", Provider: "p", Model: "m"}, settings{"models.p/m": "300000 - -"}, limits(300_000, no, no)},
		"of another provider":           {agent.Installation{Agent: "opencode", Provider: "q", Model: "m"}, settings{"models.p/m": "300000 - -"}, core.Limits{}},
		"of no provider":                {agent.Installation{Agent: "opencode", Model: "m"}, settings{"models./m": "300000 - -"}, core.Limits{}},
		"a provider described to Cline": {agent.Installation{Agent: "cline", Provider: "openai-compatible"}, nil, limits(128_000, no, no)},
		"a provider that Cline knows":   {agent.Installation{Agent: "cline", Provider: "openai"}, nil, core.Limits{}},
		"codelet's Claude":              {agent.Installation{Agent: "codelet", Model: "anthropic/Claude-opus-4-6"}, nil, limits(200_000, no, 8_192)},
		"codelet's others":              {agent.Installation{Agent: "codelet", Model: "gpt-4o"}, nil, core.Limits{}},
		"95% of Codex's windows":        {agent.Installation{Agent: "codex", Model: "openai/gpt-6.1-terra"}, nil, limits(475_000, no, no)},
		"a smaller one":                 {agent.Installation{Agent: "codex", Model: "gpt-5.3-codex-spark"}, nil, limits(121_600, no, no)},
		"a model that Codex lists not":  {agent.Installation{Agent: "codex", Model: "o3"}, nil, core.Limits{}},
	} {
		c.of.Setting = func(name string) string { return c.set[name] }
		got, ok := agent.Window(c.of)
		if ok != (c.want.Window > 0) || ok && got != c.want {
			t.Errorf("%s: %+v, %t; want %+v", name, got, ok, c.want)
		}
	}
}

// TestWhatAgentsPrint: the same request, printed by each of them.
func TestWhatAgentsPrint(t *testing.T) {
	for _, c := range []struct {
		agent   string
		in, out int64
		limits  core.Limits
		percent int64
	}{
		{"claude-code", 99_000, 2_000, limits(200_000, no, 64_000), 50}, // 49.5 rounds up; the answer does not count
		{"claude-code", 250_000, 0, limits(200_000, no, 64_000), 100},
		{"codex", 12_000, 0, limits(258_400, no, no), 100},
		{"codex", 135_000, 200, limits(258_400, no, no), 50}, // of what is left
		{"codex", 12_050, 0, limits(12_100, no, no), 50},     // 12,000 tokens are subtracted from both
		{"codex", 5_000, 0, limits(10_000, no, no), 0},
		{"opencode", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"gemini-cli", 104_858, 9_000, limits(1_048_576, no, no), 10},
		{"copilot-cli", 64_000, 640, limits(128_000, no, no), 51},
		{"amp", 84_000, 0, limits(200_000, 168_000, no), 50},
		{"amp", 84_000, 0, limits(200_000, no, 32_000), 50},
		{"qwen-code", 99_000, 20_000, limits(200_000, no, 64_000), 50},
		{"cursor", 99_000, 20_000, limits(200_000, no, 64_000), 50},
		{"kilo", 99_000, 2_000, limits(200_000, 180_000, 64_000), 51},
		{"cline", 99_000, 2_000, limits(200_000, 180_000, 64_000), 51},
		{"roo-code", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"crush", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"goose", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"grok", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"kimi-code", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"kimi-cli", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"pi", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"vibe", 99_000, 2_000, limits(200_000, no, 64_000), 51},
		{"copilot", 40_000, 9_000, limits(128_000, no, 24_000), 50},
		{"copilot", 40_000, 9_000, limits(no, 104_000, 24_000), 50},
		{"copilot", 64_000, 9_000, limits(128_000, no, no), 50},
	} {
		rule, _ := agent.Rule(agent.Installation{Agent: c.agent, Limits: c.limits})
		s := core.New(core.Identity{ID: "s", Agent: c.agent}, count.NewVocabularies())
		s.Apply(core.LimitsKnown{Limits: c.limits, Source: core.FromUser})
		s.Apply(core.RuleSet{Rule: rule})
		if s.Reading().AgentOwn != nil {
			t.Errorf("%s prints something before the first request", c.agent)
		}
		m := core.NewMetered()
		m.In, m.Out = c.in, c.out
		s.Apply(m)
		own := s.Reading().AgentOwn
		if own == nil || own.Hundredths != c.percent*100 || own.Label.Empty() {
			t.Errorf("%s with %d + %d prints %+v, want %d %%", c.agent, c.in, c.out, own, c.percent)
		}
	}
}

// A window of a million is not promised to be compacted before its end.
func TestClaudeCodeMayWaitForTheRefusalOfAMillion(t *testing.T) {
	for _, c := range []struct {
		version, model, want string
	}{
		{"2.1.219", "claude-opus-5", "claude-code 2.1.112+, which may wait until the window is full"},
		{"2.1.219", "claude-haiku-4-5", "claude-code 2.1.20+"},
		{"2.1.50", "claude-opus-5", "claude-code 2.1.20+"},
	} {
		of := agent.Installation{Agent: agent.ClaudeCode, Version: c.version, Model: c.model}
		if rule, _ := agent.Rule(of); rule.Name != c.want {
			t.Errorf("%s with %s: %s", c.version, c.model, rule.Name)
		}
	}
}

// TestOnlyAWindowOfTheUsersIsShown checks that Readings are divided by the user's own window for Claude Code, unless it
// does not compact by itself, and not by a served one.
func TestOnlyAWindowOfTheUsersIsShown(t *testing.T) {
	for what, c := range map[string]struct {
		settings map[string]string
		want     int64
	}{
		"none":         {nil, 0},
		"a variable":   {map[string]string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}, 100_000},
		"a setting":    {map[string]string{"autoCompactWindow": "400000"}, 400_000},
		"of the model": {map[string]string{"autoCompactWindow": "400000", "modelSettings.claude-opus-5.autoCompactWindow": "300000"}, 300_000},
		"served":       {map[string]string{"autoCompactWindowsCache.claude-opus-5": "400000 or 500000"}, 0},
		"switched off": {map[string]string{"autoCompactWindow": "400000", "autoCompactEnabled": "false"}, 0},
	} {
		rule, _ := agent.Rule(agent.Installation{Agent: agent.ClaudeCode, Version: "2.1.330", Model: "claude-opus-5", Setting: func(name string) string { return c.settings[name] }})
		if rule.Window != c.want {
			t.Errorf("%s: %d, want %d", what, rule.Window, c.want)
		}
	}
}

// TestTheFirstServedWindowApplies checks that the default of several served windows applies.
func TestTheFirstServedWindowApplies(t *testing.T) {
	settings := map[string]string{"clientDataCacheSlots.claude-opus-5": "500000 or 300000"}
	rule, _ := agent.Rule(agent.Installation{Agent: agent.ClaudeCode, Version: "2.1.332", Model: "claude-opus-5", Setting: func(name string) string { return settings[name] }})
	if threshold := rule.Formula(core.Limits{Window: 1_000_000, Input: core.Unknown, Output: 64_000}); threshold != 467_000 {
		t.Errorf("the threshold is %d", threshold)
	}
}
