// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/countapi"
)

func TestAnExactCountCalibratesTheSession(t *testing.T) {
	asked := countapi.Request{}
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), CountAPI: func(_ context.Context, r countapi.Request) (countapi.Result, error) {
		asked = r
		if r.Model == "none" {
			return countapi.Result{}, errors.New("openai: there is no key")
		}
		result := countapi.Result{API: r.API, Model: r.Model, Tokens: 12345, Basis: "measured"}
		switch r.Model {
		case "windowed":
			result.Window = 32_000
		case "estimated":
			result.Basis = "estimated"
		}
		return result, nil
	}}))
	c.call("ctx/session/open", `{"id":"a","model":"gpt-5.5"}`)
	var result struct {
		Tokens  int64
		Basis   string
		Reading struct {
			Session string
			Used    int64
		}
	}
	raw := c.call("ctx/count", `{"exact":{"api":"openai","model":"gpt-5.5","request":{"input":"hi"},"session":"a"}}`)
	if err := json.Unmarshal(raw, &result); err != nil {
		t.Fatal(err)
	}
	if result.Tokens != 12345 || result.Reading.Session != "a" || result.Reading.Used != 12345 || string(asked.Body) != `{"input":"hi"}` {
		t.Errorf("%s, asked %+v", raw, asked)
	}
	c.call("ctx/session/open", `{"id":"b"}`)
	if raw := string(c.call("ctx/count", `{"exact":{"api":"vllm","model":"estimated","request":{},"session":"b"}}`)); strings.Contains(raw, "reading") {
		t.Errorf("a count that was not measured changes a session: %s", raw)
	}
	if raw := string(c.call("ctx/count", `{"exact":{"api":"vllm","model":"windowed","request":{},"session":"b"}}`)); !strings.Contains(raw, `"used":12345`) || !strings.Contains(raw, `"limit":32000`) {
		t.Errorf("a count with the server's window: %s", raw)
	}
	if raw := string(c.call("ctx/count", `{"exact":null,"model":"gpt-5.5","text":"hello"}`)); !strings.Contains(raw, `"tokens":1`) {
		t.Errorf("without a provider: %s", raw)
	}
	unable := start(t, newTestServer(t, Options{}))
	if m := unable.ask("ctx/count", `{"exact":{"api":"openai","request":{}}}`); m.Error == nil || m.Error.Message != "This daemon sends no requests to providers." {
		t.Errorf("without a way to count: %+v", m)
	}
	for _, wrong := range []string{
		`{"exact":{"api":"openai","request":{}},"text":"x"}`,
		`{"exact":{"api":"openai","request":{},"session":"none"}}`,
		`{"exact":{"api":"openai","model":"none","request":{}}}`,
		`{"exact":5}`,
	} {
		if m := c.ask("ctx/count", wrong); m.Error == nil {
			t.Errorf("%s: %s", wrong, m.Result)
		}
	}
}

// TestAClientNamesNoServerButItsOwnMachines checks that a client cannot choose where a key is sent, because a
// workspace's settings reach the daemon through its client.
func TestAClientNamesNoServerButItsOwnMachines(t *testing.T) {
	asked := 0
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), CountAPI: func(_ context.Context, r countapi.Request) (countapi.Result, error) {
		asked++
		if !r.Keyless {
			t.Errorf("a key may go to %s", r.BaseURL)
		}
		return countapi.Result{Tokens: 7, Basis: "measured"}, nil
	}}))
	for _, address := range []string{
		`"api":"openai","baseUrl":"https://example.com"`,
		`"api":"anthropic","baseUrl":"http://127.0.0.1:1"`,
		`"api":"vllm","baseUrl":"https://example.com"`,
		`"api":"ollama","baseUrl":"http://127.0.0.1.example.com"`,
		`"api":"vllm","baseUrl":"http://192.168.1.7:8000"`,
		`"api":"ollama","baseUrl":"http://localhost@example.com"`,
		`"api":"vllm","baseUrl":"http://[::1"`,
		`"api":"vllm","baseUrl":"http://127.0.0.1:8000/any/path"`,
		`"api":"vllm","baseUrl":"http://127.0.0.1:8000?x="`,
		`"api":"vllm","baseUrl":"http://127.0.0.1:8000/?"`,
		`"api":"llama.cpp","baseUrl":"http://127.0.0.1:8080/#"`,
		`"api":"llama.cpp","baseUrl":"http://me:secret@127.0.0.1:8080"`,
		`"api":"ollama","baseUrl":"unix://127.0.0.1"`,
	} {
		m := c.ask("ctx/count", `{"exact":{`+address+`,"request":{"messages":[]}}}`)
		if m.Error == nil || !strings.Contains(m.Error.Message, "on this machine") {
			t.Errorf("%s: %+v", address, m)
		}
	}
	if asked != 0 {
		t.Fatalf("%d addresses were asked", asked)
	}
	for _, address := range []string{`"api":"vllm","baseUrl":"http://127.0.0.1:8000"`, `"api":"llama.cpp","baseUrl":"http://localhost:8080"`, `"api":"ollama","baseUrl":"http://[::1]:11434"`} {
		c.call("ctx/count", `{"exact":{`+address+`,"request":{"messages":[]}}}`)
	}
	if asked != 3 {
		t.Errorf("%d of three servers of this machine were asked", asked)
	}
	c.call("ctx/count", `{"exact":null,"text":"hi"}`) // same as without the parameter
}
