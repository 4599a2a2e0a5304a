// Copyright The ctx-lsp authors. MIT licence.

package estimate

// Weights turn an o200k count and a text's features into an estimate for a tokenizer that is not public. All are in
// thousandths of a token.
type Weights struct {
	O200k       int64 // per token of o200k
	Chars       int64
	Upper       int64
	Words       int64
	LowerWords  int64
	LongTail    int64
	Digits      int64
	SplitDigits int64
	Punctuation int64
	Newlines    int64
	Indent      int64
	Han         int64
	Kana        int64
	Hangul      int64
	Cyrillic    int64
	Abjad       int64
	Indic       int64
	Accented    int64
	PerItem     int64 // per item of a conversation; added by the caller, not by Estimate
}

// Estimate returns the weighted sum in tokens, rounded half up and never negative.
func (w Weights) Estimate(o200k int64, f Features) int64 {
	sum := w.O200k*o200k +
		w.Chars*f.Chars +
		w.Upper*f.Upper +
		w.Words*f.Words +
		w.LowerWords*f.LowerWords +
		w.LongTail*f.LongTail +
		w.Digits*f.Digits +
		w.SplitDigits*f.SplitDigits +
		w.Punctuation*f.Punctuation +
		w.Newlines*f.Newlines +
		w.Indent*f.Indent +
		w.Han*f.Han +
		w.Kana*f.Kana +
		w.Hangul*f.Hangul +
		w.Cyrillic*f.Cyrillic +
		w.Abjad*f.Abjad +
		w.Indic*f.Indic +
		w.Accented*f.Accented
	if sum <= 0 {
		return 0
	}
	return (sum + 500) / 1000
}

// The estimators. docs/tokens.md explains the source of each number.
var (
	// ClaudeV3 is for Claude 3 to Opus 4.6, Sonnet 4.6 and Haiku 4.5. The weights in the first line were fitted to the
	// tokens that measured requests of coding sessions added. Those of the scripts raise running text to the ratios
	// measured on translations.
	ClaudeV3 = Weights{
		O200k: 660, Digits: 275, Punctuation: 370, Upper: 330, LowerWords: 520, LongTail: 190, Newlines: 500, Indent: -45,
		Han: 500, Kana: 300, Hangul: 600, Cyrillic: 130, Abjad: 350, Indic: 400, Accented: 600,
	}

	// ClaudeV4 is for Opus 4.7 and later, Sonnet 5, Fable 5 and similar models, which have a smaller vocabulary.
	ClaudeV4 = Weights{
		O200k: 1016, Digits: 27, Punctuation: 370, Upper: 600, LowerWords: 550, LongTail: 240, Newlines: 800, Indent: -40,
		Han: 250, Kana: 70, Hangul: 500, Cyrillic: 20, Abjad: 300, Indic: 400, Accented: 900,
	}

	// ClaudeV3Reply and ClaudeV4Reply are for the model's own replies, counted from their text.
	ClaudeV3Reply = ClaudeV3
	ClaudeV4Reply = ClaudeV4

	// Gemini is for Gemini on Google's own endpoints, GeminiCopilot for the same models through Copilot.
	Gemini        = Weights{O200k: 1138, SplitDigits: 740}
	GeminiCopilot = Weights{O200k: 1122, SplitDigits: 550}

	// Grok has had no public tokenizer since Grok 2; its measured prompts are close to o200k.
	Grok = Weights{O200k: 1050}

	// LikeO200k is for models with a public tokenizer that is not available here (GLM, Qwen, MiniMax, Kimi, DeepSeek).
	// On code and English they agree with o200k to a few percent.
	LikeO200k = Weights{O200k: 1010, PerItem: 9000}
)
