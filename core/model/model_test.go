// Copyright The ctx-lsp authors. MIT licence.

package model

import (
	"bytes"
	"compress/flate"
	stdjson "encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestTheNewestModelsHaveTheirThreeLimits(t *testing.T) {
	for _, c := range []struct {
		id                    string
		window, input, output int64
		sharing, family       string
		reasoning             Reasoning
	}{
		{"claude-opus-5-5", 1000000, 1000000, 128000, "shared", "claude-v5", ReasoningAlways},
		{"claude-fable-5-2", 1000000, 1000000, 128000, "shared", "claude-v47", ReasoningAlways},
		{"claude-sonnet-5-5", 1000000, 1000000, 128000, "shared", "claude-v47", ReasoningAlways},
		{"claude-haiku-5-5", 1000000, 1000000, 128000, "shared", "claude-v5", ReasoningAlways},
		{"claude-opus-4-7", 1000000, 1000000, 128000, "shared", "claude-v47", ReasoningAlways},
		{"claude-opus-4-5", 200000, 200000, 64000, "shared", "claude-v3", ReasoningAlways},
		{"claude-sonnet-4-5", 200000, 200000, 64000, "shared", "claude-v3", ReasoningTurn},
		{"claude-haiku-4-5", 200000, 200000, 64000, "shared", "claude-v3", ReasoningTurn},
		{"claude-opus-4-1", 200000, 200000, 32000, "shared", "claude-v3", ReasoningTurn},
		{"gpt-5", 400000, 272000, 128000, "shared", "o200k", ReasoningTurn},
		{"gpt-5.5", 1050000, 922000, 128000, "shared", "o200k", ReasoningTurn},
		{"gpt-5.6", 1050000, 922000, 128000, "shared", "o200k", ReasoningAlways},
		{"gpt-6-astra", 1050000, 922000, 128000, "shared", "o200k", ReasoningAlways},
		{"gpt-6-sol", 1050000, 922000, 128000, "shared", "o200k", ReasoningAlways},
		{"gpt-6-luna", 1050000, 922000, 128000, "shared", "o200k", ReasoningAlways},
		{"gpt-6.1-sol", 1050000, 922000, 128000, "shared", "o200k", ReasoningAlways},
		{"gpt-6.1-terra", 1050000, 922000, 128000, "shared", "o200k", ReasoningAlways},
		{"gpt-4o", 128000, 128000, 16384, "shared", "o200k", ReasoningNever},
		{"gemini-3.8-flash", 1048576, 1048576, 65536, "separate", "gemini-4", ReasoningNever},
		{"gemini-4-argon", 1048576, 1048576, 32768, "separate", "gemini-4", ReasoningNever},
		{"gemini-2.5-pro", 1048576, 1048576, 65536, "separate", "gemini", ReasoningNever},
		{"grok-4.7", 500000, 500000, 500000, "shared", "grok", ReasoningTurn},
		{"deepseek-flash", 1000000, 1000000, 384000, "shared", "deepseek-v3", ReasoningAlways},
		{"glm-5.3", 1000000, 1000000, 131072, "shared", "glm5", ReasoningAlways},
		{"kimi-k3", 1048576, 1048576, 1048576, "shared", "kimi-k2", ReasoningAlways},
		{"kimi-k3.1-pro", 1048576, 1048576, 1048576, "shared", "kimi-k2", ReasoningAlways},
		{"qwen3.8-max", 1000000, 1000000, 131072, "shared", "qwen3", ReasoningTurn},
	} {
		m, ok := Find(c.id, "", "")
		if !ok {
			t.Errorf("%s is not known", c.id)
			continue
		}
		if m.ID != c.id || m.Window != c.window || m.Input != c.input || m.Output != c.output || m.Sharing() != c.sharing || m.Family != c.family || m.Reasoning != c.reasoning {
			t.Errorf("%s: %s %d/%d/%d %s %s %s", c.id, m.ID, m.Window, m.Input, m.Output, m.Sharing(), m.Family, m.Reasoning)
		}
	}
}

