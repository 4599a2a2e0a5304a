// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"bytes"
	stdjson "encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the conformance vectors that the cases give")

type vectorCall struct {
	Method string `json:"method"`
	Params any    `json:"params"`
	Expect any    `json:"expect,omitempty"`
}

type vector struct {
	Name  string       `json:"name"`
	Calls []vectorCall `json:"calls"`
}

// fields are the members of a JSON object.
type fields = map[string]any

// The conformance vectors for providers are these cases, sent through the protocol, with a session for each and a dozen
// per vector.
func TestConformanceVectorsAreTheseCases(t *testing.T) {
	record := fields{"input_tokens": 5, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 170000, "output_tokens": 300}
	open := func(id string, more fields) vectorCall {
		more["id"] = id
		return vectorCall{"ctx/session/open", more, nil}
	}
	usage := func(id, provider string, value any, expect any) vectorCall {
		params := fields{"id": id, "usage": value}
		if provider != "" {
			params["provider"] = provider
		}
		return vectorCall{"ctx/session/usage", params, expect}
	}
	window := fields{"window": 200000}
	vectors := []vector{
		{"one record, one answer: 5 + 100 + 170,000 of 200,000 is 85.05 %", []vectorCall{
			open("s", fields{"mode": "provider", "limits": window}),
			usage("s", "anthropic", record, fields{"used": 170105, "percent": 85.05, "limit": 200000, "basis": "measured"}),
		}},
		{"the same in hybrid mode: the reply is on top, the last request is told apart", []vectorCall{
			open("s", fields{"limits": window}),
			usage("s", "anthropic", record, fields{"used": 170405, "lastRequest": fields{"in": 170105, "percent": 85.05, "cacheRead": 170000, "cacheWrite": 100, "out": 300}}),
		}},
		{"provider mode does not show what stays ambiguous", []vectorCall{
			open("s", fields{"mode": "provider", "limits": window}),
			usage("s", "", fields{"inputTokens": 2000, "outputTokens": 300, "totalTokens": 2300, "cachedInputTokens": 1500}, fields{"used": 0, "percent": 0}),
		}},
	}
	vectors = append(vectors, spoken(open, usage)...)
	for _, c := range []struct {
		name  string
		value fields
		used  int64
	}{
		{"a chat request's hidden reasoning does not come back", fields{"prompt_tokens": 1000, "completion_tokens": 300, "total_tokens": 1300, "completion_tokens_details": fields{"reasoning_tokens": 200}}, 1100},
		{"a Responses request's stays while the turn runs", fields{"input_tokens": 1000, "output_tokens": 300, "total_tokens": 1300, "output_tokens_details": fields{"reasoning_tokens": 200}}, 1300},
	} {
		vectors = append(vectors, vector{c.name, []vectorCall{
			open("s", fields{"model": "gpt-5.5", "provider": "openai"}),
			usage("s", "", c.value, fields{"used": c.used, "limit": 922000, "limitSource": "registry"}),
		}})
	}
	expect := func(in, out, reasoning, read, write *int64, sum bool) fields {
		if sum || in == nil {
			return fields{"used": 0, "lastRequest": nil}
		}
		return fields{"lastRequest": fields{"in": in, "out": out, "reasoning": reasoning, "cacheRead": read, "cacheWrite": write}}
	}
	var each []vector
	for _, c := range corpus[usageCase](t, "usage.json") {
		w := c.Want
		each = append(each, vector{c.Name, []vectorCall{
			open(c.Name, fields{"limits": fields{"window": 2000000}}),
			usage(c.Name, c.Provider, c.Value, expect(w.In, w.Out, w.Reasoning, w.CacheRead, w.CacheWrite, w.Sum || w.Aside)),
		}})
	}
	vectors = append(vectors, dozens("usage", each)...)
	each = nil
	for _, c := range corpus[streamCase](t, "streams.json") {
		w := c.Want
		each = append(each, vector{c.Name, []vectorCall{
			open(c.Name, fields{"limits": fields{"window": 2000000}}),
			usage(c.Name, c.Provider, c.Events, expect(w.In, w.Out, w.Reasoning, w.CacheRead, w.CacheWrite, w.Sum)),
		}})
	}
	vectors = append(vectors, dozens("streams", each)...)
	compare(t, "provider-usage.json", "What providers send",
		"Every usage object of testdata/providers, by way of the protocol: the prompt with everything cached in it, a sum refused, what is not told left unknown.", vectors)

	each = nil
	for _, c := range corpus[overflowCase](t, "overflow.json") {
		params := fields{"id": c.Name, "error": c.Value}
		if c.Provider != "" {
			params["provider"] = c.Provider
		}
		if c.Status != 0 {
			params["status"] = c.Status
		}
		expect := fields{"used": 0, "limit": nil}
		if c.Want != nil && c.Want.Limit != nil {
			expect["limit"], expect["limitSource"] = c.Want.Limit, "error"
			expect["used"] = c.Want.Limit // a refused prompt is at least this long
		}
		if c.Want != nil && c.Want.Prompt != nil {
			expect["used"] = c.Want.Prompt
		}
		each = append(each, vector{c.Name, []vectorCall{open(c.Name, fields{}), {"ctx/session/error", params, expect}}})
	}
	compare(t, "provider-errors.json", "Refusals",
		"Every refusal of testdata/providers, by way of the protocol: the window and the prompt that it teaches, and the vetoes that teach nothing.", dozens("refusals", each))
}

