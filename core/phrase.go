// Copyright The ctx-lsp authors. MIT licence.

package core

import "strings"

// A Phrase is a text that ctx-lsp says: its id, a colon, and the English text, in whose holes something stands, as in
// "importTokens:{0} tokens by {1}". `make generated` writes the list of all phrases for the faces that translate.
type Phrase string

// Say says a phrase in English, or for a caller who translates by its id. What stands in a phrase may be another one.
func (p Phrase) Say(byID bool, stands ...string) string {
	id, text, _ := strings.Cut(string(p), ":")
	if byID {
		text = phraseBegins + id
		for _, s := range stands {
			text += phraseParts + s
		}
		return text + phraseEnds
	}
	said := ""
	for {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			return said + text
		}
		said += text[:at] + stands[text[at+1]-'0']
		text = text[at+len("{0}"):]
	}
}

// The characters around a phrase that is said by its id, which no text of a person holds; see Unmarked.
const (
	phraseBegins = "\x0e"
	phraseParts  = "\x1f"
	phraseEnds   = "\x0f"
)

// Unmarked is a text of somebody else without the characters that stand around phrases.
func Unmarked(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\x0e' || r == '\x0f' || r == '\x1f' {
			return -1
		}
		return r
	}, text)
}
