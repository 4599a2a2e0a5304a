// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestWrittenRecordsAreRead checks that every field a StoreWriter writes reaches an event.
func TestWrittenRecordsAreRead(t *testing.T) {
	writer := StoreWriter{By: agent.Crush}
	writer.Session(StoreSession{CWD: "/w", Branch: "main", Title: "T\xff", Version: "1.2", Model: "m", Provider: "p", Route: "r", Window: 1, Input: 1, Output: 1, At: 1764590000000})
	if got := string(writer.Records[0].JSON); got != `{"by":"crush","is":"session","at":1764590000000,"cwd":"/w","branch":"main","title":"T`+"\uFFFD"+`","version":"1.2","model":"m","provider":"p","route":"r","window":1,"input":1,"output":1}` {
		t.Errorf("the session is %s", got)
	}
	writer.Context("system", StorePart{Label: core.Named("System prompt"), Text: "Be brief."})
	writer.Context("tools", StorePart{Label: core.Named("Tools"), Tokens: 1, Deferred: true})
	writer.Item(StoreItem{Key: "a", Kind: "user", Text: "hello", Turn: true})
	used := NewStoreUsage("u")
	used.In, used.Own, used.Note = 100, true, core.Named("its own count")
	writer.Usage(used)
	writer.Item(StoreItem{Key: "b", Kind: "toolCalls", Name: "view", Call: "c", JSON: []byte(`{"file_path":"/w/a.go"}`)})
	writer.Item(StoreItem{Key: "d", Kind: "toolResults", Call: "c", Text: "package a", Error: true})
	writer.Item(StoreItem{Key: "e", Kind: "toolCalls", Name: "view", Call: "f", JSON: []byte(`{"file_pa`)})
	writer.Compacted(StoreCompacted{Key: "g", Text: "short", Kept: 1, Before: 100, Left: 20, Auto: true})
	writer.Item(StoreItem{Key: "e", Kind: "assistant", Text: "told again"})
	writer.Own(1234, core.Named("as it prints it"))
	writer.Over("e")
	writer.Warning(core.Named("A sentence."))

	var events []core.Event
	reader := agent.New(agent.Crush)
	for _, r := range writer.Records {
		v, err := json.Parse(r.JSON)
		if err != nil {
			t.Fatalf("%s: %v", r.JSON, err)
		}
		if got := agent.Recognise(v); got != agent.Crush {
			t.Errorf("%s is taken for %q's", r.JSON, got)
		}
		reader.Record(v, func(e core.Event) {
			if a, ok := e.(core.Appended); ok {
				a.Item.Text = append([]byte(nil), a.Item.Text...)
				e = a
			}
			events = append(events, e)
		})
	}
	find := func(what string, is func(core.Event) bool) {
		t.Helper()
		for _, e := range events {
			if is(e) {
				return
			}
		}
		t.Errorf("no event %s in %v", what, fmt.Sprint(events))
	}
	find("of the limits", func(e core.Event) bool {
		l, ok := e.(core.LimitsKnown)
		return ok && l.Window == 1 && l.Input == 1 && l.Output == 1 && l.Source == core.FromAgent
	})
	find("of the model", func(e core.Event) bool { return e == core.ModelSet{Model: "m", Provider: "p", Route: "r"} })
	find("of the system prompt", func(e core.Event) bool {
		c, ok := e.(core.ContextSet)
		return ok && c.Kind == core.System && string(c.Parts[0].Text) == "Be brief."
	})
	find("of the size of the tools", func(e core.Event) bool {
		p, ok := e.(core.PrefixKnown)
		return ok && p.Kind == core.Tools && p.Parts[0].Tokens == 1 && p.Parts[0].Deferred
	})
	find("of its own count", func(e core.Event) bool {
		m, ok := e.(core.Metered)
		return ok && m.In == 100 && m.Own && m.Out == core.Unknown && m.Through == 1
	})
	find("of the result", func(e core.Event) bool {
		a, ok := e.(core.Appended)
		return ok && a.Item.Kind == core.ToolResults && a.Item.Name == "view" && a.Item.Answers == 2 && a.Item.Error
	})
	find("of broken arguments", func(e core.Event) bool {
		a, ok := e.(core.Appended)
		return ok && string(a.Item.Text) == `{"file_pa`
	})
	find("of the compaction", func(e core.Event) bool {
		c, ok := e.(core.Compacted)
		return ok && c.Auto && c.Kept == 1 && c.Before == 100 && c.Tokens == 20 && c.Summary != nil
	})
	find("of the item that was kept and told again", func(e core.Event) bool {
		r, ok := e.(core.Replaced)
		return ok && r.Index == 0
	})
	find("of what it prints", func(e core.Event) bool {
		own, ok := e.(core.AgentPercent)
		return ok && own.Hundredths == 1234 && own.Label.Name == "as it prints it"
	})
}

