// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDocumentationNamesEveryMethodAndError keeps docs/protocol.md and the code
// from drifting apart where the document is not generated.
func TestDocumentationNamesEveryMethodAndError(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	sections := map[string]string{}
	for _, section := range strings.Split(doc, "\n## ") {
		title, body, _ := strings.Cut(section, "\n")
		sections[title] = body
	}
	for _, method := range MethodNames() {
		if _, ok := sections[method]; !ok {
			t.Errorf("docs/protocol.md has no section for %s", method)
		}
	}
	for title := range sections {
		if strings.HasPrefix(title, "ctx/") && !slices.Contains(MethodNames(), title) {
			t.Errorf("docs/protocol.md documents %s, which does not exist", title)
		}
	}
	for _, m := range Methods {
		if m.answer == nil {
			t.Errorf("%s is listed in Methods and nothing answers it", m.Name)
		}
	}
	for _, kind := range []string{ParseError, UnknownMethod, InvalidParams, Internal, UnknownSession, NeedsVocabulary, LimitExceeded, SessionExists, BadLedger} {
		code := Code(kind)
		if !strings.Contains(sections["Errors"], "`"+kind+"` | "+jsonOf(code)) {
			t.Errorf("docs/protocol.md does not give %s the code %d", kind, code)
		}
	}
}

func jsonOf(v any) string { b, _ := json.Marshal(v); return string(b) }

// TestTypesAreWhatIsWritten decodes real answers into the types, refusing
// unknown fields, and writes them again: what is lost or invented shows.
func TestTypesAreWhatIsWritten(t *testing.T) {
	c := withVocabularies(t)
	run := func(method, params string, into any) {
		t.Helper()
		answer := c.Call(method, []byte(params))
		var envelope struct{ Result json.RawMessage }
		if err := json.Unmarshal(answer, &envelope); err != nil || envelope.Result == nil {
			t.Fatalf("%s: %s", method, answer)
		}
		d := json.NewDecoder(bytes.NewReader(envelope.Result))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			t.Fatalf("%s: %v\n%s", method, err, envelope.Result)
		}
		var again bytes.Buffer
		e := json.NewEncoder(&again)
		e.SetEscapeHTML(false)
		if err := e.Encode(into); err != nil {
			t.Fatal(err)
		}
		var want, got any
		_ = json.Unmarshal(envelope.Result, &want)
		_ = json.Unmarshal(again.Bytes(), &got)
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: written\n%s\nby the types\n%s", method, envelope.Result, again.Bytes())
		}
	}
	run("ctx/session/open", `{"id":"a","model":"gpt-5.5","rule":{"percent":70},"settings":{"X":"1"},"at":5}`, new(Reading))
	run("ctx/session/open", `{"id":"b","parent":"a"}`, new(Reading))
	run("ctx/session/update", `{"id":"a","system":"hello","mcpTools":{"tokens":5,"deferred":true},"append":[{"kind":"user","text":"hi"}]}`, new(Reading))
	run("ctx/session/usage", `{"id":"a","usage":{"prompt_tokens":200000,"completion_tokens":20,"total_tokens":200020}}`, new(Reading))
	run("ctx/session/update", `{"id":"a","tools":5,"documents":7,"append":[{"kind":"toolResults","text":"ok","name":"x"}]}`, new(Reading))
	run("ctx/session/update", `{"id":"a","tools":null}`, new(Reading))
	run("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":900000,"out":1}}`, new(Reading))
	run("ctx/session/error", `{"id":"a","error":"prompt is too long: 213462 tokens > 200000 maximum"}`, new(Reading))
	run("ctx/session/compacted", `{"id":"a","summary":9}`, new(Reading))
	run("ctx/sessions", `{}`, new(SessionsAnswer))
	run("ctx/session/history", `{"id":"a"}`, new(HistoryAnswer))
	run("ctx/session/items", `{"id":"a"}`, new(ItemsAnswer))
	run("ctx/session/save", `{"id":"a"}`, new(SaveAnswer))
	run("ctx/session/records", `{"id":"r","open":true,"steps":true,"records":[{"skipped":5}]}`, new(RecordsAnswer))
	run("ctx/count", `{"texts":["a b"],"model":"gpt-5.5"}`, new(CountAnswer))
	run("ctx/models", `{"query":"gpt-5.5"}`, new(ModelsAnswer))
	var refused struct{ Error Refused }
	d := json.NewDecoder(bytes.NewReader(c.Call("ctx/session/open", []byte(`{"x":1}`))))
	d.DisallowUnknownFields()
	if err := d.Decode(&refused); err != nil {
		t.Error(err)
	}
}
