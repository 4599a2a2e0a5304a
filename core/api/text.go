// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// writeText writes a text with its phrase.
func writeText(w *json.Writer, t *core.Text) { t.WriteBoth(w) }

// writeEnglish writes a field with the English text.
func writeEnglish(w *json.Writer, key string, t *core.Text) {
	if len(t.Phrase.Args) == 0 {
		w.StringField(key, t.String())
		return
	}
	w.Field(key)
	t.WriteEnglish(w)
}

// writePhrase writes a field with the phrase of a text, or nothing for a third-party text.
func writePhrase(w *json.Writer, key string, t *core.Text) {
	if t.IsPhrase() {
		w.Field(key)
		t.Phrase.Write(w)
	}
}

// Sentences returns texts in English.
func Sentences(texts []Text) []string {
	out := make([]string, len(texts))
	for i := range texts {
		out[i] = texts[i].Text
	}
	return out
}

// inEnglish removes the phrases of texts, so that they are written in English.
func inEnglish(texts ...*core.Text) {
	for _, t := range texts {
		if t.IsPhrase() {
			*t = core.Named(t.String())
		}
	}
}

// readName reads a label: a third-party text.
func readName(f *json.Fields, to *core.Text) *Error { return readString(f, &to.Name) }
