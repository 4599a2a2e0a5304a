// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
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

// TestFilesOfATask checks the documents that belong to a task, its state, and where its folder is found.
func TestFilesOfATask(t *testing.T) {
	m := dirstest.NewMachine(t)
	folder := filepath.Join(m.Home, "tasks", "1")
	shown, sent := filepath.Join(folder, ShownFile), filepath.Join(folder, SentFile)
	for step, want := range []struct {
		add                 string
		ofSent, ofSentFound bool
	}{{"", true, false}, {ShownFile, true, true}} {
		if want.add != "" {
			m.Put("tasks/1/"+want.add, "[]")
		}
		if path, ok := taskOf(sent); path != shown || ok != want.ofSentFound {
			t.Errorf("%d: %s, %v", step, path, ok)
		}
		if path, ok := taskOf(shown); path != shown || !ok {
			t.Errorf("%d: %s, %v", step, path, ok)
		}
		if path, ok := taskOf(filepath.Join(folder, "other.json")); ok || path == shown {
			t.Errorf("%d: another file is of the task %s", step, path)
		}
		if path, form := Whole(sent); (path == shown) != want.ofSentFound || (form == transcript.Task) != want.ofSentFound {
			t.Errorf("%d: %s in the form %v", step, path, form)
		}
	}
	first := taskState(shown)
	m.Put("tasks/1/"+SentFile, "[ ]")
	second := taskState(shown)
	if first.Size != 2 || second.Size != 5 || !second.Modified.After(first.Modified) || taskState(filepath.Join(folder, "none")).Size != 0 {
		t.Errorf("%+v, then %+v", first, second)
	}
	m.Put("tasks/1/"+ShownFile, "[  ]")
	if third := taskState(shown); third.Size != 7 || !third.Modified.After(second.Modified) {
		t.Errorf("%+v, then %+v", second, third)
	}
	m.Put("state/taskHistory.json", `[{"id":"1","cwdOnTaskInitialization":"/w/list"}]`)
	head := func() string {
		s := transcript.Session{Agent: agent.RooCode, Path: shown, Form: transcript.Task}
		Head(&s)
		return s.ID + " " + s.Workspace
	}
	if got := head(); got != "1 /w/list" {
		t.Errorf("by the list: %s", got)
	}
	m.Put("tasks/1/history_item.json", `{"workspace":"/w/item"}`)
	if got := head(); got != "1 /w/item" {
		t.Errorf("by its own document: %s", got)
	}
	for text, want := range map[string]string{
		"# Current Working Directory (" + dirstest.Whole("/") + ") Files": dirstest.Whole("/"), "# Current Working Directory () Files": "", "# Current Working Directory (relative) Files": "", "# Current Working Directory (/w": "",
		"# Current Working Directory (/" + strings.Repeat("x", 4096) + ") Files": "", `# Current Working Directory (/\q) Files`: "", "no directory": "",
	} {
		if runtime.GOOS == "windows" {
			text = strings.ReplaceAll(text, `\`, `\\`)
		}
		path := m.Put("prompt.json", text)
		if got := workspaceInPrompt(path); got != want {
			t.Errorf("%.60s: %.20q", text, got)
		}
	}
	if got := workspaceInPrompt(filepath.Join(m.Home, "missing.json")); got != "" {
		t.Errorf("a missing file: %q", got)
	}
}

// TestATaskOfClineIsReadAsItGrows checks the records of both documents of a task, in the order of their times, and what
// comes when one of them changes.
func TestATaskOfClineIsReadAsItGrows(t *testing.T) {
	m := dirstest.NewMachine(t)
	var tail transcript.Tail
	records := func() (got []string) {
		t.Helper()
		var b transcript.Batch
		for {
			if err := tail.Next(t.Context(), &b); err != nil {
				return append(got, "error")
			}
			if b.Reset {
				got = append(got, "reset")
			}
			if b.Count == 0 {
				return got
			}
			for i := range b.Count {
				got = append(got, string(b.Record(i)))
			}
		}
	}
	const asked, followed, answered, ignored = `{"ts":1,"say":"text","text":"hi"}`, `{"ts":5,"say":"api_req_started","text":"{}"}`, `{"ts":9,"role":"assistant","content":"A"}`, `{"ts":2,"say":"text","text":"no"}`
	const prompt, older = `{"ts":3,"role":"user","content":"P"}`, `{"role":"user","content":"O"}`
	path := filepath.Join(m.Home, "ext", "tasks", "1", ShownFile)
	tail = OpenTail(transcript.Session{ID: "1", Agent: agent.RooCode, Path: path, Form: transcript.Task, Workspace: "/w"})
	expect(t, records(), "error") // it does not exist yet
	m.Put("ext/tasks/1/"+ShownFile, `[`+asked+`,`+ignored+`,`+followed+`,{"ts":6,"say":"user_feedback"},{"ts":7,"say":"condense_context","partial":true},broken]`)
	expect(t, records(), `{"table":"task","id":"1","extension":"ext","workspace":"/w","sent":false}`, asked, followed, `{"ts":6,"say":"user_feedback"}`)
	expect(t, records())
	m.Put("ext/tasks/1/task_metadata.json", `{"model_usage":[{"model_id":"m","model_provider_id":"p"},{"model_id":"n"}]}`)
	m.Put("ext/tasks/1/"+SentFile, `[`+prompt+`,`+answered+`]`)
	head := `{"table":"task","id":"1","extension":"ext","workspace":"/w","sent":true,"model":"m","provider":"p"}`
	expect(t, records(), "reset", head, asked, prompt, followed, `{"ts":6,"say":"user_feedback"}`, answered)
	m.Put("ext/tasks/1/"+SentFile, `{"version":1,"messages":[`+prompt+`,`+answered+`,{"ts":10,"role":"user","content":"Q"}]}`)
	expect(t, records(), `{"ts":10,"role":"user","content":"Q"}`)
	done := strings.Replace(followed, "{}", "{1}", 1)
	shown := `[` + asked + `,` + ignored + `,` + done + `,{"ts":6,"say":"user_feedback"},{"ts":11,"say":"compaction","conversationHistoryDeletedRange":[1,2]},{"ts":12,"say":"text"},{"ts":13,"say":"text","conversationHistoryDeletedRange":[1,2]}]`
	m.Put("ext/tasks/1/"+ShownFile, shown)
	expect(t, records(), done, `{"ts":11,"say":"compaction","conversationHistoryDeletedRange":[1,2]}`, `{"ts":12,"say":"text"}`, `{"ts":13,"say":"text","conversationHistoryDeletedRange":[1,2]}`)
	m.Put("ext/tasks/1/"+ShownFile, shown[:len(shown)-5]) // it is being written
	expect(t, records())
	m.Put("ext/tasks/1/"+ShownFile, `[`+asked+`]`)
	m.Put("ext/tasks/1/"+SentFile, `[`+older+`,`+strings.Replace(older, "user", "assistant", 1)+`,`+older+`]`)
	expect(t, records(), "reset", head, asked, older, strings.Replace(older, "user", "assistant", 1), older)
	m.Put("ext/tasks/1/"+ShownFile, `[`+followed+`,`+strings.Replace(followed, "5", "6", 1)+`]`)
	expect(t, records(), "reset", head, followed, older, strings.Replace(older, "user", "assistant", 1), strings.Replace(followed, "5", "6", 1), older)
}

// TestACompactionOfClineIsPlacedByItsCount checks messages and compactions without ids, and sessions that have only
// begun.
func TestACompactionOfClineIsPlacedByItsCount(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put("s/s.json", `{"model":"gpt-5.5"}`)
	path := m.Put("s/s.messages.json", "")
	s := transcript.Session{Agent: agent.Cline, Path: path, Form: transcript.Document}
	for c, want := range map[*transcript.Session]bool{
		&s: true, {Path: path, Form: transcript.Lines}: false, {Path: filepath.Join(m.Home, "s", "other.json"), Form: transcript.Document}: false,
	} {
		if got := clineCompaction(*c); (got == filepath.Join(m.Home, "s", "s.compaction.json")) != want || !want && got != "" {
			t.Errorf("%s in the form %v: %q", c.Path, c.Form, got)
		}
	}
	tail := OpenTail(s)
	records := func() (got []string) {
		t.Helper()
		var b transcript.Batch
		for {
			if err := tail.Next(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if b.Reset {
				got = append(got, "reset")
			}
			if b.Count == 0 {
				return got
			}
			for i := range b.Count {
				got = append(got, string(b.Record(i)))
			}
		}
	}
	expect(t, records())
	const manifest, header, one, two = `{"table":"cline_session","model":"gpt-5.5"}`, `{"messages":[]}`, `{"role":"user","content":"1"}`, `{"role":"user","content":"2"}`
	m.Put("s/s.messages.json", `{"messages":[]}`)
	got := records()
	if len(got) == 0 {
		t.Fatal("a session without messages has no records")
	}
	first := strings.ReplaceAll(manifest, "cline_session", agent.ClineSession)
	expect(t, got[len(got)-2:], first, header)
	m.Put("s/s.messages.json", `{"messages":[`+one+`,`+two+`]}`)
	got = records()
	expect(t, got[len(got)-2:], one, two)
	compaction := func(count, text string) string {
		m.Put("s/s.compaction.json", `{"source_message_count":`+count+`,"messages":["`+text+`"]}`)
		return `{"table":"` + agent.ClineCompaction + `","sent":["` + text + `"]}`
	}
	was := compaction("1", "a")
	expect(t, records(), "reset", first, header, one, was, two)
	was = compaction("2", "b")
	expect(t, records(), "reset", first, header, one, two, was)
	was = compaction("3", "c")
	expect(t, records(), "reset", first, header, one, two)
	m.Put("s/s.messages.json", `{"messages":[`+one+`,`+two+`,`+one+`]}`)
	expect(t, records(), one, was)
	m.Put("s/s.compaction.json", `{"source_message_count":1,"messages":7}`)
	expect(t, records())
	m.Put("s/s.compaction.json", `{"source_message_count":1,"mess`)
	expect(t, records())
}