// TestARecordHasTheFieldsThatAreKnown checks each type of record with all fields, and with the fewest.
func TestARecordHasTheFieldsThatAreKnown(t *testing.T) {
	name := core.Named
	for want, write := range map[string]func(w *StoreWriter){
		`session: {"by":"crush","is":"session"}`: func(w *StoreWriter) { w.Session(StoreSession{}) },
		`session: {"by":"crush","is":"session","at":1,"cwd":"/w","branch":"b","title":"t","version":"1","model":"m","provider":"p","route":"r","window":1,"input":2,"output":3}`: func(w *StoreWriter) {
			w.Session(StoreSession{CWD: "/w", Branch: "b", Title: "t", Version: "1", Model: "m", Provider: "p", Route: "r", Window: 1, Input: 2, Output: 3, At: 1})
		},
		`context system: {"by":"crush","is":"context","kind":"system","parts":[]}`: func(w *StoreWriter) { w.Context("system") },
		`context tools: {"by":"crush","is":"context","kind":"tools","parts":[{},{"label":"l","text":"t","tool":{"name":"n"},"tokens":1,"deferred":true,"reference":true}]}`: func(w *StoreWriter) {
			w.Context("tools", StorePart{}, StorePart{Label: name("l"), Text: "t", Tool: []byte(`{"name":"n"}`), Tokens: 1, Deferred: true, Reference: true})
		},
		`item #0: {"by":"crush","is":"item"}, placed`: func(w *StoreWriter) { w.Item(StoreItem{}) },
		`item k: {"by":"crush","is":"item","at":1,"kind":"user","key":"k","name":"n","call":"c","text":"t","media":"image/png","pixels":"iVBO","tokens":1,"opaque":1,"turn":true,"error":true,"unanswered":true}, placed`: func(w *StoreWriter) {
			w.Item(StoreItem{Key: "k", Kind: "user", Name: "n", Call: "c", Text: "t", Media: "image/png", Pixels: "iVBO", Tokens: 1, Opaque: 1, At: 1, Turn: true, Error: true, Unanswered: true})
		},
		`item k: {"by":"crush","is":"item","key":"k","text":{"a":1}}, placed`:   func(w *StoreWriter) { w.Item(StoreItem{Key: "k", JSON: []byte(`{"a":1}`)}) },
		`item k: {"by":"crush","is":"item","key":"k","text":"{\"a\":"}, placed`: func(w *StoreWriter) { w.Item(StoreItem{Key: "k", JSON: []byte(`{"a":`)}) },
		`usage u: {"by":"crush","is":"usage","id":"u"}`:                         func(w *StoreWriter) { w.Usage(NewStoreUsage("u")) },
		`usage u: {"by":"crush","is":"usage","at":1,"id":"u","model":"m","provider":"p","note":"n","before":"k","in":0,"out":0,"reasoning":0,"read":0,"write":0,"own":true,"side":true,"sum":true,"placeholder":true}`: func(w *StoreWriter) {
			w.Usage(StoreUsage{Before: "k", ID: "u", Model: "m", Provider: "p", Note: name("n"), At: 1, Own: true, Side: true, Sum: true, OutPlaceholder: true})
		},
		`compacted : {"by":"crush","is":"compacted"}, placed`: func(w *StoreWriter) { w.Compacted(StoreCompacted{Before: Unknown, Left: Unknown}) },
		`compacted k: {"by":"crush","is":"compacted","at":1,"text":"t","kept":1,"before":0,"tokens":0,"auto":true}, placed`: func(w *StoreWriter) {
			w.Compacted(StoreCompacted{Key: "k", Text: "t", Kept: 1, At: 1, Auto: true})
		},
		`own: {"by":"crush","is":"own","percent":0,"label":"l"}`:             func(w *StoreWriter) { w.Own(0, name("l")) },
		`own: {"by":"crush","is":"own"}`:                                     func(w *StoreWriter) { w.Own(Unknown, name("")) },
		`own: {"by":"crush","is":"own","percent":1,"label":{"id":"system"}}`: func(w *StoreWriter) { w.Own(1, phrase.System.Text()) },
		`over k: {"by":"crush","is":"over"}`:                                 func(w *StoreWriter) { w.Over("k") },
		`warning s: {"by":"crush","is":"warning","text":"s"}`:                func(w *StoreWriter) { w.Warning(name("s")) },
	} {
		w := StoreWriter{By: agent.Crush}
		write(&w)
		r := w.Records[0]
		got := r.Name + ": " + string(r.JSON)
		if r.Placed {
			got += ", placed"
		}
		if got != want {
			t.Errorf("it writes\n%s, want\n%s", got, want)
		}
	}
}
