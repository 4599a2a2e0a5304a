// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

func o200k(t *testing.T) *Vocabularies {
	t.Helper()
	s := NewVocabularies()
	bytes, ok := assets.Pack("o200k")
	if !ok {
		t.Fatal("no vocabulary")
	}
	if err := s.Load("o200k", bytes); err != nil {
		t.Fatal(err)
	}
	return s
}

func item(kind core.Kind, text string) *core.Item {
	return &core.Item{Kind: kind, Text: []byte(text), Tokens: core.Unknown, Parameters: core.Unknown}
}

// TestAToolResultOfOpenAI checks the sum: the text, the tool's full name, 7, and 2 per step.
func TestAToolResultOfOpenAI(t *testing.T) {
	s := o200k(t)
	m := s.Resolve("gpt-5.5", "openai", "responses").Meter
	tokenizer, _, _ := s.Tokenizer("o200k_base")
	text, name := "src/invoice.ts:14: return Math.round(net * 119) / 100\n", "mcp__tracker.issues_read"
	it := item(core.ToolResults, text)
	it.Name = name
	got := m.Item(it)
	want := tokenizer.CountString(text) + tokenizer.CountString(name)
	if got.Tokens != want || got.Basis != core.Counted {
		t.Errorf("%+v, want %d counted", got, want)
	}
	for results, frame := range map[int]int64{1: 9, 2: 16, 3: 23} {
		if n := m.Step(core.Step{Results: results}); n != frame {
			t.Errorf("%d results have a frame of %d, want %d", results, n, frame)
		}
	}
	if n := m.Step(core.Step{Users: 1, NewTurn: true, ReasoningItems: 3}); n != 0 {
		t.Errorf("a new turn that drops three items of reasoning has a frame of %d", n)
	}
}

// TestThoughts checks that reasoning is counted by the signature if the text is a summary, and by the text if it is
// shown, unless the signature is much longer.
func TestThoughts(t *testing.T) {
	s := o200k(t)
	prose := strings.Repeat("I should look at how the total is rounded. ", 20)
	for _, c := range []struct {
		model     string
		text      string
		signature int64
		low, high int64
	}{
		{"claude-sonnet-5", "", 2_000, 460, 460},
		{"claude-sonnet-5", prose, 2_000, 460, 460},
		{"claude-sonnet-5", "", 100, 0, 0},
		{"claude-opus-4-6", "", 2_000, 380, 380},
		{"claude-sonnet-4-5", prose, 1_000, 200, 240},
		{"claude-sonnet-4-5", prose, 4_000, 780, 780},
		{"claude-sonnet-4-5", prose, 0, 200, 240},
	} {
		it := item(core.Reasoning, c.text)
		it.Opaque = c.signature
		got := s.Resolve(c.model, "anthropic", "messages").Meter.Item(it)
		if got.Tokens < c.low || got.Tokens > c.high || got.Basis != core.Estimated {
			t.Errorf("%s, %d letters, a signature of %d: %+v, want %d to %d", c.model, len(c.text), c.signature, got, c.low, c.high)
		}
	}
}

// TestFamiliesDiffer counts the same text with different tokenizers.
func TestFamiliesDiffer(t *testing.T) {
	s := o200k(t)
	digits := item(core.ToolResults, "1772442000123 1772442000456 1772442000789")
	code := item(core.ToolResults, strings.Repeat("if got, ok := parseTime(v); !ok || got != want { t.Errorf(\"%d\", got) }\n", 20))
	of := func(model, provider string, it *core.Item) int64 {
		return s.Resolve(model, provider, "").Meter.Item(it).Tokens
	}
	if plain, gemini := of("gpt-5.5", "openai", digits), of("gemini-3-pro-preview", "google", digits); gemini*10 < plain*15 {
		t.Errorf("digits stand alone in Gemini: %d tokens against %d", gemini, plain)
	}
	plain, old, newer := of("gpt-5.5", "openai", code), of("claude-opus-4-6", "anthropic", code), of("claude-sonnet-5", "anthropic", code)
	if !(plain < old && old < newer) {
		t.Errorf("code takes %d, %d and %d tokens; each family should need more than the one before", plain, old, newer)
	}
}

