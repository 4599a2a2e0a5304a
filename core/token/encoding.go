// Copyright The ctx-lsp authors. MIT licence.

// Package token counts tokens: exactly for the models whose vocabulary is public, and by honest estimates for the
// others.
//
// An Encoding says how a family of models cuts text; a Vocabulary holds its merges, unpacked from a pack that the host
// loads; a Tokenizer counts with the two. No count allocates, and none needs more than n·log n steps for n bytes.
package token

// An Encoding is a way of turning text into tokens that models share.
type Encoding struct {
	Name       string // o200k_base, cl100k_base …
	Vocabulary string // the pack that it needs
	Specials   string // control strings, a line each; plain text unless the caller asks for them
	reserved   [2]int // numbers of the control strings <|reserved_N|>: the first, and the one after the last
}

const endOfText = "<|endoftext|>"

var encodings = []Encoding{
	{Name: "o200k_base", Vocabulary: "o200k", Specials: endOfText + "\n<|endofprompt|>"},
	{Name: "o200k_harmony", Vocabulary: "o200k", Specials: "<|startoftext|>\n" + endOfText + "\n<|return|>\n<|constrain|>\n<|channel|>\n<|start|>\n<|end|>\n<|message|>\n<|call|>\n<|endofprompt|>", reserved: [2]int{200000, 201088}},
	{Name: "cl100k_base", Vocabulary: "cl100k", Specials: endOfText + "\n<|fim_prefix|>\n<|fim_middle|>\n<|fim_suffix|>\n<|endofprompt|>"},
	{Name: "p50k_base", Vocabulary: "p50k", Specials: endOfText},
	{Name: "p50k_edit", Vocabulary: "p50k", Specials: endOfText + "\n<|fim_prefix|>\n<|fim_middle|>\n<|fim_suffix|>"},
	{Name: "r50k_base", Vocabulary: "r50k", Specials: endOfText},
	{Name: "gpt2", Vocabulary: "r50k", Specials: endOfText},
}

// Find returns the encoding of a name. The name of a vocabulary stands for the first encoding that it serves.
func Find(name string) (Encoding, bool) {
	for _, e := range encodings {
		if e.Name == name || e.Vocabulary == name {
			return e, true
		}
	}
	return Encoding{}, false
}

// Names lists the encodings that Find knows.
func Names() []string {
	names := make([]string, len(encodings))
	for i, e := range encodings {
		names[i] = e.Name
	}
	return names
}
