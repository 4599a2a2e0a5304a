// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const key = "sk-test-0123456789abcdefghij"

// variables returns an environment for one test.
func variables(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

var everyKey = variables("ANTHROPIC_API_KEY", key, "OPENAI_API_KEY", key, "GEMINI_API_KEY", key, "GOOGLE_ACCESS_TOKEN", key, "GOOGLE_CLOUD_PROJECT", "p1",
	"GOOGLE_CLOUD_LOCATION", "europe-west1", "AWS_BEARER_TOKEN_BEDROCK", key, "AWS_REGION", "us-east-1", "COHERE_API_KEY", key, "XAI_API_KEY", key,
	"MOONSHOT_API_KEY", key, "ZAI_API_KEY", key, "VLLM_API_KEY", key, "LLAMA_API_KEY", key)

// exchange is one expected request and its response.
type exchange struct {
	path    string
	headers map[string]string
	body    string // JSON; "" for none
	answer  string
}

// serve sends the responses in order and reports unexpected requests.
func serve(t *testing.T, exchanges ...exchange) (string, *int32) {
	var served int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(atomic.AddInt32(&served, 1))
		if n > len(exchanges) {
			t.Errorf("an unexpected request to %s", r.URL)
			http.Error(w, "{}", 500)
			return
		}
		want := exchanges[n-1]
		if got := r.URL.RequestURI(); got != want.path {
			t.Errorf("the request went to %s, want %s", got, want.path)
		}
		for name, value := range want.headers {
			if got := r.Header.Get(name); got != value {
				t.Errorf("%s: header %s is %q, want %q", want.path, name, got, value)
			}
		}
		sent, _ := io.ReadAll(r.Body)
		if want.body != "" {
			var a, b any
			json.Unmarshal(sent, &a)
			json.Unmarshal([]byte(want.body), &b)
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: body\n got %s\nwant %s", want.path, sent, want.body)
			}
		}
		fmt.Fprint(w, want.answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, &served
}

func TestEveryProviderAnswersAsDocumented(t *testing.T) {
	authorization := map[string]string{"Authorization": "Bearer " + key}
	converse := `{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"system":[{"text":"S"}],"inferenceConfig":{"maxTokens":5}}`
	for _, c := range []struct {
		name, api, model, request string
		exchanges                 []exchange
		want                      Result
	}{
		{
			"Anthropic", "anthropic", "claude-opus-5-5", `{"model":"other","max_tokens":100,"stream":true,"temperature":1,"system":"S","tools":[{"name":"t"}],"messages":[{"role":"user","content":"Hi"}]}`,
			[]exchange{{
				"/v1/messages/count_tokens",
				map[string]string{"x-api-key": key, "anthropic-version": "2023-06-01", "Content-Type": "application/json"},
				`{"model":"claude-opus-5-5","system":"S","tools":[{"name":"t"}],"messages":[{"role":"user","content":"Hi"}]}`, `{"input_tokens":2095}`,
			}},
			Result{API: "anthropic", Model: "claude-opus-5-5", Tokens: 2095, Basis: "measured"},
		},
		{
			"Anthropic with context editing", "claude", "", `{"model":"claude-opus-5","messages":[],"context_management":{"edits":[]}}`,
			[]exchange{{
				"/v1/messages/count_tokens?beta=true",
				map[string]string{"anthropic-beta": "context-management-2025-06-27"},
				`{"model":"claude-opus-5","messages":[],"context_management":{"edits":[]}}`, `{"input_tokens":25000,"context_management":{"original_input_tokens":70000}}`,
			}},
			Result{API: "anthropic", Model: "claude-opus-5", Tokens: 25000, Original: 70000, Basis: "measured"},
		},
		{
			"OpenAI", "openai", "gpt-5.5", `{"input":"Hi","instructions":"S","max_output_tokens":5,"stream":true,"tools":[]}`,
			[]exchange{{"/responses/input_tokens", authorization, `{"model":"gpt-5.5","input":"Hi","instructions":"S","tools":[]}`, `{"object":"response.input_tokens","input_tokens":11}`}},
			Result{API: "openai", Model: "gpt-5.5", Tokens: 11, Basis: "measured"},
		},
		{
			"OpenAI, a chat request", "openai", "", `{"model":"gpt-5.5","messages":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"data:x","detail":"low"}}]},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"a b"}],"tools":[{"type":"function","function":{"name":"ls","parameters":{}}}]}`,
			[]exchange{{"/responses/input_tokens", authorization, `{"model":"gpt-5.5","input":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"input_text","text":"Hi"},{"type":"input_image","image_url":"data:x","detail":"low"}]},{"type":"function_call","call_id":"c1","name":"ls","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"a b"}],"tools":[{"type":"function","name":"ls","parameters":{}}]}`, `{"object":"response.input_tokens","input_tokens":88}`}},
			Result{API: "openai", Model: "gpt-5.5", Tokens: 88, Basis: "measured", Note: "a chat request, counted as the same conversation in the Responses API"},
		},
		{
			"Gemini, with the system and the tools", "gemini", "gemini-3.8-flash", `{"contents":[{"parts":[{"text":"Hi"}]}],"systemInstruction":{"parts":[{"text":"S"}]},"tools":[{}]}`,
			[]exchange{{
				"/v1beta/models/gemini-3.8-flash:countTokens",
				map[string]string{"x-goog-api-key": key, "Authorization": ""},
				`{"generateContentRequest":{"model":"models/gemini-3.8-flash","contents":[{"parts":[{"text":"Hi"}]}],"systemInstruction":{"parts":[{"text":"S"}]},"tools":[{}]}}`, `{"totalTokens":31,"cachedContentTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":31}]}`,
			}},
			Result{API: "google", Model: "gemini-3.8-flash", Tokens: 31, Cached: 5, Basis: "measured", Note: "thought signatures are not counted"},
		},
		{
			"Vertex", "vertex", "gemini-3.8-flash", `{"contents":[]}`,
			[]exchange{{"/v1/projects/p1/locations/europe-west1/publishers/google/models/gemini-3.8-flash:countTokens", authorization, `{"contents":[]}`, `{"totalTokens":3,"totalBillableCharacters":9}`}},
			Result{API: "google-vertex", Model: "gemini-3.8-flash", Tokens: 3, Basis: "measured", Note: "thought signatures are not counted"},
		},
		{
			"Claude on Vertex", "google-vertex", "claude-opus-5", `{"messages":[],"max_tokens":4}`,
			[]exchange{{"/v1/projects/p1/locations/europe-west1/publishers/anthropic/models/count-tokens:rawPredict", authorization, `{"messages":[],"model":"claude-opus-5","anthropic_version":"vertex-2023-10-16"}`, `{"input_tokens":8}`}},
			Result{API: "google-vertex", Model: "claude-opus-5", Tokens: 8, Basis: "measured"},
		},
		{
			"Bedrock, Converse", "bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0", converse,
			[]exchange{{"/model/us.anthropic.claude-opus-4-5-20251101-v1%3A0/count-tokens", authorization, `{"input":{"converse":{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"system":[{"text":"S"}]}}}`, `{"inputTokens":15}`}},
			Result{API: "amazon-bedrock", Model: "us.anthropic.claude-opus-4-5-20251101-v1:0", Tokens: 15, Basis: "measured"},
		},
		{
			"Bedrock, InvokeModel", "bedrock", "m", `{"anthropic_version":"bedrock-2023-05-31","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}`,
			[]exchange{{"/model/m/count-tokens", authorization, `{"input":{"invokeModel":{"body":"` + base64.StdEncoding.EncodeToString([]byte(`{"anthropic_version":"bedrock-2023-05-31","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}`)) + `"}}}`, `{"inputTokens":15}`}},
			Result{API: "amazon-bedrock", Model: "m", Tokens: 15, Basis: "measured"},
		},
		{
			"vLLM, with the window", "vllm", "", `{"model":"qwen","messages":[{"role":"user","content":"Hi"}],"tools":[{}],"max_tokens":5}`,
			[]exchange{{"/tokenize", authorization, `{"model":"qwen","messages":[{"role":"user","content":"Hi"}],"tools":[{}]}`, `{"count":4,"max_model_len":131072,"tokens":[1,2,3,4],"token_strs":null}`}},
			Result{API: "vllm", Model: "qwen", Tokens: 4, Window: 131072, Basis: "measured"},
		},
		{
			"llama.cpp, by its template", "llama-server", "", `{"messages":[{"role":"user","content":"Hi"}],"temperature":0}`,
			[]exchange{
				{"/apply-template", authorization, `{"messages":[{"role":"user","content":"Hi"}]}`, `{"prompt":"<|user|>Hi"}`},
				{"/tokenize", authorization, `{"content":"<|user|>Hi","add_special":false,"parse_special":true}`, `{"tokens":[5,6,7]}`},
				{"/props", authorization, "", `{"default_generation_settings":{"n_ctx":8192},"total_slots":1}`},
			},
			Result{API: "llama.cpp", Tokens: 3, Window: 8192, Basis: "measured"},
		},
		{
			"Ollama", "ollama", "qwen3", `{"messages":[{"role":"user","content":"Hi"}],"options":{"num_ctx":4096,"num_predict":500}}`,
			[]exchange{{"/api/chat", nil, `{"model":"qwen3","messages":[{"role":"user","content":"Hi"}],"stream":false,"options":{"num_ctx":4096,"num_predict":1}}`, `{"done":true,"prompt_eval_count":26,"eval_count":1}`}},
			Result{API: "ollama", Model: "qwen3", Tokens: 26, Basis: "measured", Note: "a prompt longer than num_ctx is cut before it is counted"},
		},
		{
			"xAI counts text only", "xai", "grok-4.7", `{"messages":[{"role":"user","content":"Hi"}]}`,
			[]exchange{{"/tokenize-text", authorization, `{"model":"grok-4.7","text":"Hi\n"}`, `{"token_ids":[{"token_id":1,"string_token":"Hi","token_bytes":[72,105]}]}`}},
			Result{API: "xai", Model: "grok-4.7", Tokens: 1, Basis: "estimated", Note: textOnly},
		},
		{
			"Moonshot", "kimi", "kimi-k3", `{"messages":[{"role":"user","content":"Hi"}]}`,
			[]exchange{{"/tokenizers/estimate-token-count", authorization, `{"model":"kimi-k3","messages":[{"role":"user","content":"Hi"}]}`, `{"data":{"total_tokens":80}}`}},
			Result{API: "moonshotai", Model: "kimi-k3", Tokens: 80, Basis: "measured"},
		},
		{
			"Z.AI", "z.ai", "glm-5.3", `{"messages":[{"role":"user","content":"Hi"}]}`,
			[]exchange{{"/tokenizer", authorization, `{"model":"glm-5.3","messages":[{"role":"user","content":"Hi"}]}`, `{"usage":{"prompt_tokens":7,"total_tokens":7}}`}},
			Result{API: "zai", Model: "glm-5.3", Tokens: 7, Basis: "measured"},
		},
		{
			"Cohere, in pieces", "cohere", "command-a", `{"messages":[{"role":"user","content":"` + strings.Repeat("ä", cohereMost+9) + `"}]}`,
			[]exchange{
				{"/v1/tokenize", authorization, `{"model":"command-a","text":"` + strings.Repeat("ä", cohereMost) + `"}`, `{"tokens":[1,2,3],"token_strings":[],"meta":{}}`},
				{"/v1/tokenize", authorization, `{"model":"command-a","text":"` + strings.Repeat("ä", 9) + `\n"}`, `{"tokens":[4],"token_strings":[]}`},
			},
			Result{API: "cohere", Model: "command-a", Tokens: 4, Basis: "estimated", Note: textOnly},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, served := serve(t, c.exchanges...)
			got, err := Count(context.Background(), Request{API: c.api, Model: c.model, BaseURL: address + "/", Body: json.RawMessage(c.request)}, Options{Getenv: everyKey})
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
			if int(*served) != len(c.exchanges) {
				t.Errorf("%d requests, want %d", *served, len(c.exchanges))
			}
		})
	}
}

