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

// TestDocumentationNamesEveryMethod checks that the parts of docs/protocol.md that are not generated match the code.
func TestDocumentationNamesEveryMethod(t *testing.T) {
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
}

// TestDocumentedCallsHaveKnownParameters makes the one-line calls of docs/protocol.md: each method exists and has the
// parameters of the example.
func TestDocumentedCallsHaveKnownParameters(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for line := range strings.Lines(string(text)) {
		var call struct {
			Method string
			Params json.RawMessage
		}
		if !strings.HasPrefix(line, `{"method":`) || json.Unmarshal([]byte(line), &call) != nil || MethodOf(call.Method) == nil && !isDaemons(call.Method) {
			if strings.HasPrefix(line, `{"method":`) {
				t.Errorf("this is not a call of a method that exists: %s", line)
			}
			continue
		}
		made++
		if isDaemons(call.Method) {
			continue
		}
		_, refused := Outcome(New().Call(call.Method, call.Params))
		if refused != nil && strings.HasPrefix(refused.Message, "There is no parameter") {
			t.Errorf("%s: %s", line, refused.Message)
		}
	}
	if made < 5 {
		t.Errorf("only %d calls were found", made)
	}
}

func isDaemons(method string) bool {
	return slices.ContainsFunc(DaemonMethods, func(m Method) bool { return m.Name == method })
}

// TestNumbersAreReadAsDocumented checks the conventions of docs/protocol.md for invalid numbers of tokens: an error
// that names the field in parameters, and a warning in the usage that a provider reported.
func TestNumbersAreReadAsDocumented(t *testing.T) {
	for _, number := range []string{"5.5", "-1", "9223372036854775808"} {
		c := New()
		c.Call("ctx/session/open", []byte(`{"id":"a"}`))
		for field, params := range map[string]string{
			"reserve":          `{"id":"a","reserve":%}`,
			"append[0].tokens": `{"id":"a","append":[{"kind":"user","tokens":%}]}`,
			"system.tokens":    `{"id":"a","system":{"tokens":%}}`,
		} {
			_, refused := Outcome(c.Call("ctx/session/update", []byte(strings.Replace(params, "%", number, 1))))
			if refused == nil || refused.Kind != InvalidParams || refused.Field != field {
				t.Errorf("%s as %s is refused with %+v", number, field, refused)
			}
		}
		var reading struct{ Warnings []Text }
		result, refused := Outcome(c.Call("ctx/session/usage", []byte(`{"id":"a","provider":"anthropic","usage":{"input_tokens":`+number+`,"output_tokens":3}}`)))
		if refused != nil || json.Unmarshal(result, &reading) != nil || !strings.Contains(strings.Join(Sentences(reading.Warnings), " "), `"input_tokens"`) {
			t.Errorf("%s in a usage: %v %v", number, refused, reading.Warnings)
		}
	}
	if _, refused := Outcome(New().Call("ctx/session/open", []byte(`{"reserve":5.0}`))); refused != nil {
		t.Errorf("5.0 is refused: %v", refused)
	}
}

// TestTypesAreWhatIsWritten decodes real results into the types, refusing unknown fields, and encodes them again, which
// shows anything lost or invented.
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
