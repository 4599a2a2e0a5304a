// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// wantedFile is a file that the agent uses, as the engine tells.
type wantedFile struct {
	path, use string
	at        time.Time // zero where the record has none
	sent      bool      // a measured prompt holds what was sent of it
}

// readWanted reads the answer of an engine.
func readWanted(list json.Value) (wanted []wantedFile) {
	for e := list.Elements(); e.Next(); {
		w := wantedFile{path: e.Value.Get("path").String(), use: e.Value.Get("use").String(), sent: e.Value.Get("sent").Bool()}
		if ms, fault := e.Value.Get("at").Int64(); fault == json.NumberOK {
			w.at = time.UnixMilli(ms)
		}
		wanted = append(wanted, w)
	}
	return wanted
}

// unrecorded is what is sent with the next request.
type unrecorded struct {
	kind, path, text string
	around           int64 // tokens around the text
}

// found collects what is sent, and sentences about what cannot be known.
type found struct {
	texts   []unrecorded
	unknown []phrase.Text
}

// params are the parameters of the call that tells a session what was found.
func (o *found) params(id string) []byte {
	w := json.Writer{}
	w.BeginObject()
	w.Key("id")
	w.String(id)
	w.Key("append")
	w.BeginArray()
	for _, u := range o.texts {
		w.BeginObject()
		w.Key("kind")
		w.String(u.kind)
		w.Key("what")
		w.String("file")
		w.Key("subject")
		w.String(strings.ToValidUTF8(u.path, "\uFFFD"))
		w.Key("hidden")
		w.Bool(true)
		w.Key("text")
		w.String(strings.ToValidUTF8(u.text, "\uFFFD"))
		w.Key("wrapping")
		w.Int(u.around)
		w.EndObject()
	}
	w.EndArray()
	if len(o.unknown) > 0 {
		w.Key("loaded")
		w.BeginObject()
		writeUnknown(&w, o.unknown)
		w.EndObject()
	}
	w.EndObject()
	return w.Buf
}

// writeUnknown writes the sentences that say what could not be found out.
func writeUnknown(w *json.Writer, sentences []phrase.Text) {
	if len(sentences) == 0 {
		return
	}
	w.Key("unknown")
	w.BeginArray()
	for i := range sentences[:min(len(sentences), 1000)] {
		sentences[i].Write(w)
	}
	w.EndArray()
}

// Files finds what an agent sends of files without recording it.
type Files interface {
	// look answers for the files that the agent has used since the last call, and for those that have changed. partly is
	// set if it is not known what was sent earlier.
	look(wanted []wantedFile, partly bool) found
	// forgetAll is called if nothing of what was sent is in the conversation any more.
	forgetAll()
}