const anthropicRequest = `{"model":"claude-opus-5","messages":[{"role":"user","content":"Hi"}]}`

func askAnthropic(address string, o Options) (Result, error) {
	if o.Getenv == nil {
		o.Getenv = everyKey
	}
	return Count(context.Background(), Request{API: "anthropic", BaseURL: address, Body: json.RawMessage(anthropicRequest)}, o)
}

// A key and the conversation are sent only to the requested host.
func TestARedirectGetsNoKey(t *testing.T) {
	var reached int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		atomic.AddInt32(&reached, 1)
		fmt.Fprint(w, `{"input_tokens":1}`)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL + "/v1/messages/count_tokens", "/elsewhere"} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/elsewhere" {
					atomic.AddInt32(&reached, 1)
				}
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			}))
			_, err := askAnthropic(server.URL, Options{})
			if err == nil || !strings.Contains(err.Error(), "redirect") {
				t.Errorf("%d to %s: %v", status, to, err)
			}
			server.Close()
		}
	}
	if reached != 0 {
		t.Errorf("%d redirects were followed", reached)
	}
}

// A client of the daemon may name a server on this machine, which may belong to any program.
func TestAnAddressThatTheUserHasNotNamedGetsNoKey(t *testing.T) {
	for _, name := range Names() {
		var sent []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent = append(sent, fmt.Sprint(r.Header, r.URL))
			fmt.Fprint(w, `{"count":3,"tokens":[1],"prompt":"x","prompt_eval_count":3}`)
		}))
		_, err := Count(context.Background(), Request{
			API: name, Model: "m", BaseURL: server.URL, Keyless: true,
			Body: []byte(`{"messages":[{"role":"user","content":"hi"}],"input":"hi","contents":[],"text":"hi"}`),
		}, Options{Getenv: everyKey, Attempts: 1})
		server.Close()
		if strings.Contains(fmt.Sprint(sent, err), key) {
			t.Errorf("%s: %v %v", name, sent, err)
		}
		if own := name == "vllm" || name == "llama.cpp" || name == "ollama"; own && (err != nil || len(sent) == 0) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABusyProviderIsAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name     string
		statuses []int
		after    string
		pauses   int
		ok       bool
		message  string
	}{
		{"one 429", []int{429, 200}, "", 1, true, ""},
		{"529 and 503", []int{529, 503, 200}, "", 2, true, ""},
		{"busy for good", []int{500, 500, 500, 500}, "", 3, false, "after 4 attempts"},
		{"not busy but wrong", []int{400}, "", 0, false, "rejected the request"},
		{"not built", []int{501}, "", 0, false, "HTTP 501"},
		{"it asks for too long a pause", []int{429}, "3600", 0, false, "wait 1h0m0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent, _ := io.ReadAll(r.Body)
				if !strings.Contains(string(sent), "claude-opus-5") {
					t.Errorf("attempt %d came without its body: %s", n, sent)
				}
				at := int(atomic.AddInt32(&n, 1)) - 1
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				w.WriteHeader(c.statuses[min(at, len(c.statuses)-1)])
				fmt.Fprint(w, `{"input_tokens":7,"error":{"message":"busy"}}`)
			}))
			defer server.Close()
			var pauses []time.Duration
			result, err := askAnthropic(server.URL, Options{Wait: func(_ context.Context, d time.Duration) error {
				pauses = append(pauses, d)
				return nil
			}})
			if (err == nil) != c.ok || c.ok && result.Tokens != 7 || err != nil && !strings.Contains(err.Error(), c.message) {
				t.Errorf("%+v, %v", result, err)
			}
			if len(pauses) != c.pauses || int(n) != len(c.statuses) {
				t.Errorf("%d pauses, %d requests", len(pauses), n)
			}
			for i := 1; i < len(pauses); i++ {
				if pauses[i] <= pauses[i-1] {
					t.Errorf("pauses do not grow: %v", pauses)
				}
			}
		})
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{"7": 7 * time.Second, now.Add(9 * time.Second).Format(http.TimeFormat): 9 * time.Second} {
		var n int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if atomic.AddInt32(&n, 1) == 1 {
				w.Header().Set("Retry-After", value)
				w.WriteHeader(429)
				return
			}
			fmt.Fprint(w, `{"input_tokens":7}`)
		}))
		var pause time.Duration
		_, err := askAnthropic(server.URL, Options{Now: func() time.Time { return now }, Wait: func(_ context.Context, d time.Duration) error {
			pause = d
			return nil
		}})
		if err != nil || pause != want {
			t.Errorf("%s: paused %s, %v", value, pause, err)
		}
		server.Close()
	}
}

