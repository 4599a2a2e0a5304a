// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestAnOpeningIsTheFirstWordsOfTheUser checks that an opening is one short line of the user's own words, not of text
// that an agent writes in the user's name.
func TestAnOpeningIsTheFirstWordsOfTheUser(t *testing.T) {
	long := strings.Repeat("Größe der 図表 ", 20)
	for name, c := range map[string]struct {
		prompts []string
		want    string
	}{
		"one line":                 {[]string{"Fix the retries."}, "Fix the retries."},
		"several lines":            {[]string{"Fix\n\n the\tretries\x1b[2J"}, "Fix the retries [2J"},
		"a reminder comes first":   {[]string{"<system-reminder>be good</system-reminder>", "Fix the retries."}, "Fix the retries."},
		"a command of the program": {[]string{"<command-name>/clear</command-name>", "Fix the retries."}, "Fix the retries."},
		"a command to the model":   {[]string{"<command-name>/review</command-name> <command-args>42</command-args>"}, "/review 42"},
		"a continued session":      {[]string{"This session is being continued from a previous conversation.", "Go on."}, "Go on."},
		"no prompt yet":            {nil, ""},
		"a page":                   {[]string{long}, "Größe der 図表 Größe der 図表 Größe der 図表 Größe der 図表 Größe…"},
		"a word without an end":    {[]string{strings.Repeat("x", 500)}, strings.Repeat("x", 59) + "…"},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		var b strings.Builder
		for i, prompt := range c.prompts {
			text, _ := json.Marshal(prompt)
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","isSidechain":false,"sessionId":"s","version":"2.1.200","cwd":"/w","message":{"role":"user","content":%s},"timestamp":"2026-03-02T09:00:%02d.000Z"}`+"\n", i, text, i)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		got := Opening(context.Background(), transcript.Session{Path: path, Agent: "claude-code", ID: "s"})
		if got != c.want || utf8.RuneCountInString(got) > openingRunes {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestOpeningsAreReadAgainUntilThereIsAPrompt checks that a new session gets its name with its first prompt.
func TestOpeningsAreReadAgainUntilThereIsAPrompt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var openings Openings
	s := transcript.Session{Path: path, Agent: "claude-code", ID: "s"}
	for _, step := range []struct{ line, want string }{
		{`{"type":"mode","sessionId":"s"}`, ""},
		{`{"type":"user","uuid":"u1","isSidechain":false,"sessionId":"s","version":"2.1.200","cwd":"/w","message":{"role":"user","content":"Fix it."},"timestamp":"2026-03-02T09:00:00.000Z"}`, "Fix it."},
		{`{"type":"user","uuid":"u2","isSidechain":false,"sessionId":"s","version":"2.1.200","cwd":"/w","message":{"role":"user","content":"And that."},"timestamp":"2026-03-02T09:01:00.000Z"}`, "Fix it."},
	} {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(f, step.line)
		f.Close()
		if got := openings.Of(context.Background(), s); got != step.want {
			t.Errorf("after %s: %q, want %q", step.line, got, step.want)
		}
	}
}
