// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"slices"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A client may send the whole text of a document at each keystroke, faster than it is counted. Then only the last text
// matters, and nobody is told of those in between. So a change with the whole text replaces the changes of its document
// that still wait, unless a request waits behind them, which has to see the text of its moment.

// mostLooked is how many waiting requests a change looks at to find those that it replaces.
const mostLooked = 256

// A coalescer holds the requests that wait in a client's lane of documents.
type coalescer struct {
	mu      sync.Mutex // guards the field below
	waiting []*request // in the order of their arrival
}

// An edit is what has to be known of a change to fold it.
type edit struct {
	uri     string
	version int64
	whole   bool // it contains the whole text
}

// editIn reads the params of textDocument/didChange. A change that it cannot read neither replaces another nor is
// replaced.
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

// arrived notes a request that is about to wait, and drops the changes that it replaces.
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
				i = 0 // what stands before it is not passed
			case before.edit.uri == r.edit.uri && before.drop():
				f.waiting = slices.Delete(f.waiting, i, i+1)
			}
		}
	}
	f.waiting = append(f.waiting, r)
}

// begins is called when a request's turn has come.
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

// drop forgets a notification that nobody has begun to work on, and the memory of it.
func (r *request) drop() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun || r.answered {
		return false
	}
	r.answered = true
	r.conn.waits.Remove(len(r.params))
	r.cost -= len(r.params)
	r.params, r.fields = nil, nil
	r.cancel()
	return true
}
