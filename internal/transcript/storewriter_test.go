// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
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
