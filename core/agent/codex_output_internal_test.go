// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// TestCodexCutsLongOutputs checks what Codex sends of an output: 12,000 tokens of four bytes, from both ends of the
// text that does not fit, and the number of texts after it.
func TestCodexCutsLongOutputs(t *testing.T) {
	a := func(n int) string { return strings.Repeat("a", n) }
	han := strings.Repeat("漢", 20_000)
	texts := func(list ...string) any {
		var content []map[string]string
		for _, text := range list {
			content = append(content, map[string]string{"type": "input_text", "text": text})
		}
		return content
	}
	for name, c := range map[string]struct {
		output any
		want   string
	}{
		"nothing":                        {"", ""},
		"a short text":                   {"done", "done"},
		"the longest":                    {a(48_000), a(48_000)},
		"a byte more":                    {a(48_001), a(24_000) + "…1 tokens truncated…" + a(24_000)},
		"five bytes more":                {a(48_005), a(24_000) + "…2 tokens truncated…" + a(24_000)},
		"much more":                      {a(60_000), a(24_000) + "…3000 tokens truncated…" + a(24_000)},
		"characters":                     {"aa" + han + "b", "aa" + han[:23_997] + "…3002 tokens truncated…" + han[60_000-23_997:] + "b"},
		"several texts":                  {texts("one", "", "two"), "onetwo"},
		"texts that fill it":             {texts("aaaa", a(47_996)), a(48_000)},
		"a text that does not fit whole": {texts("aaaaa", a(48_000)), a(5) + a(23_996) + "…2 tokens truncated…" + a(23_996)},
		"texts after it":                 {texts(a(48_000), "b", "", "c"), a(48_000) + "[omitted 2 text items ...]"},
		"texts after a cut":              {texts(a(48_004), "b"), a(24_000) + "…1 tokens truncated…" + a(24_000) + "[omitted 1 text items ...]"},
		"less than is left":              {texts(a(47_993), "bbb", "c", "d"), a(47_993) + "bbb" + "[omitted 2 text items ...]"},
	} {
		text, err := stdjson.Marshal(c.output)
		if err != nil {
			t.Fatal(err)
		}
		v, err := json.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		reader := &codex{}
		for range 2 { // the second time, the buffer of the first is used again
			if got := string(reader.sent(v)); got != c.want {
				t.Errorf("%s: %d bytes, want %d: %.60q … %.60q", name, len(got), len(c.want), got, got[max(0, len(got)-60):])
			}
		}
	}
}

// TestTheEstimateAfterACompactionShowsTheSummary checks the size of an encrypted summary: Codex reports a quarter of
// all bytes, and of three quarters of the encrypted text less 650.
func TestTheEstimateAfterACompactionShowsTheSummary(t *testing.T) {
	const instructions, recorded = 4_000, 8_000 // bytes
	for sum, want := range map[int64]int64{
		3_000:                   0, // the summary is among the recorded items
		3_000 + 100:             0,
		3_000 + 101:             (4*101 + 577) * 5 / 21,
		3_000 + 2_000:           2_042,
		3_000 + mostSummary:     7_756,
		3_000 + mostSummary + 1: -1, // the sum includes more than is recorded
	} {
		got := int64(-1)
		c := &codex{instructions: instructions, left: leftByCodex{summary: 3, bytes: recorded}}
		c.Emit = func(e core.Event) {
			if r := e.(core.Replaced); r.Index == 2 && r.Item.Hidden {
				got = r.Item.Tokens
			}
		}
		if c.estimated(sum); got != want {
			t.Errorf("with a sum of %d the summary has %d tokens, want %d", sum, got, want)
		}
		got = -1
		if c.estimated(sum); got != -1 {
			t.Errorf("the sum %d is used twice", sum)
		}
	}
	for name, c := range map[string]*codex{
		"no hidden summary": {instructions: instructions, left: leftByCodex{bytes: recorded}},
		"no instructions":   {left: leftByCodex{summary: 3, bytes: recorded}},
	} {
		c.Emit = func(e core.Event) { t.Errorf("%s: %+v", name, e) }
		c.estimated(5_000)
	}
}
