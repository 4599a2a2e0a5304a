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
