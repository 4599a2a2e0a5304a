// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"context"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Copilot CLI before 1.0.102 writes what the provider measured into a database of all sessions, and not into the log of
// the session. The two are joined here: to each answer in the log comes a record of its usage, as newer versions write
// it themselves. The database names no answer. Its requests have the number of the user's turn, and stand in the
// order of the answers; an answer says which of its turn it is. Where the model, the end or the length of an answer
// contradicts its request, the answer has no usage.

// A usageTail adds the usages of the database to the records of a session's log.
type usageTail struct {
	transcript.Tail
	session transcript.Session
	store   string

	changed time.Time // the database's time when it was read last
	size    int64
	read    bool               // the database was read, and has requests of sessions
	behind  bool               // it could not be read, and records were passed without it
	turns   [][]copilotRequest // the requests of each turn

	own     bool // the log has usages itself
	told    bool // that usages are added
	begun   bool // an answer of the turn has come
	turn    int  // the turn of the next answers
	place   int  // in it
	order   int  // how many more turns the database had, up to the last that was found
	waiting []copilotAnswer

	raw     transcript.Batch
	doc     json.Document
	pending transcript.Queue
}

// A copilotAnswer is an answer of which no request was found yet.
type copilotAnswer struct {
	turn, place       int
	call, model       string
	called, ended     bool // whether it calls tools; whether it says so
	out               int64
	timestamp, parent []byte
}

// mostWaiting bounds the answers whose requests may still come: the core knows where the last one begins.
const mostWaiting = 1

func (t *usageTail) Next(ctx context.Context, b *transcript.Batch) error {
	return t.pending.Next(ctx, b, t.join)
}

// join reads on, and puts the usage of each answer before it.
func (t *usageTail) join(ctx context.Context, b *transcript.Batch) error {
	if err := t.Tail.Next(ctx, &t.raw); err != nil {
		return err
	}
	again := t.load(ctx)
	if t.raw.Reset || again {
		b.Reset = true
		t.own, t.told, t.begun, t.behind, t.turn, t.place, t.order, t.waiting = false, false, false, false, 0, 0, 0, nil
	}
	if again { // what was told lacks what the database says now
		t.Tail = OpenOwn(t.session)
		if err := t.Tail.Next(ctx, &t.raw); err != nil {
			return err
		}
	}
	t.late()
	if t.read && !t.told && t.raw.Count > 0 {
		t.told = true
		t.pending = append(t.pending, []byte(`{"type":"session.usage_store","data":{},"timestamp":"","parentId":null}`))
	}
	for i := range t.raw.Count {
		t.record(t.raw.Record(i))
	}
	return nil
}

// load reads the database if it has changed; again is true where records were told that it has requests of.
func (t *usageTail) load(ctx context.Context) (again bool) {
	changed, size, err := sqlite.Time(t.store)
	if err != nil || t.own || changed.Equal(t.changed) && size == t.size {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, transcript.DatabasePatience)
	defer cancel()
	requests, known, err := copilotRequests(ctx, t.store, filepath.Base(filepath.Dir(t.session.Path)))
	if err != nil {
		t.behind = t.behind || !t.read
		return false // the next time, it may be readable
	}
	t.changed, t.size, t.read = changed, size, known
	t.turns = t.turns[:0]
	for i, r := range requests {
		if i == 0 || requests[i-1].Turn != r.Turn {
			t.turns = append(t.turns, nil)
		}
		last := len(t.turns) - 1
		t.turns[last] = append(t.turns[last], r)
	}
	return t.behind && known && len(requests) > 0
}

var copilotMarks = [...][]byte{[]byte(`"assistant.message"`), []byte(`"user.message"`), []byte(`"session.usage_record"`)}

// lookIfMarked parses a record that may be of a kind in copilotMarks and passes it to look. Others are not parsed.
func lookIfMarked(raw []byte, doc *json.Document, look func(json.Value)) {
	for _, mark := range copilotMarks {
		if bytes.Contains(raw, mark) {
			if r, err := doc.Parse(raw); err == nil {
				look(r)
			}
			return
		}
	}
}

func (t *usageTail) record(raw []byte) {
	lookIfMarked(raw, &t.doc, t.look)
	t.pending = append(t.pending, bytes.Clone(raw))
}

