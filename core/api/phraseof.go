// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// written is a phrase as JSON.
type written []byte

// MarshalJSON returns the phrase.
func (p written) MarshalJSON() ([]byte, error) { return p, nil }

// PhraseOf returns the phrase of a text, for a message of a host; nil for a third-party text.
func PhraseOf(text phrase.Text) *Phrase {
	if !text.IsPhrase() {
		return nil
	}
	var w json.Writer
	text.Write(&w)
	var p Phrase = written(w.Buf)
	return &p
}

// TextOf returns a text for a message of a host.
func TextOf(text phrase.Text) Text {
	out := Text{Text: text.String(), ID: text.Phrase.ID.Name()}
	for i := range text.Phrase.Args {
		switch arg := &text.Phrase.Args[i]; {
		case arg.IsNumber:
			out.Args = append(out.Args, arg.Number)
		case arg.Text.IsPhrase():
			out.Args = append(out.Args, PhraseOf(arg.Text))
		default:
			out.Args = append(out.Args, arg.Text.Name)
		}
	}
	return out
}
