package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/lsp/countapi"
)

func TestAnExactCountCalibratesTheSession(t *testing.T) {
	asked := countapi.Request{}
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), CountAPI: func(_ context.Context, r countapi.Request) (countapi.Result, error) {
		asked = r
		if r.Model == "none" {
			return countapi.Result{}, errors.New("openai: there is no key")
		}
		return countapi.Result{API: r.API, Model: r.Model, Tokens: 12345, Basis: "measured"}, nil
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
