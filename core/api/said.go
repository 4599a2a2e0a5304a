// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// phraseIDs are the ids of the phrases that stand as they are, by their texts.
var phraseIDs = idsOfPhrases()

func idsOfPhrases() map[string]string {
	ids := make(map[string]string, len(phrases))
	for i := range phrases {
		ids[phrases[i].text] = phrases[i].id
	}
	return ids
}

// said writes a field with the phrase that an English text is. Nothing is written for a text of somebody else, such as
// the name of a file.
func said(w *json.Writer, key, text string) bool {
	if text == "" {
		return false
	}
	if id := phraseIDs[text]; id != "" {
		writeSaid(w, key, id, nil)
		return true
	}
	for i := range composed {
		if !composed[i].mayBe(text) {
			continue
		}
		if stands, n := composed[i].read(text); n > 0 {
			writeSaid(w, key, composed[i].id, stands[:n])
			return true
		}
	}
	return false
}

// saidOf is said for what has a kind. Most are called like their kinds, whose names are the ids of these phrases, so
// that nothing needs to be written; null says that the label is somebody else's (BenchmarkUpdateNative).
func saidOf(w *json.Writer, key, label string, kind core.Kind) {
	if label != "" && label != kind.Label() && !said(w, key, label) {
		w.Field(key)
		w.Null()
	}
}

// writeSaid writes a phrase, as a field or without a key as an element. What stands in it is written as a phrase where
// it is one, else as a text.
func writeSaid(w *json.Writer, key, id string, stands []string) {
	if key != "" {
		w.Field(key)
	}
	w.BeginObject()
	w.PlainField(`,"id":`, id)
	if len(stands) > 0 {
		w.Field(`,"args":`)
		w.BeginArray()
		for _, text := range stands {
			if !said(w, "", text) {
				w.String(text)
			}
		}
		w.EndArray()
	}
	w.EndObject()
}

// ownLabel is the label of what has no name of its own.
func ownLabel(l *core.Largest) string {
	if l.What != core.OfNothing {
		return ""
	}
	return l.Label
}

// writeNotes writes the warnings' phrases in the order of the warnings, and null for a sentence of somebody else.
func (s *shown) writeNotes(w *json.Writer) {
	w.BeginArray()
	for _, sentence := range s.Warnings {
		if !said(w, "", sentence) {
			w.Null()
		}
	}
	w.EndArray()
}

// mayBe tells by its first and its last letter that a text has not this form.
func (p *phrase) mayBe(text string) bool {
	first, last := p.text[0], p.text[len(p.text)-1]
	return (first == '{' || first == text[0]) && (last == '}' || last == text[len(text)-1])
}

// read finds what stands in the holes of a text that has this form; n is how many, 0 where it has another form.
func (p *phrase) read(text string) (stands [2]string, n int) {
	form, rest := p.text, text
	for n < len(stands) {
		at := strings.IndexByte(form, '{')
		if at < 0 {
			break
		}
		if !strings.HasPrefix(rest, form[:at]) {
			return stands, 0
		}
		rest, form = rest[at:], form[at+len("{0}"):]
		end := 0
		if next := strings.IndexByte(form, '{'); next >= 0 {
			end = strings.LastIndex(rest, form[:next])
		} else if strings.HasSuffix(rest, form) {
			end = len(rest) - len(form)
		}
		if end <= 0 {
			return stands, 0
		}
		stands[n], rest = rest[:end], rest[end:]
		n++
	}
	return stands, n
}