func TestIdsAreFoundHoweverTheyAreDecorated(t *testing.T) {
	for id, want := range map[string]string{
		"claude-opus-4-5":                                  "claude-opus-4-5",
		"claude-opus-4.5":                                  "claude-opus-4-5",
		"Claude-Opus-4.5":                                  "claude-opus-4-5",
		"claude-opus-4-5-20251101":                         "claude-opus-4-5",
		"anthropic/claude-opus-4.5":                        "claude-opus-4-5",
		"openrouter/anthropic/claude-opus-4.5":             "claude-opus-4-5",
		"anthropic/claude-opus-4.5:thinking":               "claude-opus-4-5",
		"us.anthropic.claude-opus-4-5-20251101-v1:0":       "claude-opus-4-5",
		"anthropic.claude-opus-4-5-20251101-v1:0":          "claude-opus-4-5",
		"global.anthropic.claude-opus-4-5-20251101-v1:0":   "claude-opus-4-5",
		"apac.anthropic.claude-sonnet-4-20250514-v1:0":     "claude-sonnet-4",
		"anthropic.claude-3-5-sonnet-20241022-v2:0":        "claude-3-5-sonnet-20241022",
		"regional.anthropic.claude-opus-4-5-20251101-v1:0": "claude-opus-4-5",
		"us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5",
		"in.anthropic.claude-opus-4-5":                     "claude-opus-4-5",
		"azure-openai-gpt-4o":                              "gpt-4o",
		"us.deepseek.r1-v1:0":                              "deepseek-r1",
		"gpt-5.1-codex-max":                                "gpt-5.1-codex",
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-5-20251101-v1:0": "claude-opus-4-5",
		"claude-opus-4-5@20251101":                      "claude-opus-4-5",
		"claude-sonnet-4-5@default":                     "claude-sonnet-4-5",
		"publishers/anthropic/models/claude-sonnet-4-5": "claude-sonnet-4-5",
		"claude-sonnet-4-5[1m]":                         "claude-sonnet-4-5",
		"anthropic/claude-sonnet-4.5[1m]":               "claude-sonnet-4-5",
		"claude-sonnet-4-5-20250929[1m]":                "claude-sonnet-4-5",
		"gpt-5.5":                                       "gpt-5.5",
		"gpt-5.5-2026-04-23":                            "gpt-5.5",
		"openai/gpt-5.5":                                "gpt-5.5",
		"azure/gpt-5.5":                                 "gpt-5.5",
		"github-copilot/gpt-5.5":                        "gpt-5.5",
		"gpt-5.5-high":                                  "gpt-5.5",
		"gpt-5.5-xhigh":                                 "gpt-5.5",
		"gpt-4o-2024-08-06":                             "gpt-4o",
		"gpt-oss:120b":                                  "gpt-oss-120b",
		"openai/gpt-oss-120b:free":                      "gpt-oss-120b",
		"openai.gpt-oss-120b-1:0":                       "gpt-oss-120b",
		"models/gemini-3.8-flash":                       "gemini-3.8-flash",
		"google/gemini-3.8-flash":                       "gemini-3.8-flash",
		"x-ai/grok-4.7":                                 "grok-4.7",
		"accounts/fireworks/models/kimi-k3":             "kimi-k3",
		"accounts/fireworks/models/glm-5p3":             "glm-5.3",
		"@cf/zai-org/glm-5.3":                           "glm-5.3",
		"z-ai/glm-5.3":                                  "glm-5.3",
		"moonshotai/Kimi-K3":                            "kimi-k3",
		"deepseek-ai/DeepSeek-V4-Pro":                   "deepseek-v4-pro",
		" gpt-5.5 ":                                     "gpt-5.5",
	} {
		m, ok := Find(id, "", "")
		if !ok || m.ID != want {
			t.Errorf("%q found %q, %v; want %q", id, m.ID, ok, want)
		}
	}
}

func TestAnIdThatNamesNothingIsNotGuessed(t *testing.T) {
	for _, id := range []string{
		"", " ", "claude", "gpt", "gemini", "my-finetune", "claude-opus-9-9", "gpt-5.5-turbo-ultra", "gpt-99", "/", ":", "@", "[1m]", "-latest", "-thinking",
		"opus", "anthropic/", "latest", strings.Repeat("claude-opus-4-5", 100), "\x00", "ft:gpt-4o:acme::abc123x",
	} {
		if m, ok := Find(id, "", ""); ok {
			t.Errorf("%q found %q", id, m.ID)
		}
	}
}

