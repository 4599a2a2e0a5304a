// Copyright The ctx-lsp authors. MIT licence.

package agent

import "strings"

// settingNames are the environment variables and settings that rules read, by the agents' own names, a line each. The
// * stands for a model, or a provider and a model.
const settingNames = `
CLAUDE_AUTOCOMPACT_PCT_OVERRIDE
CLAUDE_CODE_AUTO_COMPACT_WINDOW
CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS
CLAUDE_CODE_MAX_CONTEXT_TOKENS
CLAUDE_CODE_MAX_OUTPUT_TOKENS
COPILOT_BACKGROUND_COMPACTION_THRESHOLD
DISABLE_AUTO_COMPACT
DISABLE_COMPACT
GOOSE_AUTO_COMPACT_THRESHOLD
GPTME_CONTEXT_BUDGET
GROK_AUTO_COMPACT_THRESHOLD_PERCENT
KIMI_MODEL_MAX_CONTEXT_SIZE
KIMI_MODEL_NAME
OPENCODE_DISABLE_AUTOCOMPACT
OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX
agent.auto_compact.enabled
agent.auto_compact.threshold
autoCompactEnabled
autoCompactWindow
autoCompactWindowsCache.*
autoCondenseContextPercent
autoCondenseThreshold
auto_compact_threshold
cachedGrowthBookFeatures.tengu_jaunty_breeze
chat.context_budget
chat.tool_format
chatCompression.contextPercentageThreshold
clientDataCacheSlots.*
compaction.auto
compaction.buffer
compaction.enabled
compaction.maxContextTokens
compaction.reserveTokens
compaction.reserved
compaction.thresholdPercent
compaction.threshold_percent
compression.enabled
compression.threshold
context.autoCompactThreshold
context.budget
github.copilot.chat.summarizeAgentConversationHistory.enabled
github.copilot.chat.summarizeAgentConversationHistoryThreshold
idleCompaction
loop_control.compaction_trigger_ratio
loop_control.reserved_context_size
model.compressionThreshold
model.context_length
model.default
model.max_tokens
modelSettings.*.autoCompactWindow
model_auto_compact_token_limit
models.*
session.auto_compact_threshold_percent
`

// KnowsSetting reports whether a rule reads a setting with this name. Hosts may pass others, such as their whole
// environment with its keys, which must not be kept.
func KnowsSetting(name string) bool {
	for rest := settingNames[1:]; rest != ""; {
		var known string
		known, rest, _ = strings.Cut(rest, "\n")
		before, after, pattern := strings.Cut(known, "*")
		if name == known || pattern && len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return true
		}
	}
	return false
}
