// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"slices"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A client may send the whole text of a document at each keystroke, faster than it is counted. Whoever comes last is
// right then: what the document was before in between, nobody is told. So a change that holds the whole text takes the
// place of those of its document that still wait, unless something was asked behind them, which has to see the text of
// its moment.

// mostLooked is how far back a change looks for those that it makes needless.
const mostLooked = 256

// A folding is what waits in a client's lane of documents.
type folding struct {
	mu      sync.Mutex // guards the field below
	waiting []*request // in the order of their arrival
}

// An edit is what a change is to those that wait with it.
type edit struct {
	uri     string
	version int64
	whole   bool // it holds the whole text
}

// editIn reads params of textDocument/didChange. What it cannot read replaces nothing and is replaced by nothing.
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

// came notes what is about to wait, and drops the changes that it makes needless.
func (f *folding) came(r *request) {
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
func (f *folding) begins(r *request) {
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