func TestAMillionMarkWidensTheWindow(t *testing.T) {
	for _, id := range []string{"claude-sonnet-4-5[1m]", "claude-sonnet-4-5[1M]", "claude-sonnet-4-5-1m"} {
		if m, ok := Find(id, "", ""); !ok || m.Window != 1000000 || m.Input != 1000000 || m.Output != 64000 {
			t.Errorf("%s: %v %d/%d/%d", id, ok, m.Window, m.Input, m.Output)
		}
	}
	if m, _ := Find("claude-opus-5-5[1m]", "", ""); m.Window != 1000000 {
		t.Errorf("a window of a million became %d", m.Window)
	}
}

func TestAProviderMayHaveItsOwnLimits(t *testing.T) {
	for _, c := range []struct {
		id, provider  string
		window, input int64
		from          string
	}{
		{"gpt-6-sol", "", 1050000, 922000, "openai"},
		{"gpt-6-sol", "openai-codex", 272000, 272000, "openai-codex"},
		{"gpt-6-sol", "codex", 272000, 272000, "openai-codex"},
		{"openai-codex/gpt-6-sol", "", 272000, 272000, "openai-codex"},
		{"grok-4.7", "github-copilot", 500000, 372000, "github-copilot"},
		{"grok-4.7", "copilot", 500000, 372000, "github-copilot"},
		{"gpt-6-sol", "openrouter", 1050000, 922000, "openai"},
		{"gpt-6-sol", "a-reseller", 1050000, 922000, "openai"},
	} {
		m, ok := Find(c.id, c.provider, "")
		if !ok || m.Window != c.window || m.Input != c.input || m.Provider != c.from {
			t.Errorf("%s at %q: %v %d/%d of %s", c.id, c.provider, ok, m.Window, m.Input, m.Provider)
		}
	}
}

func TestReasoningDependsOnTheRoute(t *testing.T) {
	for _, c := range []struct {
		id, provider, route string
		want                Reasoning
	}{
		{"gpt-5.5", "openai", "responses", ReasoningTurn},
		{"gpt-5.5", "openai", "", ReasoningTurn},
		{"gpt-5.5", "openai", "chat", ReasoningNever},
		{"gpt-5.5", "github-copilot", "", ReasoningNever},
		{"gpt-5.6", "openai", "responses", ReasoningAlways},
		{"gpt-5.6", "openai", "chat", ReasoningNever},
		{"claude-opus-4-5", "anthropic", "messages", ReasoningAlways},
		{"claude-opus-4-5", "openrouter", "chat", ReasoningNever},
		{"claude-sonnet-4-5", "anthropic", "", ReasoningTurn},
		{"claude-3-5-sonnet", "anthropic", "", ReasoningNever},
		{"gemini-3.8-flash", "google", "", ReasoningNever},
		{"grok-4.7", "xai", "chat", ReasoningNever},
		{"grok-4.7", "xai", "responses", ReasoningTurn},
		{"glm-5.3", "zai", "", ReasoningTurn},
		{"glm-5.3", "zai-coding-plan", "", ReasoningAlways},
		{"glm-5.3", "opencode", "", ReasoningAlways},
		{"kimi-k2.6", "moonshotai", "", ReasoningTurn},
		{"kimi-k3", "moonshotai", "chat", ReasoningAlways},
		{"deepseek-flash", "deepseek", "chat", ReasoningAlways},
		{"gpt-oss-120b", "groq", "chat", ReasoningTurn},
	} {
		m, ok := Find(c.id, c.provider, c.route)
		if !ok || m.Reasoning != c.want {
			t.Errorf("%s at %s by %q: %v %s, want %s", c.id, c.provider, c.route, ok, m.Reasoning, c.want)
		}
	}
}

var families = map[string]bool{
	"": true, "o200k": true, "o200k-harmony": true, "cl100k": true, "claude-v3": true, "claude-v47": true, "claude-v5": true,
	"gemini": true, "gemini-4": true, "gemma3": true, "gemma4": true, "grok": true, "deepseek-v3": true, "glm4": true, "glm5": true, "kimi-k2": true,
	"qwen2": true, "qwen3": true, "minimax": true, "mimo": true, "mistral": true, "llama3": true, "llama4": true, "cohere": true,
}

