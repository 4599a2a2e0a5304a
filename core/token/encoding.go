// Package token counts tokens: exactly for the models whose vocabulary is public, and by honest estimates for the others.
//
// An Encoding says how a family of models cuts text; a Vocabulary holds its merges, unpacked from a pack that the host
// loads; a Tokenizer counts with the two. No count allocates, and none takes more than n·log n of the text's length.
package token

// An Encoding is a way of turning text into tokens that models share.
type Encoding struct {
	Name       string // o200k_base, cl100k_base …
	Vocabulary string // the pack that it needs
	Specials   string // control strings, a line each; plain text unless the caller asks for them
}

const endOfText = "<|endoftext|>"

var encodings = [...]Encoding{
	{"o200k_base", "o200k", endOfText + "\n<|endofprompt|>"},
	{"o200k_harmony", "o200k", "<|startoftext|>\n" + endOfText + "\n<|return|>\n<|constrain|>\n<|channel|>\n<|start|>\n<|end|>\n<|message|>\n<|call|>\n<|endofprompt|>"},
	{"cl100k_base", "cl100k", endOfText + "\n<|fim_prefix|>\n<|fim_middle|>\n<|fim_suffix|>\n<|endofprompt|>"},
	{"p50k_base", "p50k", endOfText},
	{"p50k_edit", "p50k", endOfText + "\n<|fim_prefix|>\n<|fim_middle|>\n<|fim_suffix|>"},
	{"r50k_base", "r50k", endOfText},
	{"gpt2", "r50k", endOfText},
}

// Find returns the encoding of a name.
func Find(name string) (Encoding, bool) {
	for _, e := range encodings {
		if e.Name == name {
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