func TestASlowAnswerEnds(t *testing.T) {
	release := make(chan struct{})
	for name, handler := range map[string]http.HandlerFunc{
		"silent":         func(w http.ResponseWriter, r *http.Request) { <-release },
		"slow in itself": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(200); w.(http.Flusher).Flush(); <-release },
	} {
		server := httptest.NewServer(handler)
		started := time.Now()
		_, err := askAnthropic(server.URL, Options{Timeout: 100 * time.Millisecond})
		if err == nil || !strings.Contains(err.Error(), "did not respond within 100ms") || time.Since(started) > 5*time.Second {
			t.Errorf("%s: after %s: %v", name, time.Since(started), err)
		}
		defer server.Close()
	}
	close(release)
}

func TestCancellingStopsThePause(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) }))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	started := time.Now()
	_, err := Count(ctx, Request{API: "anthropic", BaseURL: server.URL, Body: json.RawMessage(anthropicRequest)}, Options{Getenv: everyKey})
	if !errors.Is(err, context.Canceled) || time.Since(started) > 3*time.Second {
		t.Errorf("after %s: %v", time.Since(started), err)
	}
}

func TestErrorsHoldNoKey(t *testing.T) {
	for _, answer := range []string{
		`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key ` + key + `"}}`,
		`{"error":{"message":"Incorrect API key provided: ` + key[:8] + `***********` + key[len(key)-4:] + `."}}`,
		`{"error":"` + key + `\u001b[31m"}`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			fmt.Fprint(w, answer)
		}))
		_, err := askAnthropic(server.URL, Options{})
		if err == nil || !strings.Contains(err.Error(), "rejected the key (HTTP 401)") {
			t.Errorf("%v", err)
			continue
		}
		for _, part := range []string{key, key[:8], key[len(key)-4:], "\x1b"} {
			if strings.Contains(err.Error(), part) {
				t.Errorf("the error holds %q: %v", part, err)
			}
		}
		server.Close()
	}
}

