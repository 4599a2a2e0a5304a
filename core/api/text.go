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

// writePhraseOf is writePhrase for a labeled thing that has a kind. Most labels are those of the kinds, whose names are
// the ids of these phrases, so nothing is written for them (BenchmarkUpdateNative); null marks a third-party text.
func writePhraseOf(w *json.Writer, key string, t *core.Text, kind core.Kind) {
	switch {
	case t.Is(kind.Label()):
	case t.IsPhrase():
		writePhrase(w, key, t)
	case !t.Empty():
		w.Field(key)
		w.Null()
	}
}

// ownLabel returns the label of a thing, or an empty text if it is the name of a file, a command or something similar.
func ownLabel(l *core.Largest) *core.Text {
	if l.What != core.OfNothing && !l.Label.IsPhrase() {
		return &core.Text{}
	}
	return &l.Label
}

// writeWarnings writes the warnings in English.
func (s *shown) writeWarnings(w *json.Writer) {
	w.BeginArray()
	for i := range s.Warnings {
		w.String(s.Warnings[i].String())
	}
	w.EndArray()
}

// writeNotes writes the phrases of the warnings in order, and null for a third-party text.
func (s *shown) writeNotes(w *json.Writer) {
	w.BeginArray()
	for i := range s.Warnings {
		if t := &s.Warnings[i]; t.IsPhrase() {
			t.Phrase.Write(w)
		} else {
			w.Null()
		}
	}
	w.EndArray()
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
