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

// TestDocumentationNamesEveryMethodAndField keeps docs/protocol.md and the
// types from drifting apart.
func TestDocumentationNamesEveryMethodAndField(t *testing.T) {
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
	for _, method := range Methods {
		if _, ok := sections[method]; !ok {
			t.Errorf("docs/protocol.md has no section for %s", method)
		}
	}
	for title := range sections {
		if strings.HasPrefix(title, "ctx/") && !slices.Contains(Methods, title) {
			t.Errorf("docs/protocol.md documents %s, which does not exist", title)
		}
	}
	for _, method := range Methods {
		if answer := New().Call(method, nil); strings.Contains(string(answer), "is listed and not answered") {
			t.Errorf("%s is listed in Methods and Call does not answer it", method)
		}
	}
	for title, shape := range map[string]any{
		"The Reading": Reading{}, "Errors": Refused{}, "ctx/session/open": OpenParams{}, "ctx/session/update": UpdateParams{},
		"ctx/session/usage": UsageParams{}, "ctx/session/error": ErrorParams{}, "ctx/session/compacted": CompactedParams{},
		"ctx/session/records": RecordsParams{}, "ctx/session/history": HistoryAnswer{}, "ctx/session/items": ItemsAnswer{},
		"ctx/session/save": SaveAnswer{}, "ctx/session/restore": RestoreParams{}, "ctx/count": CountParams{}, "ctx/models": ModelsAnswer{},
	} {
		for _, name := range fieldNames(reflect.TypeOf(shape)) {
			if !mentions(sections[title], name) {
				t.Errorf("the section %q of docs/protocol.md does not mention %q", title, name)
			}
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

func mentions(text, name string) bool {
	for i := 0; ; {
		at := strings.Index(text[i:], name)
		if at < 0 {
			return false
		}
		at += i
		before, after := byte(' '), byte(' ')
		if at > 0 {
			before = text[at-1]
		}
		if end := at + len(name); end < len(text) {
			after = text[end]
		}
		if !letter(before) && !letter(after) {
			return true
		}
		i = at + 1
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// fieldNames are the JSON names of a struct and of the structs within it.
func fieldNames(t reflect.Type) []string {
	var names []string
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(t.Elem())
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			for i := range t.NumField() {
				name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
				names = append(names, name)
				walk(t.Field(i).Type)
			}
		}
	}
	walk(t)
	return names
}

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

// TestParameterTypesAreWhatIsRead holds the parameter types against the lists
// of fields that the methods read.
func TestParameterTypesAreWhatIsRead(t *testing.T) {
	for _, c := range []struct {
		shape any
		known []string
	}{
		{OpenParams{}, openFields},
		{UpdateParams{}, updateFields},
		{UsageParams{}, usageFields},
		{ErrorParams{}, errorFields},
		{CompactedParams{}, compactedFields},
		{RecordsParams{}, recordsFields},
		{CountParams{}, countFields},
		{Item{}, itemFields},
		{Part{}, partFields},
		{Limits{}, limitFields},
		{Rule{}, ruleFields},
		{Usage{}, neutralFields},
	} {
		shape := reflect.TypeOf(c.shape)
		names := map[string]bool{}
		for i := range shape.NumField() {
			name, _, _ := strings.Cut(shape.Field(i).Tag.Get("json"), ",")
			names[name] = true
		}
		for _, k := range c.known {
			if !names[k] {
				t.Errorf("%s lacks %q, which is read", shape.Name(), k)
			}
			delete(names, k)
		}
		for name := range names {
			t.Errorf("%s has %q, which is not read", shape.Name(), name)
		}
	}
}
