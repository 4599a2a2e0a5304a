// Copyright The ctx-lsp authors. MIT licence.

package client

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Joined is JSON values with commas between them, as the elements of an array that has no others.
type Joined []byte

// A writer writes parameters.
type writer struct {
	json.Writer
	err error
}

func (w *writer) reset() { w.Writer, w.err = json.Writer{Buf: w.Buf[:0]}, nil }

// text writes a string. Bytes that are not UTF-8 become the replacement character, because JSON has no others.
func (w *writer) text(s string) { w.String(strings.ToValidUTF8(s, "\uFFFD")) }

func (w *writer) texts(members map[string]string) {
	w.BeginObject()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w.Key(name)
		w.text(members[name])
	}
	w.EndObject()
}

// optional writes a member whose value is an object, unless the object is empty.
func (w *writer) optional(name string, write func()) {
	before := w.Writer
	w.Key(name)
	from := len(w.Buf)
	if write(); len(w.Buf) == from+len("{}") {
		before.Buf = w.Buf[:len(before.Buf)]
		w.Writer = before
	}
}

// any writes a value that may be of several types.
func (w *writer) any(v any) {
	switch v := v.(type) {
	case nil:
		w.Null()
	case stdjson.RawMessage:
		w.Raw(v)
	case Joined:
		w.Raw(v)
	case string:
		w.text(v)
	case bool:
		w.Bool(v)
	case int64:
		w.Int(v)
	case phrase.Text:
		v.Write(&w.Writer)
	case *api.OpenParams:
		w.writeOpenParams(v)
	case api.Item:
		w.writeItem(&v)
	case api.Usage:
		w.writeUsage(&v)
	case []api.Part:
		w.BeginArray()
		for i := range v {
			w.writePart(&v[i])
		}
		w.EndArray()
	default:
		w.err = fmt.Errorf("a %T cannot be written", v)
		w.Null()
	}
}