func TestAnswersThatAreNoCounts(t *testing.T) {
	for answer, says := range map[string]string{
		``: "not the expected JSON", `<html>`: "not the expected JSON", `{}`: "no count", `{"input_tokens":-1}`: "no count", `{"input_tokens":null}`: "no count", `{"input_tokens":"5"}`: "not the expected JSON", `[]`: "not the expected JSON",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answer) }))
		if _, err := askAnthropic(server.URL, Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", answer, err)
		}
		server.Close()
	}
}

func TestRequestsThatCannotBeMade(t *testing.T) {
	for _, c := range []struct {
		name    string
		request Request
		env     func(string) string
		message string
	}{
		{"no such API", Request{API: "groq", Body: []byte(anthropicRequest)}, everyKey, "has no API for counting tokens"},
		{"no key", Request{API: "anthropic", Body: []byte(anthropicRequest)}, variables(), "no key: set ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY"},
		{"no environment", Request{API: "openai", Body: []byte(anthropicRequest)}, nil, "no key"},
		{"no object", Request{API: "anthropic", Body: []byte(`[]`)}, everyKey, "not a JSON object"},
		{"null", Request{API: "anthropic", Body: []byte(`null`)}, everyKey, "not a JSON object"},
		{"no model", Request{API: "anthropic", Body: []byte(`{"messages":[]}`)}, everyKey, "no model"},
		{"a key over http", Request{API: "anthropic", BaseURL: "http://example.com", Body: []byte(anthropicRequest)}, everyKey, "use https"},
		{"a password in the address", Request{API: "anthropic", BaseURL: "https://u:p@example.com", Body: []byte(anthropicRequest)}, everyKey, "user name or password"},
		{"no address at all", Request{API: "anthropic", BaseURL: "ftp://example.com", Body: []byte(anthropicRequest)}, everyKey, "https://host"},
		{"a server that is not there", Request{API: "vllm", BaseURL: "http://127.0.0.1:1", Body: []byte(`{"messages":[]}`)}, everyKey, "cannot be reached"},
		{"nothing to count", Request{API: "vllm", BaseURL: "http://127.0.0.1:1", Body: []byte(`{}`)}, everyKey, "neither messages nor a prompt"},
		{"Bedrock without a region", Request{API: "bedrock", Model: "m", Body: []byte(`{}`)}, variables("AWS_BEARER_TOKEN_BEDROCK", key), "AWS_REGION"},
	} {
		_, err := Count(context.Background(), c.request, Options{Getenv: c.env})
		if err == nil || !strings.Contains(err.Error(), c.message) || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestOllamaReportsACachedPrompt(t *testing.T) {
	address, _ := serve(t, exchange{"/api/generate", nil, `{"model":"m","prompt":"Hi","stream":false,"options":{"num_predict":1}}`, `{"done":true,"prompt_eval_count":1}`})
	_, err := Count(context.Background(), Request{API: "ollama", Model: "m", BaseURL: address, Body: []byte(`{"prompt":"Hi"}`)}, Options{Getenv: everyKey})
	if err == nil || !strings.Contains(err.Error(), "cache") {
		t.Error(err)
	}
}

func TestEveryAPINamesMissingSettings(t *testing.T) {
	for _, name := range Names() {
		if Needs(name) == "" {
			t.Errorf("%s does not", name)
		}
	}
	if Needs("groq") != "" {
		t.Error("groq has none")
	}
}

func TestTheDocumentationNamesEveryAPI(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range apis {
		if !strings.Contains(string(text), "`"+a.name+"`") {
			t.Errorf("docs/providers.md does not name %s", a.name)
		}
		for _, variable := range strings.FieldsFunc(a.summary, func(r rune) bool { return !(r == '_' || r >= 'A' && r <= 'Z') }) {
			if strings.Contains(variable, "_") && !strings.Contains(string(text), "`"+variable+"`") {
				t.Errorf("docs/providers.md does not name %s", variable)
			}
		}
	}
}
