// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"slices"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A client may send the whole text of a document at each keystroke, faster than it can be counted. Then only the latest
// text matters. So a change with the whole text replaces earlier changes of its document that are still waiting, unless
// a request that needs the text at its own time was sent between them.

// mostLooked is how many waiting requests a change checks for ones that it replaces.
const mostLooked = 256

// A coalescer holds the requests waiting in a client's lane of documents.
type coalescer struct {
	mu      sync.Mutex // guards the field below
	waiting []*request // oldest first
}

// An edit is the part of a change that is needed to fold it.
type edit struct {
	uri     string
	version int64
	whole   bool // the change contains the whole text
}

// editIn reads the params of textDocument/didChange. It returns an empty edit if it cannot read them; such a change
// neither replaces another nor is replaced.
func editIn(params wire.Fields) (e edit) {
	good := false
	wire.ReadValue(params.Get("textDocument"), func(v json.Value) {
		fault := json.NumberOK
		e.uri = v.Get("uri").String()
		if version := v.Get("version"); !version.IsNull() {
			e.version, fault = version.Int64()
		}
		good = e.uri != "" && v.Get("uri").Kind() == json.String && fault == json.NumberOK
	})
	wire.ReadValue(params.Get("contentChanges"), func(v json.Value) {
		for each := v.Elements(); each.Next(); {
			good = good && each.Value.Get("text").Kind() == json.String
			e.whole = e.whole || each.Value.Get("range").IsNull()
		}
	})
	if !good {
		return edit{}
	}
	return e
}

// arrived adds a request that is about to wait, and drops the changes that it replaces.
func (f *coalescer) arrived(r *request) {
	if r.method == "textDocument/didChange" && r.notification() {
		r.edit = editIn(r.fields)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.edit.whole {
		for i, looked := len(f.waiting)-1, 0; i >= 0 && looked < mostLooked; i, looked = i-1, looked+1 {
			before := f.waiting[i]
			switch {
			case before.isAnswered():
			case before.edit.uri == "" || before.edit.uri == r.edit.uri && before.edit.version > r.edit.version:
				i = 0 // stop: the changes before it stay
			case before.edit.uri == r.edit.uri:
				before.drop()
				f.waiting = slices.Delete(f.waiting, i, i+1)
			}
		}
	}
	f.waiting = append(f.waiting, r)
}

// begins removes a request from the waiting ones when its turn has come.
func (f *coalescer) begins(r *request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := slices.Index(f.waiting, r); at >= 0 {
		f.waiting = slices.Delete(f.waiting, at, at+1)
	}
}

func (r *request) isAnswered() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered
}

// drop discards a notification that is still waiting, and releases its memory; the coalescer's mu must be held.
func (r *request) drop() {
	r.conn.waits.Remove(len(r.params))
	r.cost -= len(r.params)
	r.params, r.fields = nil, nil
	r.cancel()
}
