// Copyright The ctx-lsp authors. MIT licence.

// Package countapi asks a provider for the number of tokens of a request, only if the user requests it. It is the only
// part of ctx-lsp that uses a network for counting.
//
// Keys come from the environment and are sent in one header of one request to one host. No redirect is followed,
// nothing is logged, and no error contains a key.
package countapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// Request is the input: a provider's request body in the form that would be sent.
type Request struct {
	API     string          `json:"api"`               // one of anthropic, openai, gemini, vertex, bedrock, vllm, …
	Model   string          `json:"model,omitempty"`   // used instead of the model in the body
	BaseURL string          `json:"baseUrl,omitempty"` // used instead of the provider's own address
	Body    json.RawMessage `json:"request"`
	// Keyless is set if the address was not chosen by the user. In that case no key is sent.
	Keyless bool `json:"-"`
}

// Result is a provider's response.
type Result struct {
	API    string `json:"api"`
	Model  string `json:"model,omitempty"`
	Tokens int64  `json:"tokens"`
	// Basis is "measured", or "estimated" if the API counts text without the request's frame, which makes the number a
	// lower bound.
	Basis    string `json:"basis"`
	Window   int64  `json:"window,omitempty"`   // the window, if the response contains it
	Original int64  `json:"original,omitempty"` // before the provider's own context editing
	Cached   int64  `json:"cached,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Options control the request. The zero value is for a program run by a user, with the environment of Getenv.
type Options struct {
	Getenv    func(string) string
	Transport http.RoundTripper
	Timeout   time.Duration // for one attempt; 30 seconds if zero
	Attempts  int           // 4 if zero
	// Wait pauses between attempts; nil sleeps.
	Wait func(ctx context.Context, d time.Duration) error
	Now  func() time.Time
	// Retrying, if set, is called before each pause.
	Retrying func(status int, d time.Duration)
}

// An api is one provider's count API.
type api struct {
	name    string
	summary string // the variables that it needs, for the help
	count   func(ctx context.Context, c *call) (Result, error)
}

var apis = []api{
	{"anthropic", "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN", countAnthropic},
	{"openai", "OPENAI_API_KEY", countOpenAI},
	{"google", "GEMINI_API_KEY or GOOGLE_API_KEY", countGemini},
	{"google-vertex", "GOOGLE_ACCESS_TOKEN, GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION", countVertex},
	{"amazon-bedrock", "AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_REGION", countBedrock},
	{"vllm", "VLLM_BASE_URL; VLLM_API_KEY if it has one", countVLLM},
	{"llama.cpp", "LLAMA_CPP_BASE_URL; LLAMA_API_KEY if it has one", countLlamaCpp},
	{"ollama", "OLLAMA_HOST", countOllama},
	{"cohere", "COHERE_API_KEY or CO_API_KEY", countCohere},
	{"xai", "XAI_API_KEY", countXAI},
	{"moonshotai", "MOONSHOT_API_KEY", countMoonshot},
	{"zai", "ZAI_API_KEY or ZHIPU_API_KEY", countZAI},
}

// Names lists the providers that have a count API.
func Names() []string {
	var names []string
	for _, a := range apis {
		names = append(names, a.name)
	}
	return names
}

// Needs returns the environment variables that a provider's API reads, as a text.
func Needs(name string) string {
	for _, a := range apis {
		if a.name == model.Provider(name) {
			return a.summary
		}
	}
	return ""
}

// Count requests the number of tokens from the provider.
func Count(ctx context.Context, r Request, o Options) (Result, error) {
	name := model.Provider(r.API)
	at := slices.IndexFunc(apis, func(a api) bool { return a.name == name })
	if at < 0 {
		return Result{}, fmt.Errorf("%s has no API for counting tokens; these providers have one: %s", quoteName(r.API), strings.Join(Names(), ", "))
	}
	c := &call{options: o, keyless: r.Keyless, base: strings.TrimRight(r.BaseURL, "/")}
	body, err := readObject(r.Body)
	if err != nil {
		return Result{}, err
	}
	c.body = body
	c.model = r.Model
	if c.model == "" {
		c.model = text(body["model"])
	}
	result, err := apis[at].count(ctx, c)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	result.API, result.Model = name, c.model
	if result.Basis == "" {
		result.Basis = "measured"
	}
	return result, nil
}

func quoteName(name string) string {
	if len(name) > 40 {
		name = name[:40]
	}
	return fmt.Sprintf("%q", name)
}

// An object is a JSON object whose values are not parsed.
type object map[string]json.RawMessage

func readObject(raw json.RawMessage) (object, error) {
	var o object
	if err := json.Unmarshal(raw, &o); err != nil || o == nil {
		return nil, fmt.Errorf("the request is not a JSON object; expected the body that you would send to the provider")
	}
	return o, nil
}

// only returns a copy with the fields that an API accepts.
func (o object) only(names ...string) object {
	kept := object{}
	for _, name := range names {
		if v, ok := o[name]; ok && string(v) != "null" {
			kept[name] = v
		}
	}
	return kept
}

func (o object) has(name string) bool {
	v, ok := o[name]
	return ok && string(v) != "null"
}

func (o object) set(name string, v any) {
	raw, err := json.Marshal(v)
	if err == nil {
		o[name] = raw
	}
}

func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // a value that is not a string has no text
	return s
}
