// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// typed runs a command line at a terminal.
func typed(t *testing.T, stdin string, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &environment{
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(name string) string { return variables[name] },
		Dir: t.TempDir(), Now: time.Now, Columns: 80,
	}
	code = run(context.Background(), env, args)
	return code, out.String(), errs.String()
}

func modelsOf(t *testing.T, text string) []modelInfo {
	t.Helper()
	var answer struct{ Models []modelInfo }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return answer.Models
}

func TestModelsListsKnownModels(t *testing.T) {
	code, out, _ := typed(t, "", nil, "models", "gpt-5.5", "--json")
	list := modelsOf(t, out)
	if code != exitOK || len(list) < 2 || list[0].ID != "gpt-5.5" || *list[0].Window != 1050000 || *list[0].Input != 922000 || *list[0].Output != 128000 ||
		list[0].Sharing != "shared" || list[0].Encoding != "o200k_base" || list[0].Reasoning != "turn" || list[0].Source == "" || list[0].Date == "" {
		t.Errorf("%d %s", code, out)
	}
	code, out, _ = typed(t, "", nil, "models", "--json", "--provider", "copilot", "grok-4.7")
	if list = modelsOf(t, out); code != exitOK || *list[0].Input != 372000 || list[0].Provider != "github-copilot" || list[0].Reasoning != "never" {
		t.Errorf("%d %s", code, out)
	}
	code, out, _ = typed(t, "", nil, "models", "us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]")
	if code != exitOK || !strings.Contains(out, "1,000,000") || !strings.Contains(out, "claude-sonnet-4-5") {
		t.Errorf("%d %s", code, out)
	}
	code, out, _ = typed(t, "", nil, "models", "--json")
	if list = modelsOf(t, out); code != exitOK || len(list) < 900 {
		t.Errorf("%d models", len(list))
	}
	if code, out, errs := typed(t, "", nil, "models", "no-such-model"); code != exitError || out != "" || !strings.Contains(errs, "unknown model") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if code, out, _ := typed(t, "", nil, "models", "no-such-model", "--json"); code != exitError || strings.TrimSpace(out) != `{"schema":"ctx.models/1","models":[]}` {
		t.Errorf("%d %q", code, out)
	}
	if code, _, _ := typed(t, "", nil, "models", "a", "b"); code != exitUsage {
		t.Errorf("two queries: %d", code)
	}
	if code, _, errs := typed(t, "", nil, "models", "--providr", "x"); code != exitUsage || !strings.Contains(errs, "provider") {
		t.Errorf("%d %s", code, errs)
	}
	if _, out, _ := typed(t, "", nil, "models", "gpt-5.5", "--color", "never"); strings.Contains(out, "\x1b") {
		t.Error("colour was not asked for")
	}
}

func TestModelsTakesAFileOfOnesOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.json")
	os.WriteFile(file, []byte(`{"models":[{"id":"my-model","window":5000,"output":100,"reasoning":"never"},{"id":"bad"}]}`), 0o600)
	code, out, errs := typed(t, "", nil, "models", "my-model", "--json", "--model-file", file)
	list := modelsOf(t, out)
	if code != exitOK || len(list) != 1 || *list[0].Window != 5000 || list[0].Source != "your own file" || !strings.Contains(errs, "Model 2 was left out") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	for _, text := range []string{"", "{", "[1"} {
		os.WriteFile(file, []byte(text), 0o600)
		if code, _, errs := typed(t, "", nil, "models", "--model-file", file); code != exitError || !strings.Contains(errs, file) {
			t.Errorf("%q: %d %s", text, code, errs)
		}
	}
	if code, _, _ := typed(t, "", nil, "models", "--model-file", file+".not"); code != exitError {
		t.Error(code)
	}
}

func TestCountingByAProvider(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"count":26050,"max_model_len":100000}`)
	}))
	defer server.Close()
	ask := func(stdin string, o countAPIOptions) (int, string, string) {
		if o.budget == 0 {
			o.budget = -1
		}
		var out, errs bytes.Buffer
		env := &environment{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Now: time.Now}
		return runCountAPI(context.Background(), env, o), out.String(), errs.String()
	}
	code, out, errs := ask(`{"messages":[]}`, countAPIOptions{api: "vllm", model: "q", baseURL: server.URL})
	if code != exitOK || out != "26,050 tokens of 100,000 (26.05%)  q, by vllm\n" {
		t.Errorf("%d %q %q", code, out, errs)
	}
	code, out, _ = ask(`{"messages":[]}`, countAPIOptions{api: "vllm", baseURL: server.URL, json: true, file: "-"})
	if code != exitOK || strings.TrimSpace(out) != `{"api":"vllm","tokens":26050,"basis":"measured","window":100000}` {
		t.Errorf("%d %q", code, out)
	}
	if code, _, errs := ask(`{"messages":[]}`, countAPIOptions{api: "vllm", baseURL: server.URL, budget: 26049}); code != exitOver || !strings.Contains(errs, "exceed the budget of 26049") {
		t.Errorf("%d %q", code, errs)
	}
	code, out, errs = typed(t, `{"messages":[]}`, nil, "count", "--api", "vllm", "--base-url", server.URL, "--json")
	if code != exitOK || !strings.Contains(out, `"tokens":26050`) {
		t.Errorf("%d %q %q", code, out, errs)
	}
	if code, _, errs := typed(t, "", nil, "count", "--api", "vllm", "a.json", "b.json"); code != exitUsage {
		t.Errorf("%d %q", code, errs)
	}
	if code, _, errs := ask(`{}`, countAPIOptions{api: "groq"}); code != exitUsage || !strings.Contains(errs, "anthropic, openai") {
		t.Errorf("%d %q", code, errs)
	}
	if code, _, errs := ask(`{"model":"m","messages":[]}`, countAPIOptions{api: "anthropic"}); code != exitError || !strings.Contains(errs, "ANTHROPIC_API_KEY") {
		t.Errorf("%d %q", code, errs)
	}
	for _, text := range []string{"", "not json"} {
		if code, _, errs := ask(text, countAPIOptions{api: "vllm"}); code != exitError || !strings.Contains(errs, "not JSON") {
			t.Errorf("%q: %d %q", text, code, errs)
		}
	}
	if code, _, errs := ask("", countAPIOptions{api: "vllm", file: "/no/such/file"}); code != exitError || !strings.Contains(errs, "/no/such/file") {
		t.Errorf("%d %q", code, errs)
	}
}
