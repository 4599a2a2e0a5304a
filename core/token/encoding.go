// Copyright The ctx-lsp authors. MIT licence.

// Package token counts tokens: exactly for models with a public vocabulary, by estimates for the others.
//
// An Encoding defines how a family of models divides text into tokens. A Vocabulary contains its merges, unpacked from
// a pack that the host loads. A Tokenizer counts with both. Counting does not allocate, and takes at most n·log n steps
// for n bytes.
package token

// An Encoding is a way to turn text into tokens that several models share.
type Encoding struct {
	Name       string // o200k_base, cl100k_base …
	Vocabulary string // name of the pack it requires
	Specials   string // control strings, one per line; treated as plain text unless the caller allows them
	reserved   [2]int // numbers of the control strings <|reserved_N|>: the first, and one past the last
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

// Find returns the encoding with this name. The name of a vocabulary means the first encoding that uses it.
func Find(name string) (Encoding, bool) {
	for _, e := range encodings {
		if e.Name == name || e.Vocabulary == name {
			return e, true
		}
	}
	return Encoding{}, false
}

// Names returns the names of all encodings.
func Names() []string {
	names := make([]string, len(encodings))
	for i, e := range encodings {
		names[i] = e.Name
	}
	return names
}
