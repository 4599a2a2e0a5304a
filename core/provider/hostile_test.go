// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A leaf is a number somewhere in a value, with a function to replace it.
type leaf struct {
	name string
	set  func(any)
	del  func()
	old  any
}

func leaves(v any, name string, out *[]leaf) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if n, ok := e.(stdjson.Number); ok {
				*out = append(*out, leaf{k, func(x any) { v[k] = x }, func() { delete(v, k) }, n})
			}
			leaves(e, k, out)
		}
	case []any:
		for _, e := range v {
			leaves(e, name, out)
		}
	}
}

// outputs returns the numbers of a Metered by name.
func outputs(m core.Metered) map[string]int64 {
	return map[string]int64{"in": m.In, "out": m.Out, "reasoning": m.Reasoning, "cacheRead": m.CacheRead, "cacheWrite": m.CacheWrite, "window": m.Window}
}

// An invalid value in a field must affect only the numbers that depend on it, and a warning must name the field unless
// it is simply absent.
func TestABadFieldLosesNothingElse(t *testing.T) {
	bad := []any{nil, "12", "sk-secret", stdjson.Number("-5"), stdjson.Number("1e300"), stdjson.Number("99999999999999999999"), stdjson.Number("1.5"), []any{}, map[string]any{}, true}
	for _, c := range corpus[usageCase](t, "usage.json") {
		var value any
		decoder := stdjson.NewDecoder(strings.NewReader(string(c.Value)))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		read := func() (map[string]int64, []Warning) {
			text, _ := stdjson.Marshal(value)
			m, warnings, _ := Usage(c.Provider, parse(t, string(text)), nil)
			return outputs(m), warnings
		}
		before, _ := read()
		var all []leaf
		leaves(value, "", &all)
		for _, l := range all {
			old, err := l.old.(stdjson.Number).Int64()
			if err != nil {
				continue
			}
			// The numbers that depend on the field may change too.
			depends := map[string]bool{}
			for _, moved := range []int64{old + 1, old + 100_000, 0} {
				l.set(stdjson.Number(fmt.Sprint(moved)))
				after, _ := read()
				for k := range after {
					depends[k] = depends[k] || after[k] != before[k]
				}
			}
			read0 := len(depends) > 0
			check := func(what string, warned bool) {
				after, warnings := read()
				for k, n := range after {
					if !depends[k] && n != before[k] {
						t.Errorf("%s: with %s %s, %s went from %d to %d", c.Name, l.name, what, k, before[k], n)
					}
					if n < core.Unknown {
						t.Errorf("%s: with %s %s, %s is %d", c.Name, l.name, what, k, n)
					}
				}
				for _, w := range warnings {
					if strings.Contains(w.Reason.String(), "secret") {
						t.Errorf("%s: a warning quotes the value: %s", c.Name, w)
					}
				}
				if !warned {
					return
				}
				for _, w := range warnings {
					if strings.HasSuffix(strings.ToLower(w.Field), strings.ToLower(l.name)) {
						return
					}
				}
				t.Errorf("%s: no warning names %s %s: %v", c.Name, l.name, what, warnings)
			}
			isRead := read0 && (depends["in"] || depends["out"] || depends["cacheRead"] || depends["cacheWrite"] || depends["reasoning"])
			for _, b := range bad {
				l.set(b)
				text, _ := stdjson.Marshal(b)
				nullable := b == nil && nullables[l.name]
				numeral := b == "12" && l.name != "" && (strings.HasPrefix(l.name, "gen_ai.") || strings.HasPrefix(strings.ToLower(l.name), "x-amzn"))
				structured := l.name == "inputTokens" || l.name == "outputTokens"
				if _, object := b.(map[string]any); object && structured {
					continue // another version's shape
				}
				check(string(text), isRead && !nullable && !numeral && !windows[l.name])
			}
			l.del()
			if !c.Want.Counted { // a count is recognized by only two fields
				check("absent", false)
			}
			l.set(l.old)
		}
	}
}

// nullables are fields that at least one provider documents as number or null.
var nullables = map[string]bool{
	// Anthropic's deltas and iterations have these.
	"cache_read_input_tokens": true, "cache_creation_input_tokens": true, "input_tokens": true, "output_tokens": true,
	// Other providers have these.
	"num_cached_tokens": true, "cached_prompt_tokens": true, "cachedTokens": true, "numCachedTokens": true, "connector_tokens": true, "cached_tokens": true, "prompt_cache_hit_tokens": true, "prompt_cache_miss_tokens": true,
	"cached_prompt_text_tokens": true, "prompt_text_tokens": true, "prompt_image_tokens": true, "reasoning_tokens": true, "citation_tokens": true,
	"cachedInputTokens": true, "reasoningTokens": true, "cacheReadTokens": true, "cacheWriteTokens": true, "cacheCreationInputTokens": true,
	"thoughtTokens": true, "cachedReadTokens": true, "cachedWriteTokens": true, "cacheRead": true, "cacheWrite": true, "reasoning": true,
	"prompt_token_count": true, "candidates_token_count": true, "thoughts_token_count": true, "total_token_count": true, "cached_content_token_count": true,
	// Fields that are recognized by their names alone may be null.
	"cache_read_tokens": true, "cache_creation_tokens": true, "cacheCreationTokens": true, "output": true, "total": true, "read": true, "write": true,
	"cached": true, "thoughts": true, "tool": true, "OutputTokens": true, "CachedTokens": true, "ReasoningTokens": true, "TotalTokens": true,
	"THINKING_TOKENS": true, "CacheReadInputTokens": true, "CacheCreationInputTokens": true, "input": true, "InputTokens": true,
	"input_token_count": true, "output_token_count": true, "tool_token_count": true, "outputTokenCount": true, "OutputTokenCount": true, "totalTokenCount": true, "TotalTokenCount": true, "CachedInputTokenCount": true, "cachedInputTokenCount": true, "ReasoningTokenCount": true,
}

// windows are fields outside the usage, which are ignored if invalid.
var windows = map[string]bool{"n_ctx": true, "context_length": true, "model_context_window": true, "num_turns": true, "web_search_requests": true, "web_fetch_requests": true}

// Reading any value must end, and every number that results must be possible.
func TestUsagesOfAnyShape(t *testing.T) {
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewSource(seed))
	cases := corpus[usageCase](t, "usage.json")
	for range 5000 {
		c := cases[random.Intn(len(cases))]
		mutated := append([]byte(nil), c.Value...)
		for range 1 + random.Intn(6) {
			mutated[random.Intn(len(mutated))] = `"{}[]:,0123456789 aeio-`[random.Intn(23)]
		}
		v, err := json.Parse(mutated)
		if err != nil {
			continue
		}
		m, _, _ := Usage(c.Provider, v, nil)
		for name, n := range outputs(m) {
			if n < core.Unknown || n > core.MaxTokens {
				t.Fatalf("seed %d: %s: %s is %d", seed, mutated, name, n)
			}
		}
	}
}

func BenchmarkUsage(b *testing.B) {
	v, err := json.Parse([]byte(`{"id":"msg_01","type":"message","usage":{"input_tokens":5,"cache_creation_input_tokens":100,"cache_read_input_tokens":170000,"cache_creation":{"ephemeral_5m_input_tokens":100,"ephemeral_1h_input_tokens":0},"output_tokens":300,"service_tier":"standard"}}`))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Usage("anthropic", v, nil)
	}
}

func BenchmarkError(b *testing.B) {
	v, err := json.Parse([]byte(`{"error":{"message":"` + strings.Repeat("nothing to see here, ", 200) + `"}}`))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Error("anthropic", 400, v)
	}
}
