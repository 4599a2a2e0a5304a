// Copyright The ctx-lsp authors. MIT licence.

// Package agent contains the coding agents: readers that translate the records of their transcripts into events, and
// their compaction rules and window tables as dated data.
//
// A reader translates and computes nothing. It remembers only what the translation needs: which request a line belongs
// to, which call a result answers, the index of an item. It skips records of unknown types and versions with a report,
// and reads all others. What a reader remembers is bounded, whatever the transcript contains.
//
// Adding an agent takes one file with its entry, its reader and its rule, and its name in the lists of registry.go:
// docs/agents.md has the steps.
package agent

//go:generate bash ../../mk/tool.sh gen/agents -root ../..
//go:generate bash ../../mk/tool.sh gen/prefix -root ../..

import "github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"

// The agents, by the ids that appear in readings.
const (
	ClaudeCode   = "claude-code"
	Codex        = "codex"
	OpenCode     = "opencode"
	Kilo         = "kilo"
	GeminiCLI    = "gemini-cli"
	QwenCode     = "qwen-code"
	CopilotCLI   = "copilot-cli"
	Cline        = "cline"
	RooCode      = "roo-code"
	KiloCode     = "kilo-code"
	Crush        = "crush"
	Goose        = "goose"
	Amp          = "amp"
	Zed          = "zed"
	Continue     = "continue"
	Aider        = "aider"
	MiniSWEAgent = "mini-swe-agent"
	Dexto        = "dexto"
	Codelet      = "codelet"
	Copilot      = "copilot"
	Cursor       = "cursor"
	Antigravity  = "antigravity"
	Kiro         = "kiro"
	Hermes       = "hermes"
	Pi           = "pi"
	OMP          = "omp"
	Prime        = "prime"
	OpenClaw     = "openclaw"
	KimiCode     = "kimi-code"
	KimiCLI      = "kimi-cli"
	DSH          = "dsh"
	Droid        = "droid"
	Grok         = "grok"
	Vibe         = "vibe"
	ZooCode      = "zoo-code"
	OpenClaude   = "openclaude"
	IFlow        = "iflow"
	MiMoCode     = "mimocode"
	ZCode        = "zcode"
	GPTMe        = "gptme"
	OpenHands    = "openhands"
	JetBrains    = "copilot-jetbrains"
	Junie        = "junie"
	Auggie       = "auggie"
	Devin        = "devin"
	Qoder        = "qoder"
	Augure       = "augure"
	TraeX        = "traex"
)

// Reader translates the records of one transcript, in their order.
type Reader = reader.Reader

// Counting is a Reader that refers to items by index. CountAppended must be called with the number of items that others
// append between its records.
type Counting interface{ CountAppended(items int) }
