// Copyright The ctx-lsp authors. MIT licence.

package model

import (
	"slices"
	"testing"
)

// TestNearModels checks that a misspelled ID finds the intended model, and that other names find none.
func TestNearModels(t *testing.T) {
	for misspelled, want := range map[string]string{
		"claude-opuss-5":                  "claude-opus-5",
		"anthropic/claude-sonet-4-5":      "claude-sonnet-4-5",
		"GPT-5.1-codx":                    "gpt-5.1-codex",
		"openrouter/google/gemin-2.5-pro": "gemini-2.5-pro",
	} {
		if got := NearModels(misspelled); len(got) == 0 || got[0] != want || len(got) > nearMost {
			t.Errorf("%s: %q, want %s first", misspelled, got, want)
		}
	}
	for _, other := range []string{"", "x", "our-own-model-of-2026", string(make([]byte, 5000))} {
		if got := NearModels(other); len(got) > 0 {
			t.Errorf("%q: %q", other, got)
		}
	}
	for i := range Len() {
		if got := NearModels(At(i).ID); len(At(i).ID) >= 3 && len(At(i).ID) <= longestNear && Spell(At(i).ID).Base == Key(At(i).ID) && !slices.Contains(got, At(i).ID) {
			t.Fatalf("%s is not similar to itself: %q", At(i).ID, got)
		}
	}
}

func TestNearProviders(t *testing.T) {
	for misspelled, want := range map[string]string{"antropic": "anthropic", "opanai": "openai", "openroutr": "openrouter"} {
		if got := NearProviders(misspelled); len(got) == 0 || got[0] != want || KnownProvider(misspelled) {
			t.Errorf("%s: %q, want %s first", misspelled, got, want)
		}
	}
	for _, name := range []string{"anthropic", "Claude", "bedrock", "vertexai", "ollama", "vllm", "openrouter", "groq", "github-copilot", "anthropic.messages"} {
		if !KnownProvider(name) {
			t.Errorf("%s is not known", name)
		}
	}
}
