// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestTextsAreReplacedByOnesOfTheSameLength checks that a session keeps its structure, its names and the tokens of each
// text, and that no text stays.
func TestTextsAreReplacedByOnesOfTheSameLength(t *testing.T) {
	t.Chdir("../..")
	for _, model := range []string{"gpt-5.5", "claude-opus-4-6", "gemini-3-pro-preview"} {
		f, err := newFiller(model, regexp.MustCompile(`</?[a-z][a-z-]{2,30}>|\[Request interrupted`))
		if err != nil {
			t.Fatal(err)
		}
		const secret = "The quick brown fox\n\tjumps over \"13\" lazy dogs, doesn't it?"
		const session = `{"type":"user", "cwd": "/Users/mallory/shop","usage":{"in":12},"text":"<system-reminder>` +
			`The quick brown fox\n\tjumps over \"13\" lazy dogs, doesn't it?</system-reminder>","arguments":"{\"cmd\": \"echo The quick brown fox\"}"}`
		got := string(withoutUsers(replaced([]byte(session), f)))
		var record struct{ Type, Cwd, Text, Arguments string }
		if err := json.Unmarshal([]byte(got), &record); err != nil {
			t.Fatalf("%v in %s", err, got)
		}
		if record.Type != "user" || record.Cwd != "/Users/user/shop" || !strings.HasPrefix(got, `{"type":"user", "cwd": `) {
			t.Errorf("%s: names or structure changed: %s", model, got)
		}
		if strings.Contains(got, "quick") || strings.Contains(got, "lazy") {
			t.Errorf("%s: a text has stayed: %s", model, got)
		}
		if !strings.HasPrefix(record.Text, "<system-reminder>") || !strings.HasSuffix(record.Text, "</system-reminder>") {
			t.Errorf("%s: words of readers are gone: %s", model, got)
		}
		for _, pair := range [][2]string{
			{"<system-reminder>" + secret + "</system-reminder>", record.Text},
			{strings.Repeat(secret, 40), f.replace(strings.Repeat(secret, 40))},
		} {
			// Estimates are rounded sums of fractions, so not every number can be met.
			if want, have := f.count(pair[0]), f.count(pair[1]); max(want-have, have-want) > 1 || model == "gpt-5.5" && want != have {
				t.Errorf("%s: %d tokens became %d", model, want, have)
			}
		}
	}
}
