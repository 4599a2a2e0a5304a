// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"
	"hash/maphash"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// iFlow writes the records of Claude Code, but its results of tools hold them as Gemini CLI has them: in an object, as
// the response of a function. An iFlowTail puts the text of the response in the object's place, where the reader of
// Claude Code's records looks for it. iFlow also writes a call again in the records behind its own, while it goes on;
// such a call is left out, because it is sent once.
type iFlowTail struct {
	Tail
	raw     Batch
	doc     json.Document
	pending queue
	called  map[uint64]bool // hashes of the calls that were told
}

// mostCalls bounds how many calls are remembered.
const mostCalls = 1 << 16

func (t *iFlowTail) Next(ctx context.Context, b *Batch) error { return t.pending.next(ctx, b, t.read) }

func (t *iFlowTail) read(ctx context.Context, b *Batch) error {
	if err := t.Tail.Next(ctx, &t.raw); err != nil {
		return err
	}
	if b.Reset = t.raw.Reset; b.Reset || len(t.called) > mostCalls {
		t.called = nil
	}
	for i := range t.raw.Count {
		t.pending = append(t.pending, t.plain(t.raw.record(i)))
	}
	return nil
}

// plain is a record whose results are texts, and whose calls were not told before.
func (t *iFlowTail) plain(raw []byte) []byte {
	out := bytes.Clone(raw)
	if !bytes.Contains(raw, []byte(`"responseParts"`)) && !bytes.Contains(raw, []byte(`"tool_use"`)) {
		return out
	}
	r, err := t.doc.Parse(raw)
	if err != nil {
		return out
	}
	for e := r.Path("message", "content").Elements(); e.Next(); {
		if e.Value.Get("type").Is("tool_use") && t.again(e.Value.Get("id")) {
			out = bytes.Replace(out, e.Value.Raw(), []byte(`{"type":"text","text":""}`), 1)
		}
		content := e.Value.Get("content")
		if parts := content.Get("responseParts"); e.Value.Get("type").Is("tool_result") && parts.Exists() {
			w := json.Writer{}
			w.String(string(responseText(nil, parts, 0)))
			out = bytes.Replace(out, content.Raw(), w.Buf, 1)
		}
	}
	return out
}

// again says whether a call was told before, and notes it.
func (t *iFlowTail) again(id json.Value) bool {
	if id.TextLen() == 0 {
		return false
	}
	hash := maphash.Bytes(hashSeed, id.Raw())
	if t.called[hash] {
		return true
	}
	if t.called == nil {
		t.called = map[uint64]bool{}
	}
	t.called[hash] = true
	return false
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