func TestEveryEntryOfTheTableMakesSense(t *testing.T) {
	if Len() < 900 {
		t.Fatalf("only %d models", Len())
	}
	previous := ""
	for i := range Len() {
		m := At(i)
		key := Key(m.ID)
		if key <= previous {
			t.Errorf("%s comes after %s", m.ID, previous)
		}
		previous = key
		if found, ok := Find(m.ID, m.Provider, ""); !ok || found.ID != m.ID {
			t.Errorf("%s is not found by its own id: %v %s", m.ID, ok, found.ID)
		}
		seen := map[string]bool{}
		Variants(i, func(v Model) {
			if v.Window < 1000 || v.Window > 20_000_000 || v.Input <= 0 || v.Input > v.Window || v.Output < 0 || v.Output > v.Window {
				t.Errorf("%s at %q: %d/%d/%d", v.ID, v.Provider, v.Window, v.Input, v.Output)
			}
			if !families[v.Family] {
				t.Errorf("%s: family %q", v.ID, v.Family)
			}
			if v.Source == "" || len(v.Date) != 10 || v.Date < "2026-01-01" {
				t.Errorf("%s at %q: source %q of %q", v.ID, v.Provider, v.Source, v.Date)
			}
			if v.Provider != Provider(v.Provider) {
				t.Errorf("%s: provider %q is an alias", v.ID, v.Provider)
			}
			if seen[v.Provider] {
				t.Errorf("%s: %q twice", v.ID, v.Provider)
			}
			seen[v.Provider] = true
			if v.Estimate.Read.O200k == 0 || v.Estimate.Density == 0 || v.Framing.OneResult == 0 {
				t.Errorf("%s: no estimator or framing for %q", v.ID, v.Family)
			}
		})
	}
}

func TestTheTableIsSmall(t *testing.T) {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	w.Write([]byte(blob))
	w.Close()
	if b.Len() > 60_000 {
		t.Errorf("%d bytes compressed", b.Len())
	}
}

// The report under review must match the table.
func TestTheConflictReportIsTheTables(t *testing.T) {
	text, err := os.ReadFile("conflicts.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || !strings.Contains(cells[2], "/") {
			continue
		}
		rows++
		id, provider := strings.TrimPrefix(cells[0], "| "), cells[1]
		m, ok := Find(id, provider, "")
		output := fmt.Sprint(m.Output)
		if m.Output == 0 {
			output = "-"
		}
		if got := fmt.Sprintf("%d/%d/%s", m.Window, m.Input, output); !ok || got != cells[2] {
			t.Errorf("%s at %s: table %s, report %s", id, provider, got, cells[2])
		}
		if !strings.Contains(cells[3], fmt.Sprint(m.Window)) && !strings.Contains(m.Source, " ") {
			t.Errorf("%s at %s: nobody said %d: %s", id, provider, m.Window, cells[3])
		}
	}
	if rows < 20 {
		t.Errorf("%d conflicts in the report", rows)
	}
}

// Every override must be in the table, with its source.
func TestOverridesAreInTheTable(t *testing.T) {
	text, err := os.ReadFile("overrides.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Overrides []struct {
			Match, Provider, Source, Date string
			Window, Input, Output         int64
		}
	}
	if err := stdjson.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, o := range file.Overrides {
		before, after, star := strings.Cut(Key(o.Match), "*")
		hits := 0
		for i := range Len() {
			key := Key(At(i).ID)
			if key != before && !(star && len(key) >= len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)) {
				continue
			}
			m := At(i)
			if m.Source != o.Source {
				continue // replaced by a later override
			}
			hits++
			if m.Window != o.Window || m.Input != o.Input || m.Output != o.Output || m.Date != o.Date || m.Provider != o.Provider {
				t.Errorf("%s: %+v, override %+v", m.ID, m, o)
			}
		}
		// A model whose limits equal those of the model it is named after is found through that one.
		if m, ok := Find(o.Match, o.Provider, ""); ok && m.Window == o.Window && m.Input == o.Input && m.Output == o.Output {
			hits++
		}
		if hits == 0 {
			t.Errorf("no model has the override %s", o.Match)
		}
	}
}

func TestProviderNames(t *testing.T) {
	for name, want := range map[string]string{
		"gemini": "google", "Vertex": "google-vertex", "bedrock": "amazon-bedrock", "azure": "azure", "openai": "openai", "Copilot": "github-copilot",
		"moonshot": "moonshotai", "z.ai": "zai", "x-ai": "xai", "unheard-of": "unheard-of", "": "", "Zen": "opencode", "anthropic.messages": "anthropic", "vertex.anthropic.messages": "google-vertex", "openai.chat": "openai", "llama.cpp": "llama.cpp", "x.ai": "xai",
		"google.generative-ai": "google", "aws.bedrock": "amazon-bedrock", "a.b": "a.b",
	} {
		if got := Provider(name); got != want {
			t.Errorf("%q became %q", name, got)
		}
	}
}

