// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	stdjson "encoding/json"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// FuzzProvider reads any JSON as a usage, as an error and as the text of a stream, and checks that reading ends and
// that all numbers are possible.
func FuzzProvider(f *testing.F) {
	for _, name := range []string{"usage.json", "overflow.json"} {
		for _, c := range corpus[usageCase](&testing.T{}, name) {
			f.Add(c.Provider, []byte(c.Value))
		}
	}
	f.Fuzz(func(t *testing.T, provider string, text []byte) {
		v, err := json.Parse(text)
		if err != nil {
			quoted, _ := stdjson.Marshal(string(text))
			if v, err = json.Parse(quoted); err != nil {
				t.Fatalf("a text that is quoted is JSON: %v", err)
			}
		}
		var acc Accumulator
		for range 2 {
			m, warnings, _ := Usage(provider, v, &acc)
			for name, n := range outputs(m) {
				if n < core.Unknown || n > core.MaxTokens {
					t.Fatalf("%s is %d", name, n)
				}
			}
			if m.Out != core.Unknown && m.Reasoning > m.Out {
				t.Fatalf("%d of %d reasoned", m.Reasoning, m.Out)
			}
			if len(warnings) > maxWarnings {
				t.Fatalf("%d warnings", len(warnings))
			}
			Silent(provider, v, m, 1000)
		}
		o, ok := Error(provider, 400, v)
		for _, n := range []int64{o.Prompt, o.Output, o.Limit} {
			if n < core.Unknown || n > 5*core.MaxTokens || !ok && n != core.Unknown {
				t.Fatalf("%+v", o)
			}
		}
	})
}
