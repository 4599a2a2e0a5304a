// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// iFlow writes the records of Claude Code, but its results of tools hold them as Gemini CLI has them: in an object, as
// the response of a function. An iFlowTail puts the text of the response in the object's place, where the reader of
// Claude Code's records looks for it.
type iFlowTail struct {
	Tail
	raw     Batch
	doc     json.Document
	pending queue
}

func (t *iFlowTail) Next(ctx context.Context, b *Batch) error { return t.pending.next(ctx, b, t.read) }

func (t *iFlowTail) read(ctx context.Context, b *Batch) error {
	if err := t.Tail.Next(ctx, &t.raw); err != nil {
		return err
	}
	b.Reset = t.raw.Reset
	for i := range t.raw.Count {
		t.pending = append(t.pending, t.plain(t.raw.record(i)))
	}
	return nil
}

// plain is a record whose results are texts.
func (t *iFlowTail) plain(raw []byte) []byte {
	out := bytes.Clone(raw)
	if !bytes.Contains(raw, []byte(`"responseParts"`)) {
		return out
	}
	r, err := t.doc.Parse(raw)
	if err != nil {
		return out
	}
	for e := r.Path("message", "content").Elements(); e.Next(); {
		content := e.Value.Get("content")
		if parts := content.Get("responseParts"); e.Value.Get("type").Is("tool_result") && parts.Exists() {
			w := json.Writer{}
			w.String(string(responseText(nil, parts, 0)))
			out = bytes.Replace(out, content.Raw(), w.Buf, 1)
		}
	}
	return out
}

// responseText appends what functions have answered: the texts of a response, of its output or its error.
func responseText(text []byte, v json.Value, depth int) []byte {
	switch v.Kind() {
	case json.String:
		return v.AppendText(text)
	case json.Array:
		for e := v.Elements(); e.Next() && depth < 8; {
			text = responseText(text, e.Value, depth+1)
		}
	case json.Object:
		for _, key := range []string{"functionResponse", "response", "output", "error", "text"} {
			if inner := v.Get(key); inner.Exists() && depth < 8 {
				text = responseText(text, inner, depth+1)
			}
		}
	}
	return text
}
