package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// coreEngine is the core itself.
type coreEngine struct {
	mu   sync.Mutex
	core *api.Core
}

func (e *coreEngine) Close() error { return nil }

func (e *coreEngine) Call(_ context.Context, method string, params []byte) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]byte(nil), e.core.Call(method, params)...), nil
}

func TestAnExactCountCalibratesItsSession(t *testing.T) {
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = r.URL.Path + " " + string(body)
		fmt.Fprint(w, `{"count":5000,"max_model_len":32768,"tokens":[]}`)
	}))
	defer server.Close()
	c := start(t, newTestServer(t, Options{Engine: using(&coreEngine{core: api.New()})}))
	c.call("ctx/session/open", `{"id":"chat","limits":{"window":10000}}`)
	c.call("ctx/session/update", `{"id":"chat","append":[{"kind":"user","text":"Hello there."}]}`)
	var answer struct {
		Tokens, Window int64
		API, Basis     string
		Reading        struct {
			Session string
			Used    int64
			Basis   string
			Percent float64
			Spent   struct{ Calls, In int64 }
		}
	}
	raw := c.call("ctx/count", `{"exact":{"api":"vllm","baseUrl":"`+server.URL+`","request":{"model":"q","messages":[{"role":"user","content":"Hello there."}]},"session":"chat"}}`)
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Tokens != 5000 || answer.Window != 32768 || answer.API != "vllm" || answer.Basis != "measured" || !strings.Contains(asked, "/tokenize") {
		t.Errorf("%s, asked %s", raw, asked)
	}
	r := answer.Reading
	if r.Session != "chat" || r.Used != 5000 || r.Basis != "measured" || r.Percent != 50 {
		t.Errorf("the session was not calibrated: %s", raw)
	}
	if r.Spent.Calls != 0 || r.Spent.In != 0 {
		t.Errorf("a count was taken for a call: %s", raw)
	}
	// Without a session there is only the number.
	raw = c.call("ctx/count", `{"exact":{"api":"vllm","baseUrl":"`+server.URL+`","request":{"messages":[]}}}`)
	if strings.Contains(string(raw), "reading") {
		t.Errorf("%s", raw)
	}
}

func TestAnExactCountThatCannotBeAsked(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "")
	c := start(t, newTestServer(t, Options{Engine: using(&coreEngine{core: api.New()})}))
	request := `"request":{"model":"m","messages":[]}`
	for params, says := range map[string]string{
		`{"exact":{"api":"anthropic",` + request + `}}`:                                        "no key",
		`{"exact":{"api":"groq",` + request + `}}`:                                             "no provider that counts",
		`{"exact":{"api":"vllm",` + request + `,"sesion":"x"}}`:                                "sesion",
		`{"exact":{"api":"vllm",` + request + `,"session":"nobody"}}`:                          "There is no session",
		`{"exact":{"api":"vllm","request":[]}}`:                                                "not a JSON object",
		`{"exact":{"api":5}}`:                                                                  "strings",
		`{"exact":[]}`:                                                                         "could not be read",
		`{"exact":{"api":"vllm",` + request + `},"text":"x"}`:                                  "stands alone",
		`{"exact":{"api":"vllm",` + request + `,"baseUrl":"https://example.com"}}`:             "on this machine",
		`{"exact":{"api":"anthropic",` + request + `,"baseUrl":"http://127.0.0.1:1"}}`:         "on this machine",
		`{"exact":{"api":"ollama",` + request + `,"baseUrl":"http://127.0.0.1.example.com"}}`:  "on this machine",
		`{"exact":{"api":"vllm",` + request + `,"baseUrl":"http://127.0.0.1:1"}}`:              "cannot be reached",
		`{"exact":{"api":"vllm",` + request + `,"baseUrl":"http://127.0.0.1:1","through":-1}}`: "negative",
	} {
		m := c.ask("ctx/count", params)
		if m.Error == nil || !strings.Contains(m.Error.Message, says) || !strings.HasSuffix(m.Error.Message, ".") {
			t.Errorf("%s: %+v", params, m.Error)
		}
	}
	// An ordinary count still goes to the engine.
	if m := c.ask("ctx/count", `{"exact":null,"text":""}`); m.Error != nil || !strings.Contains(string(m.Result), `"tokens":0`) {
		t.Errorf("%s %+v", m.Result, m.Error)
	}
}
