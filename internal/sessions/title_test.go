// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// titled writes a session of Claude Code with these records.
func titled(t *testing.T, records ...string) transcript.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), dirstest.UUID1+".jsonl")
	dirstest.Write(t, path, dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a"))+strings.Join(records, ""))
	return transcript.Session{ID: dirstest.UUID1, Agent: agent.ClaudeCode, Path: path, Form: transcript.Lines}
}

func byUser(title string) string {
	return fmt.Sprintf(`{"type":"custom-title","customTitle":%q,"sessionId":%q}`+"\n", title, dirstest.UUID1)
}

func byAgent(title string) string {
	return fmt.Sprintf(`{"type":"ai-title","aiTitle":%q,"sessionId":%q}`+"\n", title, dirstest.UUID1)
}

// TestTheTitleOfAnUnreadSession checks which of several titles a session has: the user's, or else the agent's last one.
func TestTheTitleOfAnUnreadSession(t *testing.T) {
	long := fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q}}`+"\n", strings.Repeat("x", titleTail))
	for want, records := range map[string][]string{
		"":           nil,
		"First":      {byUser("First")},
		"Last":       {byAgent("First"), byAgent("Last")},
		"The user's": {byUser("The user's"), byAgent("The agent's")},
		"New":        {byUser("Old"), byUser("New")},
		"Behind":     {byUser("Far away"), long, byAgent("Behind")}, // agents write it again when they end
		"One line":   {byUser("One\nline")},
		"Whole":      {"{\"type\":\"custom-title\",\n", byAgent("Whole"), `{"type":"ai-title","aiTitle":"Half`},
	} {
		if got := Title(titled(t, records...)); got != want {
			t.Errorf("the title is %q, want %q", got, want)
		}
	}
	only := titled(t)
	dirstest.Write(t, only.Path, byUser("Only"))
	if at, length := FindTitle(only, "Only"); Title(only) != "Only" || at != 0 || length != len(byUser("Only")) {
		t.Errorf("the only record has the title %q, at %d with %d bytes", Title(only), at, length)
	}
	s := titled(t, byUser("First"))
	s.Parent = "p"
	if got := Title(s); got != "" {
		t.Errorf("a sub-agent is called %q", got)
	}
	s.Parent, s.Path = "", s.Path+".gone"
	if got := Title(s); got != "" {
		t.Errorf("a session that is gone is called %q", got)
	}
	if _, length := FindTitle(s, ""); length != 0 || TitleAt(s, 0, 10) != "" {
		t.Errorf("a session that is gone has a title with %d bytes", length)
	}
	s.Agent, s.Path = "none", titled(t, byUser("First")).Path
	if got := Title(s); got != "" {
		t.Errorf("a session of an unknown agent is called %q", got)
	}
	if at, length := FindTitle(s, "First"); length != 0 {
		t.Errorf("a title of an unknown agent is at %d", at)
	}
	for _, form := range []transcript.Form{transcript.Document, transcript.Compressed} {
		s = titled(t, byUser("First"))
		if s.Form = form; Title(s) != "" {
			t.Errorf("a session of form %d is called %q", form, Title(s))
		}
	}
	for label, want := range map[string]string{"One cent": "One cent", "One\ncent": "One cent", "New session - 2026-03-01T09:00:00.000Z": ""} {
		if got := Title(transcript.Session{Agent: agent.OpenCode, Form: transcript.Database, Label: label}); got != want {
			t.Errorf("a session of a database with the label %q is called %q", label, got)
		}
	}
}

// TestATitleIsFoundAgain checks that the last record with a title is found, and that reading it alone gives the title.
func TestATitleIsFoundAgain(t *testing.T) {
	huge := fmt.Sprintf(`{"type":"custom-title","pad":%q,"customTitle":"A"}`+"\n", strings.Repeat("x", maxTitleRecord))
	s := titled(t, byUser("A"), byUser("B"), byUser("A"), huge, byAgent("C"))
	text, err := os.ReadFile(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	for title, record := range map[string]string{"A": byUser("A"), "B": byUser("B"), "C": byAgent("C")} {
		at, length := FindTitle(s, title)
		if want := strings.LastIndex(string(text), record); int(at) != want || length != len(record) {
			t.Errorf("%s is found at %d with %d bytes, want %d with %d", title, at, length, want, len(record))
		}
		if got := TitleAt(s, at, length); got != title {
			t.Errorf("there the title is %q, want %q", got, title)
		}
		if got := TitleAt(s, at, 0) + TitleAt(s, at, -1); got != "" {
			t.Errorf("no bytes have the title %q", got)
		}
		if got := TitleAt(s, at+1, length-1); got != "" {
			t.Errorf("a part of a record has the title %q", got)
		}
	}
	if at := int64(strings.Index(string(text), huge)); TitleAt(s, at, len(huge)) != "" {
		t.Error("a record that is too long has a title")
	}
	most := fmt.Sprintf(`{"type":"custom-title","customTitle":"Most","pad":%q}`, strings.Repeat("x", maxTitleRecord))
	most = most[:maxTitleRecord-3] + "\"}\n"
	edge := titled(t, most)
	if at, length := FindTitle(edge, "Most"); length != maxTitleRecord || TitleAt(edge, at, length) != "Most" || TitleAt(edge, at-1, length+1) != "" {
		t.Errorf("the longest record with a title is found at %d with %d bytes", at, length)
	}
	last := titled(t, byUser("First"), strings.TrimSuffix(byUser("Last"), "\n"))
	if at, length := FindTitle(last, "Last"); length != len(byUser("Last"))-1 || TitleAt(last, at, length) != "Last" {
		t.Errorf("the title of a record without its end is found at %d with %d bytes", at, length)
	}
	for _, title := range []string{"D", "hello"} {
		if at, length := FindTitle(s, title); length != 0 {
			t.Errorf("%s is found at %d", title, at)
		}
	}
	s.Form = transcript.Document
	if _, length := FindTitle(s, "A"); length != 0 {
		t.Error("a title is found in a document")
	}
}