// dozens merges the calls of twelve vectors into one, because a new core costs more than a session.
func dozens(what string, each []vector) []vector {
	var out []vector
	for len(each) > 0 {
		n := min(12, len(each))
		v := vector{Name: what + ": " + each[0].Name + " … " + each[n-1].Name}
		for _, e := range each[:n] {
			v.Calls = append(v.Calls, e.Calls...)
		}
		out = append(out, v)
		each = each[n:]
	}
	return out
}

func compare(t *testing.T, name, subject, about string, vectors []vector) {
	t.Helper()
	var b bytes.Buffer
	e := stdjson.NewEncoder(&b)
	e.SetEscapeHTML(false)
	line := func(v any) string {
		b.Reset()
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		return string(bytes.TrimSpace(b.Bytes()))
	}
	text := "{\n\"subject\": " + line(subject) + ",\n\"about\": " + line(about) + ",\n\"vectors\": [\n"
	for i, v := range vectors {
		if i > 0 {
			text += ",\n"
		}
		text += line(v)
	}
	text += "\n]\n}\n"
	path := "../../testdata/conformance/" + name
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil || string(have) != text {
		t.Errorf("%s is not what the cases give (%v): go test ./core/provider -run Conformance -update", name, err)
	}
}

// spoken returns usages that are recognized by their names alone, with everything that a front end shows for them.
func spoken(open func(string, fields) vectorCall, usage func(string, string, any, any) vectorCall) []vector {
	window := func() fields { return fields{"limits": fields{"window": 200000}} }
	lined := func() fields {
		return fields{"limits": fields{"window": 200000, "output": 8192}, "rule": fields{"reserve": 32000, "target": 50000}}
	}
	total := fields{"inputTokens": 5, "outputTokens": 300, "reasoningTokens": 0, "cacheReadTokens": 170000, "cacheWriteTokens": 100, "totalTokens": 170405}
	beside := fields{"input_tokens": 150000, "cache_read_tokens": 40000, "cache_creation_tokens": 30000, "output_tokens": 5000}
	over := fields{
		"used": 225000, "basis": "measured", "lastRequest": fields{"in": 220000},
		"compaction": fields{"level": "over", "threshold": 191808},
	}
	full := fields{"used": 170405, "basis": "measured", "lastRequest": fields{"in": 170105, "percent": 85.05, "out": 300}}
	doubtful := fields{"prompt_tokens": 1000, "completion_tokens": 300, "total_tokens": 1400}
	doubt := "The usage's total of 1,400 is not the sum of its other numbers, 1,300; the usual interpretation is used."
	mystery := fields{"prompt_tokens": 1000, "completion_tokens": 300, "total_tokens": 1300, "mystery_tokens": 77}
	return []vector{
		{"the total says that the cache stands beside", []vectorCall{open("s", window()), usage("s", "", total, full)}},
		{"the same inside a message", []vectorCall{open("s", window()), usage("s", "", fields{"role": "assistant", "tokenUsage": total}, full)}},
		{"Anthropic's cache in other words, named", []vectorCall{open("s", lined()), usage("s", "anthropic", beside, over)}},
		{"Anthropic's cache in other words, not named", []vectorCall{open("s", lined()), usage("s", "", beside, over)}},
		{"a total that fits nothing makes the number estimated and is shown with the sum", []vectorCall{
			open("s", window()), usage("s", "", doubtful, fields{"basis": "estimated", "used": 1300, "warnings": []fields{{"text": doubt}}}),
		}},
		{"a number that nobody knows is named", []vectorCall{
			open("s", window()), usage("s", "", mystery, fields{
				"basis": "measured", "used": 1300,
				"warnings": []fields{{"text": "The usage field \"mystery_tokens\" is a number of unknown meaning; it was ignored."}},
			}),
		}},
	}
}
