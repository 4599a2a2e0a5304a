// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// WantedFile is a file that the agent uses, as the engine tells.
type WantedFile struct {
	Path, Use string
	At        time.Time // zero where the record has none
	Sent      bool      // a measured prompt holds what was sent of it
}

// ReadWanted reads the answer of an engine.
func ReadWanted(list json.Value) (wanted []WantedFile) {
	for e := list.Elements(); e.Next(); {
		w := WantedFile{Path: e.Value.Get("path").String(), Use: e.Value.Get("use").String(), Sent: e.Value.Get("sent").Bool()}
		if ms, fault := e.Value.Get("at").Int64(); fault == json.NumberOK {
			w.At = time.UnixMilli(ms)
		}
		wanted = append(wanted, w)
	}
	return wanted
}

// Unrecorded is what is sent with the next request.
type Unrecorded struct {
	Kind, Path, Text string
	Around           int64 // tokens around the text
}

// Found collects what is sent, and sentences about what cannot be known.
type Found struct {
	Texts   []Unrecorded
	Unknown []phrase.Text
}

// Params are the parameters of the call that tells a session what was found.
func (o *Found) Params(id string) []byte {
	w := json.Writer{}
	w.BeginObject()
	w.Key("id")
	w.String(id)
	w.Key("append")
	w.BeginArray()
	for _, u := range o.Texts {
		w.BeginObject()
		w.Key("kind")
		w.String(u.Kind)
		w.Key("what")
		w.String("file")
		w.Key("subject")
		w.String(strings.ToValidUTF8(u.Path, "\uFFFD"))
		w.Key("hidden")
		w.Bool(true)
		w.Key("text")
		w.String(strings.ToValidUTF8(u.Text, "\uFFFD"))
		w.Key("wrapping")
		w.Int(u.Around)
		w.EndObject()
	}
	w.EndArray()
	if len(o.Unknown) > 0 {
		w.Key("loaded")
		w.BeginObject()
		writeUnknown(&w, o.Unknown)
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
	// Look answers for the files that the agent has used since the last call, and for those that have changed. partly is
	// set if it is not known what was sent earlier.
	Look(wanted []WantedFile, partly bool) Found
	// ForgetAll is called if nothing of what was sent is in the conversation any more.
	ForgetAll()
}
