// Copyright The ctx-lsp authors. MIT licence.

package estimate_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

func TestMeasureTellsWhatATextIsMadeOf(t *testing.T) {
	for text, want := range map[string]estimate.Features{
		"":                {},
		"Hello, world 42": {Chars: 15, Letters: 10, Upper: 1, Words: 2, LowerWords: 1, Digits: 2, SplitDigits: 1, Punctuation: 1},
		"a\n\t  if x {\n": {Chars: 12, Letters: 4, Words: 3, LowerWords: 1, Newlines: 2, Indent: 3, Punctuation: 1},
		"中文かな한국":          {Chars: 6, Letters: 6, Words: 1, Han: 2, Kana: 2, Hangul: 2},
		"Привет שלום हिन": {Chars: 15, Letters: 12, Upper: 1, Words: 3, Cyrillic: 6, Abjad: 4, Indic: 3},
		"é\r\né":          {Chars: 4, Letters: 2, Words: 2, Newlines: 1, Accented: 2},
		"\xff\xfe":        {Chars: 2, Punctuation: 2},
	} {
		if got := estimate.Measure([]byte(text)); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	whole := estimate.Measure([]byte("one Two\n three"))
	sum := estimate.Measure([]byte("one Two\n"))
	sum.Add(estimate.Measure([]byte(" three")))
	if sum.Words != whole.Words || sum.Chars != whole.Chars || sum.Newlines != whole.Newlines {
		t.Errorf("the parts add up to %+v, the whole is %+v", sum, whole)
	}
}

func TestEstimateRoundsAndIsNeverNegative(t *testing.T) {
	for _, c := range []struct {
		weights estimate.Weights
		o200k   int64
		f       estimate.Features
		want    int64
	}{
		{estimate.Weights{O200k: 1000}, 7, estimate.Features{}, 7},
		{estimate.Weights{O200k: 1210}, 100, estimate.Features{}, 121},
		{estimate.Weights{O200k: 1500}, 1, estimate.Features{}, 2},
		{estimate.Weights{O200k: -1000}, 5, estimate.Features{}, 0},
		{estimate.Weights{O200k: 1000, Upper: -300}, 1, estimate.Features{Upper: 10}, 0},
		{estimate.Weights{O200k: 650, Digits: 200, Punctuation: 300, Upper: 240, Words: 600, Indent: 50}, 100, estimate.Features{Words: 60, Punctuation: 30, Upper: 10, Digits: 5, Indent: 20}, 114},
		{estimate.Weights{O200k: 1000, Punctuation: 360, Upper: 660, LowerWords: 500, Newlines: 1000}, 100, estimate.Features{LowerWords: 50, Punctuation: 30, Upper: 10, Newlines: 3}, 145},
		{estimate.Weights{Han: 250, Kana: 70, Hangul: 500, Cyrillic: 20, Abjad: 300, Indic: 400, Accented: 900, Chars: 1000}, 0, estimate.Features{Han: 4, Kana: 10, Hangul: 2, Cyrillic: 5, Abjad: 1, Indic: 1, Accented: 1, Chars: 3}, 7},
	} {
		if got := c.weights.Estimate(c.o200k, c.f); got != c.want {
			t.Errorf("%+v of %d and %+v: %d, want %d", c.weights, c.o200k, c.f, got, c.want)
		}
	}
}

// TestRoughWeighsScripts compares the estimate without a vocabulary with o200k's counts of the same sentences: it must
// be off by a quarter at most, where one token for four characters is off by more than half.
func TestRoughWeighsScripts(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "a": 1, "abcd": 1, "abcde": 2, "中文中文": 3, "😀😀😀😀": 6, "\xff\xfe\xff\xfe": 1} {
		if got := estimate.Rough([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for text, o200k := range map[string]int64{
		"上下文窗口是模型在一次请求中能够看到的全部文本，包括系统提示、工具定义、对话历史和当前的问题，超过后就会被压缩。":                                                              36,
		"コンテキストウィンドウとは、モデルが一度のリクエストで参照できるすべてのテキストのことで、上限を超えると要約されます。":                                                           45,
		"컨텍스트 창은 모델이 한 번의 요청에서 볼 수 있는 전체 텍스트이며, 한도를 넘으면 요약됩니다. 파일을 다시 읽어야 합니다.":                                                 37,
		"Контекстное окно — это весь текст, который модель видит за один запрос; когда он превышает предел, история сжимается.": 28,
		"نافذة السياق هي كل النص الذي يراه النموذج في طلب واحد، وعندما يتجاوز الحد يتم ضغط المحادثة.":                           27,
		"חלון ההקשר הוא כל הטקסט שהמודל רואה בבקשה אחת, וכאשר הוא חורג מהגבול השיחה נדחסת.":                                     35,
		"संदर्भ विंडो वह पूरा पाठ है जिसे मॉडल एक अनुरोध में देख सकता है, और सीमा पार होने पर उसे संक्षिप्त किया जाता है।":      35,
		"หน้าต่างบริบทคือข้อความทั้งหมดที่โมเดลเห็นในคำขอเดียว เมื่อเกินขีดจำกัดจะถูกย่อ":                                       30,
		"Το παράθυρο περιβάλλοντος είναι όλο το κείμενο που βλέπει το μοντέλο σε ένα αίτημα.":                                   28,
	} {
		if got := estimate.Rough([]byte(text)); got*4 > o200k*5 || got*4 < o200k*3 {
			t.Errorf("%q: %d, o200k has %d", text, got, o200k)
		}
	}
}

func TestImagesCostWhatProvidersSay(t *testing.T) {
	for _, c := range []struct {
		name          string
		rule          estimate.ImageRule
		width, height int64
		want          int64
		known         bool
	}{
		{"published example", estimate.AnthropicHighRes, 1920, 1080, 2691, true},
		{"published example, shrunk", estimate.AnthropicHighRes, 3840, 2160, 4784, true},
		{"published example, standard", estimate.AnthropicStandard, 3840, 2160, 1560, true},
		{"upright", estimate.AnthropicStandard, 2160, 3840, 1560, true},
		{"one patch", estimate.AnthropicStandard, 1, 1, 1, true},
		{"a thread", estimate.AnthropicStandard, 1_000_000, 1, 56, true},
		{"square", estimate.OpenAITiles(85, 170), 1024, 1024, 765, true},
		{"tall", estimate.OpenAITiles(85, 170), 2048, 4096, 1105, true},
		{"small", estimate.OpenAITiles(70, 140), 100, 100, 210, true},
		{"within the budget", estimate.OpenAIPatches(1536, 0, 1000), 1024, 1024, 1024, true},
		{"over the budget", estimate.OpenAIPatches(1536, 0, 1000), 1800, 2400, 1452, true},
		{"with a multiplier", estimate.OpenAIPatches(30000, 0, 1200), 1280, 720, 1104, true},
		{"with a multiplier, upright", estimate.OpenAIPatches(30000, 0, 1200), 390, 844, 422, true},
		{"small", estimate.Gemini2, 384, 384, 258, true},
		{"tiles", estimate.Gemini2, 1000, 500, 516, true},
		{"any size", estimate.Gemini3, 0, 0, 1120, true},
		{"any size", estimate.Ollama, 0, 0, 768, true},
		{"no rule", estimate.UnknownImages, 100, 100, 1100, false},
		{"no size", estimate.OpenAITiles(85, 170), 0, 100, 765, false},
		{"a size that cannot be", estimate.AnthropicStandard, 1 << 40, -1, 1369, false},
	} {
		if got, known := c.rule.Tokens(c.width, c.height); got != c.want || known != c.known {
			t.Errorf("%s, %d x %d: %d (%v), want %d (%v)", c.name, c.width, c.height, got, known, c.want, c.known)
		}
	}
	if n, known := estimate.Gemini2.Video(10); n != 2630 || !known {
		t.Errorf("ten seconds of film: %d, %v", n, known)
	}
	if n, known := estimate.Gemini2.Audio(60); n != 1920 || !known {
		t.Errorf("a minute of sound: %d, %v", n, known)
	}
	if n, known := estimate.AnthropicStandard.Pages(2); n < 2*3000 || known {
		t.Errorf("two pages: %d, %v", n, known)
	}
	if n, _ := estimate.Gemini2.Pages(-5); n != 0 {
		t.Errorf("fewer than no pages: %d", n)
	}
}
