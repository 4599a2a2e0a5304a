// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	stdjson "encoding/json"
	"strings"
	"testing"

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