func TestAUsersOwnModelsComeFirst(t *testing.T) {
	var r Registry
	v, err := json.Parse([]byte(`{"models":[
		{"id":"big-pickle","window":200000,"output":32000,"family":"glm5","reasoning":"always"},
		{"id":"gpt-5.5","provider":"azure","window":300000,"input":200000},
		{"id":"local/qwen3-coder:30b","window":32768,"reasoning":"never"},
		{"id":"x","window":"big"},
		{"id":"x","windw":5},
		{"window":5},
		{"id":"y"},
		{"id":"z","window":10,"input":20},
		7]}`))
	if err != nil {
		t.Fatal(err)
	}
	complaints := r.Add(v)
	if len(complaints) != 6 {
		t.Errorf("%d complaints: %q", len(complaints), complaints)
	}
	for i, want := range []string{"window", "windw", "id", "neither", "larger", "a number"} {
		if i < len(complaints) && !strings.Contains(complaints[i], want) {
			t.Errorf("complaint %q does not say %q", complaints[i], want)
		}
	}
	if m, ok := r.Find("opencode/big-pickle", "", ""); !ok || m.Window != 200000 || m.Input != 200000 || m.Output != 32000 || m.Reasoning != ReasoningAlways || m.Source != OwnSource || !m.Shared {
		t.Errorf("%v %+v", ok, m)
	}
	if m, ok := r.Find("gpt-5.5", "azure", "chat"); !ok || m.Input != 200000 || m.Encoding != "o200k_base" || m.Reasoning != ReasoningNever {
		t.Errorf("%v %+v", ok, m)
	}
	if m, ok := r.Find("gpt-5.5", "openai", ""); !ok || m.Input != 922000 {
		t.Errorf("%v %+v", ok, m)
	}
	if m, ok := r.Find("qwen3-coder:30b", "ollama", ""); !ok || m.Window != 32768 {
		t.Errorf("%v %+v", ok, m)
	}
	if complaints := r.Add(json.Value{}); len(complaints) != 1 {
		t.Errorf("%q", complaints)
	}
	var names []string
	r.Own(func(m Model) { names = append(names, m.ID) })
	sort.Strings(names)
	if strings.Join(names, " ") != "big-pickle gpt-5.5 local/qwen3-coder:30b" {
		t.Error(names)
	}
}

func TestAnUnreadableTableKnowsNothing(t *testing.T) {
	empty := open("not a table")
	if _, ok := empty.find("gpt-5.5", "", ""); ok || empty.len() != 0 {
		t.Error("a model was found in nothing")
	}
}

func TestResultsOfAStep(t *testing.T) {
	claude, _ := Find("claude-opus-4-8", "", "")
	openai, _ := Find("gpt-5.5", "", "responses")
	for n, want := range map[int64][2]int64{0: {0, 0}, 1: {5, 9}, 2: {56, 16}, 3: {81, 23}} {
		if got := [2]int64{claude.Framing.Results(n), openai.Framing.Results(n)}; got != want {
			t.Errorf("%d results: %v, want %v", n, got, want)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Find("us.anthropic.claude-opus-4-5-20251101-v1:0", "bedrock", "")
	}
}

func TestTheLargerWindowOfAModelIsThatOfARequestOrAnotherProvider(t *testing.T) {
	for id, want := range map[string]int64{"claude-sonnet-4-5": million, "claude-sonnet-4-5[1m]": 0, "claude-opus-4-8": 0} {
		m, ok := Find(id, "", "")
		if !ok {
			t.Fatalf("%s is not known", id)
		}
		if wide, larger := Larger(m); larger != (want > 0) || larger && wide.Window != want {
			t.Errorf("%s of %d: %d, %v", id, m.Window, wide.Window, larger)
		}
	}
	for i := range Len() {
		m := At(i)
		if wide, larger := Larger(m); larger && wide.Window <= m.Window {
			t.Errorf("%s of %d has a larger window of %d", m.ID, m.Window, wide.Window)
		}
	}
}