// look puts the usage of an answer into the queue, before the answer itself.
func (t *usageTail) look(r json.Value) {
	data := r.Get("data")
	switch kind := r.Get("type"); {
	case t.own, r.Get("agentId").TextLen() > 0, data.Get("parentToolCallId").TextLen() > 0: // a sub-agent
	case kind.Is("session.usage_record"):
		t.own, t.waiting = true, nil
	case kind.Is("user.message"):
		if data.Get("source").TextLen() == 0 { // else it stands within a turn
			t.next()
		}
	case kind.Is("assistant.message"):
		if place, ok := configfile.Scalar(data.Get("turnId")); ok && place == "0" {
			t.next()
		}
		a := newCopilotAnswer(r)
		a.turn, a.place = t.turn, t.place
		t.begun = true
		t.place++
		if !t.usage(&a) {
			if t.waiting = append(t.waiting, a); len(t.waiting) > mostWaiting {
				t.waiting = t.waiting[1:]
			}
		}
	}
}

// next begins a turn, if the present one has an answer.
func (t *usageTail) next() {
	if t.begun {
		t.begun, t.place = false, 0
		t.turn++
	}
}

// late looks for the requests of answers that came before them.
func (t *usageTail) late() {
	rest := t.waiting[:0]
	for i := range t.waiting {
		if !t.usage(&t.waiting[i]) {
			rest = append(rest, t.waiting[i])
		}
	}
	t.waiting = rest
}

// usage tells the request of an answer; it returns false if the answer contradicts all of them.
func (t *usageTail) usage(a *copilotAnswer) bool {
	for i, requests := range t.turns {
		if a.place < len(requests) && requests[0].Turn == int64(a.turn) && a.agrees(requests[a.place]) {
			t.order = i - a.turn
			t.tell(a, requests[a.place])
			return true
		}
	}
	// Turns that the log does not show make its numbers smaller than those of the database.
	if i := a.turn + t.order; i >= 0 && i < len(t.turns) && t.turns[i][0].Turn > int64(a.turn) && a.place < len(t.turns[i]) && a.agrees(t.turns[i][a.place]) {
		t.tell(a, t.turns[i][a.place])
		return true
	}
	return false
}

// agrees says whether an answer contradicts nothing of a request.
func (a *copilotAnswer) agrees(r copilotRequest) bool {
	return (a.model == "" || r.Model == "" || a.model == r.Model) && (a.out < 0 || r.Out < 0 || a.out == r.Out) &&
		!(a.ended && (a.called && r.Finish == "stop" || !a.called && r.Finish == "tool_calls"))
}

func (t *usageTail) tell(a *copilotAnswer, r copilotRequest) {
	w := json.Writer{}
	w.BeginObject()
	a.head(&w)
	w.Key("data")
	w.BeginObject()
	w.Key("usage")
	w.BeginObject()
	a.usage(&w, r)
	w.EndObject()
	w.EndObject()
	w.EndObject()
	t.pending = append(t.pending, w.Buf)
}

// newCopilotAnswer reads an answer of the log.
func newCopilotAnswer(r json.Value) copilotAnswer {
	data := r.Get("data")
	a := copilotAnswer{call: data.Get("apiCallId").String(), model: data.Get("model").String(), out: -1}
	a.called, a.ended = data.Get("toolRequests").Len() > 0, data.Get("toolRequests").Kind() == json.Array
	if n, fault := data.Get("outputTokens").Milli(); fault == json.NumberOK && n > 0 {
		a.out = n / 1000
	}
	a.timestamp, a.parent = bytes.Clone(r.Get("timestamp").Raw()), bytes.Clone(r.Get("parentId").Raw())
	return a
}

// head writes what a record of an answer's usage begins with.
func (a *copilotAnswer) head(w *json.Writer) {
	w.Key("type")
	w.String("session.usage_record")
	w.Key("timestamp")
	w.Raw(a.timestamp)
	w.Key("parentId")
	w.Raw(a.parent)
}

// usage writes what the provider measured of an answer.
func (a *copilotAnswer) usage(w *json.Writer, r copilotRequest) {
	w.Key("model")
	w.String(r.Model)
	w.Key("apiCallId")
	w.String(a.call)
	for _, n := range []struct {
		name string
		n    int64
	}{
		{"inputTokens", r.In},
		{"outputTokens", r.Out},
		{"cacheReadTokens", r.Read},
		{"cacheWriteTokens", r.Write},
		{"reasoningTokens", r.ReasoningOut},
	} {
		if n.n >= 0 {
			w.Key(n.name)
			w.Int(n.n)
		}
	}
}
