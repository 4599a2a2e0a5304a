// Copyright The ctx-lsp authors. MIT licence.

package model

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// Estimate converts o200k counts into another tokenizer's. If measurements distinguish them, it has separate ratios for
// text that the model reads and text that it has written itself. The zero value is for models that are counted exactly.
type Estimate struct {
	Read, Wrote estimate.Weights
	// Density is the number of tokens per thousand o200k tokens in ordinary text.
	Density int64
	// A reasoning block with only a signature recorded is estimated from the signature's length: OpaqueMilli
	// thousandths of a token for each byte, minus OpaqueLess.
	OpaqueMilli, OpaqueLess int64
	// ThoughtsShown is set if the text next to the signature is the reasoning itself, unless the signature is much
	// longer; otherwise the text is a summary. Thought converts the text, and Thoughts is added for each block.
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
		// Encrypted reasoning has about 650 bytes that are not its text, in Base64, and four bytes are a token.
		one := estimate.Weights{O200k: 1000}
		return Estimate{Read: one, Wrote: one, Density: 1000, OpaqueMilli: 187, OpaqueLess: 162}
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

// imageOf returns how a model charges for images: by its folded ID, or by its provider for models that anyone can
// serve.
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

// openAIImage follows OpenAI's guide: older models charge for a base and for tiles of 512 pixels, newer and smaller
// ones for patches of 32 pixels, with a multiplier.
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