// TestImages checks that images are charged by their size, or at a middle size if it is unknown.
func TestImages(t *testing.T) {
	s := o200k(t)
	it := item(core.Media, "")
	it.Width, it.Height = 1440, 900
	if n := s.Resolve("gpt-5.5", "openai", "responses").Meter.Item(it).Tokens; n < 1566 || n > 1575 {
		t.Errorf("an image of 1440 by 900 is %d tokens", n)
	}
	page := item(core.Media, "")
	page.Pages = 2
	if n := s.Resolve("claude-opus-4-6", "anthropic", "").Meter.Item(page).Tokens; n < 2*3000 || n > 2*5000 {
		t.Errorf("two pages for Claude, their text and their pictures, are %d tokens", n)
	}
	if n := s.Resolve("gemma3:27b", "ollama", "").Meter.Item(it).Tokens; n != 768 {
		t.Errorf("an image is %d tokens for Ollama", n)
	}
	it.Width, it.Height = 0, 0
	if n := s.Resolve("gpt-5.5", "openai", "responses").Meter.Item(it).Tokens; n != unknownImage {
		t.Errorf("an image of unknown size is %d tokens", n)
	}
}

// TestWhatIsNotThere checks that nothing fails without a vocabulary or a model.
func TestWhatIsNotThere(t *testing.T) {
	empty := NewVocabularies()
	if missing := empty.Missing("gpt-5.5", "openai", ""); missing != "o200k" {
		t.Errorf("%q is missing", missing)
	}
	if n := empty.Resolve("gpt-5.5", "openai", "").Meter.Item(item(core.User, "twelve chars")).Tokens; n != 3 {
		t.Errorf("%d tokens without a vocabulary", n)
	}
	if n := empty.Resolve("", "", "").Meter.Item(item(core.User, "twelve chars")).Tokens; n != 3 {
		t.Errorf("%d tokens without a model", n)
	}
	unknown := o200k(t).Resolve("nobody-knows-this-model", "", "")
	if c := unknown.Meter.Item(item(core.User, "hello world")); c.Tokens == 0 || c.Basis != core.Estimated {
		t.Errorf("a model nobody knows: %+v", c)
	}
	if unknown.Limits != core.NoLimits {
		t.Errorf("a window was guessed: %+v", unknown.Limits)
	}
}

// TestAnOfferedVocabularyCountsItsFamily checks that models of a family are estimated unless the host has its
// vocabulary.
func TestAnOfferedVocabularyCountsItsFamily(t *testing.T) {
	s := o200k(t)
	text := "The lighthouse keeper's daughter didn't believe in storms."
	m := s.Resolve("qwen3-14b", "", "").Meter.(*Meter)
	family := m.Family()
	part := &core.Part{Text: []byte(text)}
	if got := m.Part(part); got.Basis != core.Estimated || m.Missing() != "" {
		t.Fatalf("before the offer: %+v, missing %q", got, m.Missing())
	}
	if err := s.Offer(family); err != nil {
		t.Fatal(err)
	}
	if missing := s.Missing("qwen3-14b", "", ""); missing != family || m.Missing() != family {
		t.Errorf("offered: missing %q, and %q to the meter that was there", missing, m.Missing())
	}
	if s.Missing("llama-3.3-70b-instruct", "", "") != "" {
		t.Error("another family's model waits for it")
	}
	if err := s.Load(family, []byte("no pack")); err == nil || m.Missing() != "" || m.Exact() {
		t.Errorf("a pack that was refused is still waited for: %v", err)
	}
	s.Offer(family)
	if s.Withdraw(family); m.Missing() != "" || m.Exact() {
		t.Error("a vocabulary whose offer was withdrawn is still waited for")
	}
	if err := s.Load(family, nil); err == nil {
		t.Error("an empty pack is no error")
	}
	pack, _ := assets.Pack("r50k")
	if err := s.Load(family, pack); err != nil {
		t.Fatal(err)
	}
	tokenizer, _, _ := s.Tokenizer(family)
	if got := m.Part(part); got.Basis != core.Counted || got.Tokens != tokenizer.CountString(text) || m.Encoding() != family {
		t.Errorf("loaded: %+v in %s", got, m.Encoding())
	}
}
