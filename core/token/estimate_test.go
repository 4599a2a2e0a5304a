// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

func TestMeasureTellsWhatATextIsMadeOf(t *testing.T) {
	for text, want := range map[string]token.Features{
		"":                {},
		"Hello, world 42": {Chars: 15, Letters: 10, Upper: 1, Words: 2, LowerWords: 1, Digits: 2, SplitDigits: 1, Punctuation: 1},
		"a\n\t  if x {\n": {Chars: 12, Letters: 4, Words: 3, LowerWords: 1, Newlines: 2, Indent: 3, Punctuation: 1},
		"中文かな한국":          {Chars: 6, Letters: 6, Words: 1, Han: 2, Kana: 2, Hangul: 2},
		"Привет שלום हिन": {Chars: 15, Letters: 12, Upper: 1, Words: 3, Cyrillic: 6, Abjad: 4, Indic: 3},
		"é\r\né":          {Chars: 4, Letters: 2, Words: 2, Newlines: 1, Accented: 2},
		"\xff\xfe":        {Chars: 2, Punctuation: 2},
	} {
		if got := token.Measure([]byte(text)); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	whole := token.Measure([]byte("one Two\n three"))
	sum := token.Measure([]byte("one Two\n"))
	sum.Add(token.Measure([]byte(" three")))
	if sum.Words != whole.Words || sum.Chars != whole.Chars || sum.Newlines != whole.Newlines {
		t.Errorf("the parts add up to %+v, the whole is %+v", sum, whole)
	}
}

func TestEstimateRoundsAndIsNeverNegative(t *testing.T) {
	for _, c := range []struct {
		weights token.Weights
		o200k   int64
		f       token.Features
		want    int64
	}{
		{token.Weights{O200k: 1000}, 7, token.Features{}, 7},
		{token.Weights{O200k: 1210}, 100, token.Features{}, 121},
		{token.Weights{O200k: 1500}, 1, token.Features{}, 2},
		{token.Weights{O200k: -1000}, 5, token.Features{}, 0},
		{token.Weights{O200k: 1000, Upper: -300}, 1, token.Features{Upper: 10}, 0},
		{token.Weights{O200k: 650, Digits: 200, Punctuation: 300, Upper: 240, Words: 600, Indent: 50}, 100, token.Features{Words: 60, Punctuation: 30, Upper: 10, Digits: 5, Indent: 20}, 114},
		{token.Weights{O200k: 1000, Punctuation: 360, Upper: 660, LowerWords: 500, Newlines: 1000}, 100, token.Features{LowerWords: 50, Punctuation: 30, Upper: 10, Newlines: 3}, 145},
		{token.Weights{Han: 250, Kana: 70, Hangul: 500, Cyrillic: 20, Abjad: 300, Indic: 400, Accented: 900, Chars: 1000}, 0, token.Features{Han: 4, Kana: 10, Hangul: 2, Cyrillic: 5, Abjad: 1, Indic: 1, Accented: 1, Chars: 3}, 7},
	} {
		if got := c.weights.Estimate(c.o200k, c.f); got != c.want {
			t.Errorf("%+v of %d and %+v: %d, want %d", c.weights, c.o200k, c.f, got, c.want)
		}
	}
}

func TestCharsPerFour(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "a": 1, "abcd": 1, "abcde": 2, "中文中文": 1, "😀😀😀😀😀": 2} {
		if got := token.CharsPerFour([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestImagesCostWhatProvidersSay(t *testing.T) {
	for _, c := range []struct {
		name          string
		rule          token.ImageRule
		width, height int64
		want          int64
		known         bool
	}{
		{"published example", token.AnthropicHighRes, 1920, 1080, 2691, true},
		{"published example, shrunk", token.AnthropicHighRes, 3840, 2160, 4784, true},
		{"published example, standard", token.AnthropicStandard, 3840, 2160, 1560, true},
		{"upright", token.AnthropicStandard, 2160, 3840, 1560, true},
		{"one patch", token.AnthropicStandard, 1, 1, 1, true},
		{"a thread", token.AnthropicStandard, 1_000_000, 1, 56, true},
		{"square", token.OpenAITiles(85, 170), 1024, 1024, 765, true},
		{"tall", token.OpenAITiles(85, 170), 2048, 4096, 1105, true},
		{"small", token.OpenAITiles(70, 140), 100, 100, 210, true},
		{"within the budget", token.OpenAIPatches(1536, 0, 1000), 1024, 1024, 1024, true},
		{"over the budget", token.OpenAIPatches(1536, 0, 1000), 1800, 2400, 1452, true},
		{"with a multiplier", token.OpenAIPatches(30000, 0, 1200), 1280, 720, 1104, true},
		{"with a multiplier, upright", token.OpenAIPatches(30000, 0, 1200), 390, 844, 422, true},
		{"small", token.Gemini2, 384, 384, 258, true},
		{"tiles", token.Gemini2, 1000, 500, 516, true},
		{"any size", token.Gemini3, 0, 0, 1120, true},
		{"any size", token.Ollama, 0, 0, 768, true},
		{"no rule", token.UnknownImages, 100, 100, 1100, false},
		{"no size", token.OpenAITiles(85, 170), 0, 100, 765, false},
		{"a size that cannot be", token.AnthropicStandard, 1 << 40, -1, 1369, false},
	} {
		if got, known := c.rule.Tokens(c.width, c.height); got != c.want || known != c.known {
			t.Errorf("%s, %d x %d: %d (%v), want %d (%v)", c.name, c.width, c.height, got, known, c.want, c.known)
		}
	}
	if n, known := token.Gemini2.Video(10); n != 2630 || !known {
		t.Errorf("ten seconds of film: %d, %v", n, known)
	}
	if n, known := token.Gemini2.Audio(60); n != 1920 || !known {
		t.Errorf("a minute of sound: %d, %v", n, known)
	}
	if n, known := token.AnthropicStandard.Pages(2); n < 2*3000 || known {
		t.Errorf("two pages: %d, %v", n, known)
	}
	if n, _ := token.Gemini2.Pages(-5); n != 0 {
		t.Errorf("fewer than no pages: %d", n)
	}
}

func TestControlStringsAreTextUnlessAskedFor(t *testing.T) {
	counting := open(t, "o200k_base")
	text := "a<|endoftext|>b<|endofprompt|>"
	if n := counting.CountString(text); n < 10 {
		t.Errorf("as text: %d tokens", n)
	}
	counting.AllowSpecial(true)
	if n := counting.CountString(text); n != 4 {
		t.Errorf("as control strings: %d tokens, want 4", n)
	}
	if ends := counting.Boundaries([]byte(text), nil); len(ends) != 4 || ends[1] != 14 {
		t.Errorf("ends %v", ends)
	}
	counting.AllowSpecial(false)
	if n := counting.CountString(text); n < 10 {
		t.Errorf("as text again: %d tokens", n)
	}
}

func TestBrokenTextCountsAsTheWebReadsIt(t *testing.T) {
	counting := open(t, "o200k_base")
	for broken, fixed := range map[string]string{
		"a\xffb":                 "a\ufffdb",
		"\xe4\xb8":               "\ufffd",
		"\xe4\xb8\xe4\xb8":       "\ufffd\ufffd",
		"\xed\xa0\x80":           "\ufffd\ufffd\ufffd",
		"\xf0\x9f\x98 x\xc0\x80": "\ufffd x\ufffd\ufffd",
		"中\xf4\x90\x80\x80":      "中\ufffd\ufffd\ufffd\ufffd",
	} {
		if got, want := counting.CountString(broken), counting.CountString(fixed); got != want {
			t.Errorf("%q: %d, want %d", broken, got, want)
		}
	}
}

func TestCountingDoesNotAllocate(t *testing.T) {
	for _, encoding := range published {
		counting := open(t, encoding)
		for name, text := range hostile() {
			text = text[:min(len(text), 200_000)]
			counting.Count(text)
			if n := testing.AllocsPerRun(2, func() { counting.Forget(); counting.Count(text) }); n > 0 {
				t.Errorf("%s of %s: %v allocations", encoding, name, n)
			}
		}
	}
}
