// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Copilot reports the usage of each request to its host, and writes it nowhere itself before 1.0.102. The host stores
// that of the last request of each turn. It is joined here with the response to that request: by the request's id,
// otherwise with the turn's last response. If the log or Copilot's own store has usages, the host's are not used.

// A hostedTail adds the usages of a host to the records of a session's log.
type hostedTail struct {
	transcript.Tail
	session transcript.Session
	again   func() transcript.Tail // starts at the beginning

	changed time.Time // the database's time when it was last read
	size    int64
	behind  bool // it could not be read, and records were passed without it
	turns   map[string]hostedUsage
	calls   map[string]hostedUsage

	own  bool // the log contains usages itself
	told bool // the record that announces usages was added
	turn string
	last *copilotAnswer // the last response of the turn, while it has no usage

	composition []composed // the last added composition

	raw     transcript.Batch
	doc     json.Document
	pending transcript.Queue
}

func joinHosted(s transcript.Session, tail transcript.Tail) transcript.Tail {
	return &hostedTail{Tail: tail, session: s, again: func() transcript.Tail {
		s.HostStore = ""
		return OpenTail(s)
	}}
}

func (t *hostedTail) Next(ctx context.Context, b *transcript.Batch) error {
	return t.pending.Next(ctx, b, t.join)
}

// join continues reading, and puts the usage of a response before it, or after it if it comes later.
func (t *hostedTail) join(ctx context.Context, b *transcript.Batch) error {
	if err := t.Tail.Next(ctx, &t.raw); err != nil {
		return err
	}
	restart := t.load(ctx)
	if t.raw.Reset || restart {
		b.Reset = true
		t.own, t.told, t.behind, t.turn, t.last, t.composition = false, false, false, "", nil, nil
	}
	if restart { // records were passed without data that the database now contains
		t.Tail = t.again()
		if err := t.Tail.Next(ctx, &t.raw); err != nil {
			return err
		}
	}
	if len(t.turns) > 0 && !t.told && t.raw.Count > 0 {
		t.told = true
		t.pending = append(t.pending, []byte(`{"type":"session.usage_store","data":{},"timestamp":"","parentId":null}`))
	}
	for i := range t.raw.Count {
		t.record(t.raw.Record(i))
	}
	t.late(false)
	t.context()
	return nil
}

// load reads the database if it has changed. It reports whether records were passed without it.
func (t *hostedTail) load(ctx context.Context) (restart bool) {
	changed, size, err := sqlite.Time(t.session.HostStore)
	if err != nil || t.own || changed.Equal(t.changed) && size == t.size {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, transcript.DatabasePatience)
	defer cancel()
	usages, err := hostedUsages(ctx, t.session.HostStore)
	if err != nil {
		t.behind = t.behind || t.turns == nil
		return false // it may be readable next time
	}
	t.changed, t.size = changed, size
	t.turns, t.calls = map[string]hostedUsage{}, map[string]hostedUsage{}
	for _, u := range usages {
		t.turns[u.Event] = u
		if u.Call != "" {
			t.calls[u.Call] = u
		}
	}
	return t.behind && len(usages) > 0
}

func (t *hostedTail) record(raw []byte) {
	lookIfMarked(raw, &t.doc, t.look)
	t.pending = append(t.pending, bytes.Clone(raw))
}

func (t *hostedTail) look(r json.Value) {
	data := r.Get("data")
	switch kind := r.Get("type"); {
	case t.own, r.Get("agentId").TextLen() > 0, data.Get("parentToolCallId").TextLen() > 0: // a sub-agent
	case kind.Is("session.usage_record"):
		t.own, t.last = true, nil
	case kind.Is("user.message"):
		if _, known := t.turns[r.Get("id").String()]; known || data.Get("source").TextLen() == 0 || data.Get("source").Is("user") {
			t.late(true)
			t.turn, t.last = r.Get("id").String(), nil
		}
	case kind.Is("assistant.message"):
		a := newCopilotAnswer(r)
		if t.last = &a; t.fits(t.calls[a.call], a.call != "") {
			t.tell(t.calls[a.call])
		}
	}
}

// late adds the usage of a response that was passed before it. Without the request's id, it belongs to the last
// response of its turn, which is known once the turn is over or the response has no calls.
func (t *hostedTail) late(over bool) {
	if t.own || t.last == nil {
		return
	}
	if u := t.calls[t.last.call]; t.fits(u, t.last.call != "") {
		t.tell(u)
	} else if u, known := t.turns[t.turn]; u.Call == "" && (over || t.last.ended && !t.last.called) && t.fits(u, known) {
		t.tell(u)
	}
}

// fits reports whether a usage exists and the last response is consistent with it.
func (t *hostedTail) fits(u hostedUsage, known bool) bool {
	return known && u.Usage.In > 0 && t.last.agrees(u.Usage)
}

// tell adds a usage.
func (t *hostedTail) tell(u hostedUsage) {
	w := json.Writer{}
	w.BeginObject()
	t.last.head(&w)
	w.Key("data")
	w.BeginObject()
	w.Key("usage")
	w.BeginObject()
	t.last.usage(&w, u.Usage)
	if u.Limit > 0 {
		w.Key("maxPromptTokens")
		w.Int(u.Limit)
	}
	w.EndObject()
	w.EndObject()
	w.EndObject()
	t.pending = append(t.pending, w.Buf)
	t.last = nil
}

// context adds the agent's own count of its window in the turn that the log has reached. The host may store it after
// the usage.
func (t *hostedTail) context() {
	u := t.turns[t.turn]
	if t.own || len(u.Composition) == 0 || slices.Equal(u.Composition, t.composition) {
		return
	}
	t.composition = u.Composition
	w := json.Writer{}
	w.BeginObject()
	w.Key("type")
	w.String("session.host_context")
	w.Key("timestamp")
	w.String("")
	w.Key("parentId")
	w.Null()
	w.Key("data")
	w.BeginObject()
	w.Key("composition")
	w.BeginArray()
	for _, c := range u.Composition {
		w.BeginObject()
		w.Key("kind")
		w.String(c.Kind)
		w.Key("label")
		w.String(c.Label)
		w.Key("tokens")
		w.Int(c.Tokens)
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	w.EndObject()
	t.pending = append(t.pending, w.Buf)
}
