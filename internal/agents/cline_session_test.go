// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestACompactionOfClineComesAfterItsLastMessage checks the records of a session of Cline 4: its manifest, its
// messages, and what it sends instead since a compaction, whenever that appears.
func TestACompactionOfClineComesAfterItsLastMessage(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "s"+name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	messages := func(ids ...string) {
		t.Helper()
		var list []string
		for _, id := range ids {
			list = append(list, `{"id":"`+id+`","role":"user","content":"`+id+`"}`)
		}
		write(".messages.json", `{"sessionId":"s","agent":"lead","messages":[`+strings.Join(list, ",")+`]}`)
	}
	compaction := func(after, summary string, count string) {
		t.Helper()
		write(".compaction.json", `{"source_message_count":`+count+`,"source_last_message_key":"id:`+after+`","messages":[{"role":"user","content":"`+summary+`"}]}`)
	}
	write(".json", `{"session_id":"s","model":"gpt-5.5","provider":"openai","started_at":"2026-11-26T21:03:38.988Z","cwd":"/home/ada/shop"}`)
	messages("m1", "m2")
	s := transcript.Session{Agent: agent.Cline, Path: filepath.Join(folder, "s.messages.json"), Form: transcript.Document}
	if Head(&s); s.Started.IsZero() || s.Workspace != "/home/ada/shop" {
		t.Errorf("the head is %+v", s)
	}
	tail := OpenTail(s)
	read := func() (list []string, reset bool) {
		t.Helper()
		var b transcript.Batch
		for {
			if err := tail.Next(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			reset = reset || b.Reset
			if b.Count == 0 {
				return list, reset
			}
			for i := range b.Count {
				record := string(b.Record(i))
				for _, known := range []string{`"gpt-5.5"`, `"messages":[]`, `"m1"`, `"m2"`, `"m3"`, `"first"`, `"second"`} {
					if strings.Contains(record, known) {
						list = append(list, strings.Trim(known, `"`))
					}
				}
			}
		}
	}
	check := func(step string, wantReset bool, want ...string) {
		t.Helper()
		size := StateOf(s).Size
		if got, reset := read(); !slices.Equal(got, want) || reset != wantReset {
			t.Errorf("%s: %q, anew %v", step, got, reset)
		}
		if now := StateOf(s).Size; size != now {
			t.Errorf("%s: the size is %d, then %d", step, size, now)
		}
	}
	head := `messages":[]`
	check("at first", false, "gpt-5.5", head, "m1", "m2")
	before := StateOf(s).Size
	compaction("m2", "first", "2")
	if now := StateOf(s).Size; now == before {
		t.Error("a compaction changes no size")
	}
	check("a compaction", false, "first")
	messages("m1", "m2", "m3")
	check("a message after it", false, "m3")
	compaction("m3", "second", "3")
	check("another one", true, "gpt-5.5", head, "m1", "m2", "m3", "second")
	compaction("m2", "first", "2")
	check("one in between", true, "gpt-5.5", head, "m1", "m2", "first", "m3")
}

// TestSubAgentsOfClineAreChildren checks that the messages of sub-agents and of tasks of a team, which are in the
// directory of a session, belong to it.
func TestSubAgentsOfClineAreChildren(t *testing.T) {
	root := Root{Agent: agent.Cline, Path: t.TempDir()}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root.Path, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("17_a/17_a.json", `{"session_id":"17_a","model":"gpt-5.5","provider":"openai","started_at":"2026-11-26T21:03:38.988Z","cwd":"/home/ada/shop"}`)
	write("17_a/17_a.messages.json", `{"sessionId":"17_a","agent":"lead","messages":[]}`)
	write("17_a/agent_1.messages.json", `{"sessionId":"17_a__agent_1","messages":[]}`)
	write("17_a/tester__x1.messages.json", `{"messages":[]}`)
	write("17_a/17_a.compaction.json", `{"messages":[]}`)
	write("17_b/17_b.json", `{"cwd":"/home/ada/tea"}`) // nothing was sent
	var listed []string
	if err := listClineSessions(root, func(c Candidate) {
		s := transcript.Session{Agent: agent.Cline, Path: c.Path, ID: c.ID, Parent: c.Parent, Form: c.Kind}
		Head(&s)
		if s.ID != c.ID || s.Parent != c.Parent || s.Workspace != c.Workspace || s.Started.IsZero() != (c.Parent != "") {
			t.Errorf("the head of %s is %+v", c.ID, s)
		}
		if manifest := string(clineManifest(s)); !strings.Contains(manifest, "gpt-5.5") {
			t.Errorf("the manifest of %s: %s", c.ID, manifest)
		}
		listed = append(listed, c.ID+" of "+c.Parent+" in "+c.Workspace)
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{"17_a of  in /home/ada/shop", "17_a__agent_1 of 17_a in /home/ada/shop", "17_a__tester__x1 of 17_a in /home/ada/shop"}
	if !slices.Equal(listed, want) {
		t.Errorf("%q", listed)
	}
}
