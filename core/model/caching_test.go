// Copyright The ctx-lsp authors. MIT licence.

package model

import "testing"

// TestCachingByModel checks which caching a model has, in the table and outside it.
func TestCachingByModel(t *testing.T) {
	marks, tokens, promised := Caching{Lookback: 20}, Caching{Step: 128}, Caching{Step: 256, Promised: 30 * 60 * 1000}
	for id, want := range map[string]Caching{
		"claude-opus-4-6":                    marks,
		"anthropic/claude-sonnet-9":          marks,
		"us.anthropic.claude-haiku-4-5-v1:0": marks,
		"gpt-4o":                             tokens,
		"gpt-5.5":                            tokens,
		"gpt-5":                              tokens,
		"gpt-5-2025-08-07":                   tokens,
		"gpt-5.6-sol":                        promised,
		"openai/gpt-5.10":                    promised,
		"gpt-6-astra":                        promised,
		"gpt-oss-120b":                       {},
		"deepseek-chat":                      {Step: 64},
		"gemini-3-pro":                       {},
		"":                                   {},
		"gpt-":                               tokens,
	} {
		m, _ := Find(id, "", "")
		if got := m.CachingOf(id); got != want {
			t.Errorf("%q has %+v, want %+v", id, got, want)
		}
	}
}
