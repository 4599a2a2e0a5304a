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

// Copilot CLI before 1.0.102 writes measured usages into a database of all sessions instead of the session's log. Both
// are joined here: each response in the log gets a record of its usage, in the form that newer versions write
// themselves. The database names no response. Its requests have the number of the user's turn and are in the order of
// the responses; a response has its number in its turn. If the model, the end or the length of a response contradicts
// its request, the response gets no usage.

// A usageTail adds the usages of the database to the records of a session's log.
type usageTail struct {
	transcript.Tail
	session transcript.Session
	store   string

	changed time.Time // the database's time when it was last read
	size    int64
	read    bool               // the database was read and contains requests of sessions
	behind  bool               // it could not be read, and records were passed without it
	turns   [][]copilotRequest // the requests of each turn

	own     bool // the log contains usages itself
	told    bool // the host was informed that usages are added
	begun   bool // a response of the turn was read
	turn    int  // the turn of the next responses
	place   int  // their position in it
	order   int  // how many more turns the database had, up to the last one that was found
	waiting []copilotAnswer

	raw     transcript.Batch
	doc     json.Document
	pending transcript.Queue
}

// A copilotAnswer is a response whose request was not found yet.
type copilotAnswer struct {
	turn, place       int
	call, model       string
	called, ended     bool // whether it calls tools; whether it has ended
	out               int64
	timestamp, parent []byte
}

// mostWaiting bounds the responses whose requests may still come: the core remembers where the last one begins.
const mostWaiting = 1

func (t *usageTail) Next(ctx context.Context, b *transcript.Batch) error {
	return t.pending.Next(ctx, b, t.join)
}

// join continues reading, and puts the usage of each response before it.
func (t *usageTail) join(ctx context.Context, b *transcript.Batch) error {
	if err := t.Tail.Next(ctx, &t.raw); err != nil {
		return err
	}
	again := t.load(ctx)
	if t.raw.Reset || again {
		b.Reset = true
		t.own, t.told, t.begun, t.behind, t.turn, t.place, t.order, t.waiting = false, false, false, false, 0, 0, 0, nil
	}
	if again { // earlier records lack usages that the database now contains
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

// load reads the database if it has changed. again is set if it now has requests of records that were already passed.
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
		return false // it may be readable next time
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

// look puts the usage of a response into the queue, before the response itself.
func (t *usageTail) look(r json.Value) {
	data := r.Get("data")
	switch kind := r.Get("type"); {
	case t.own, r.Get("agentId").TextLen() > 0, data.Get("parentToolCallId").TextLen() > 0: // a sub-agent
	case kind.Is("session.usage_record"):
		t.own, t.waiting = true, nil
	case kind.Is("user.message"):
		if data.Get("source").TextLen() == 0 { // otherwise it is inside a turn
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

// next begins a turn, if the present one has a response.
func (t *usageTail) next() {
	if t.begun {
		t.begun, t.place = false, 0
		t.turn++
	}
}

// late looks for the requests of responses that were passed before them.
func (t *usageTail) late() {
	rest := t.waiting[:0]
	for i := range t.waiting {
		if !t.usage(&t.waiting[i]) {
			rest = append(rest, t.waiting[i])
		}
	}
	t.waiting = rest
}

// usage writes the request of a response. It returns false if the response contradicts all requests.
func (t *usageTail) usage(a *copilotAnswer) bool {
	for i, requests := range t.turns {
		if a.place < len(requests) && requests[0].Turn == int64(a.turn) && a.agrees(requests[a.place]) {
			t.order = i - a.turn
			t.tell(a, requests[a.place])
			return true
		}
	}
	// Turns that are not in the log make its numbers smaller than those of the database.
	if i := a.turn + t.order; i >= 0 && i < len(t.turns) && t.turns[i][0].Turn > int64(a.turn) && a.place < len(t.turns[i]) && a.agrees(t.turns[i][a.place]) {
		t.tell(a, t.turns[i][a.place])
		return true
	}
	return false
}

// agrees reports whether a response is consistent with a request.
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

// newCopilotAnswer reads a response from the log.
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

// head writes the beginning of a response's usage record.
func (a *copilotAnswer) head(w *json.Writer) {
	w.Key("type")
	w.String("session.usage_record")
	w.Key("timestamp")
	w.Raw(a.timestamp)
	w.Key("parentId")
	w.Raw(a.parent)
}

// usage writes the measured usage of a response.
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
