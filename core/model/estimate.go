// Copyright The ctx-lsp authors. MIT licence.

package model

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// Estimate converts counts in o200k into another tokenizer's. It has separate
// ratios for what the model reads and for what it has written itself, where
// measurements distinguish the two. The zero value is for models that are
// counted exactly.
type Estimate struct {
	Read, Wrote estimate.Weights
	// Density is how many tokens a thousand of o200k become in ordinary text.
	Density int64
	// A reasoning block of which only the signature is recorded is estimated by
	// the signature's length: OpaqueMilli thousandths of a token for each byte,
	// less OpaqueLess.
	OpaqueMilli, OpaqueLess int64
	// ThoughtsShown says that the text beside the signature is the reasoning
	// itself, unless the signature is much longer; otherwise it is a summary.
	// Thought converts the text, and Thoughts is added for each block.
	ThoughtsShown bool
	Thought       estimate.Weights
	Thoughts      int64
}

func estimateOf(family, provider string) Estimate {
	alike := func(w estimate.Weights) Estimate {
		return Estimate{Read: w, Wrote: w, Density: w.O200k + w.SplitDigits/20}
	}
	switch family {
	case "o200k", "o200k-harmony":
		return Estimate{Read: estimate.Weights{O200k: 1000}, Wrote: estimate.Weights{O200k: 1000}, Density: 1000}
	case "claude-v3":
		return Estimate{
			Read: estimate.ClaudeV3, Wrote: estimate.ClaudeV3Reply, Density: 1200, OpaqueMilli: 200, OpaqueLess: 20,
			ThoughtsShown: true, Thought: estimate.Weights{O200k: 1150}, Thoughts: 8,
		}
	case "claude-v47", "claude-v5":
		return Estimate{Read: estimate.ClaudeV4, Wrote: estimate.ClaudeV4Reply, Density: 1470, OpaqueMilli: 280, OpaqueLess: 100}
	case "gemini", "gemini-4", "gemma3", "gemma4":
		if provider == "github-copilot" {
			return alike(estimate.GeminiCopilot)
		}
		return alike(estimate.Gemini)
	case "grok":
		return alike(estimate.Grok)
	case "glm4", "glm5", "qwen2", "qwen3", "minimax", "kimi-k2", "deepseek-v3", "mimo":
		return alike(estimate.LikeO200k)
	}
	return Estimate{Read: estimate.Weights{O200k: 1000}, Wrote: estimate.Weights{O200k: 1000}, Density: 1000}
}

// imageOf is how a model charges for images: by its folded id, or by its
// provider for models that anybody may serve.
func imageOf(key, family, provider string) estimate.ImageRule {
	switch family {
	case "claude-v3":
		return estimate.AnthropicStandard
	case "claude-v47", "claude-v5":
		return estimate.AnthropicHighRes
	case "gemini", "gemini-4":
		if strings.HasPrefix(key, "gemini-1") || strings.HasPrefix(key, "gemini-2") {
			return estimate.Gemini2
		}
		return estimate.Gemini3
	case "o200k", "cl100k":
		return openAIImage(key)
	}
	if provider == "ollama" {
		return estimate.Ollama
	}
	return estimate.UnknownImages
}

// openAIImage follows OpenAI's guide: older models charge a base and tiles of
// 512 pixels, newer and smaller ones patches of 32 with a multiplier.
func openAIImage(key string) estimate.ImageRule {
	_, mini := cutMark(Undecorated(key), "-mini")
	_, nano := cutMark(Undecorated(key), "-nano")
	switch {
	case strings.HasPrefix(key, "gpt-4o-mini"):
		return estimate.OpenAITiles(2833, 5667)
	case strings.HasPrefix(key, "o4-mini"):
		return estimate.OpenAIPatches(1536, 0, 1720)
	case mini:
		return estimate.OpenAIPatches(1536, 0, 1620)
	case nano:
		return estimate.OpenAIPatches(1536, 0, 2460)
	case strings.HasPrefix(key, "gpt-4"), strings.HasPrefix(key, "chatgpt-4o"):
		return estimate.OpenAITiles(85, 170)
	case strings.HasPrefix(key, "computer-use"):
		return estimate.OpenAITiles(65, 129)
	case strings.HasPrefix(key, "o1"), strings.HasPrefix(key, "o3"):
		return estimate.OpenAITiles(75, 150)
	case strings.HasPrefix(key, "gpt-5-2"), strings.HasPrefix(key, "gpt-5-3"), strings.HasPrefix(key, "gpt-5-1-codex"), strings.HasPrefix(key, "gpt-5-codex"):
		return estimate.OpenAIPatches(1536, 0, 1000)
	case key == "gpt-5", strings.HasPrefix(key, "gpt-5-1"), strings.HasPrefix(key, "gpt-5-chat"), strings.HasPrefix(key, "gpt-5-pro"):
		return estimate.OpenAITiles(70, 140)
	}
	return estimate.OpenAIPatches(30_000, 0, 1200)
}
