// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// An indexedHome is a home directory with sessions. Its clock is an hour ahead, so that no file has changed just now.
type indexedHome struct {
	t         *testing.T
	home, dir string
	now       time.Time
}

func newIndexedHome(t *testing.T) *indexedHome {
	t.Helper()
	home := t.TempDir()
	h := &indexedHome{t, home, filepath.Join(home, "w"), time.Now().Add(time.Hour)}
	h.writeNotes("What is known.", 1)
	return h
}

// writeNotes writes the file that a prompt names, as it was on a day before the prompt.
func (h *indexedHome) writeNotes(text string, day int) {
	h.t.Helper()
	h.write("w/notes.md", text)
	at := time.Date(2026, 9, day, 8, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(h.dir, "notes.md"), at, at); err != nil {
		h.t.Fatal(err)
	}
}

func (h *indexedHome) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *indexedHome) index() string {
	return filepath.Join(h.home, ".local", "state", "ctx-lsp", state.IndexName)
}

func (h *indexedHome) run(args ...string) string {
	h.t.Helper()
	var out, errs bytes.Buffer
	env := testEnvironment(h.t, &out, &errs)
	env.Dir, env.Columns, env.Now = h.dir, 200, func() time.Time { return h.now }
	env.Getenv = func(name string) string {
		return map[string]string{"HOME": h.home, "USERPROFILE": h.home, "XDG_STATE_HOME": filepath.Join(h.home, ".local", "state")}[name]
	}
	if code := run(context.Background(), env, args); code != exitOK {
		h.t.Fatalf("%v ends with %d: %s", args, code, errs.String())
	}
	return out.String()
}

// same checks that commands print the same with the index as without it, and returns their output. Then the index has
// what was found.
func (h *indexedHome) same(after string) string {
	h.t.Helper()
	all := ""
	for _, args := range [][]string{{"sessions", "--json", "--limit=0"}, {"sessions", "--limit=0"}, {"history", "--first", "--json"}} {
		before, _ := os.ReadFile(h.index())
		with := h.run(args...)
		os.Remove(h.index())
		without := h.run(args...)
		if with != without {
			h.t.Errorf("after %s, %v prints with the index\n%s\nand without it\n%s", after, args, with, without)
		}
		if before != nil {
			if err := os.WriteFile(h.index(), before, 0o600); err != nil {
				h.t.Fatal(err)
			}
		}
		h.run(args...)
		all += without
	}
	return all
}

// indexedSession is a session of Claude Code whose last prompt names a file, which the agent sends without a record.
func (h *indexedHome) indexedSession(id string, tokens int, more string) string {
	cwd := filepath.ToSlash(h.dir)
	head := func(uuid, parent string) string {
		return fmt.Sprintf(`"uuid":%q,"parentUuid":%s,"isSidechain":false,"sessionId":%q,"cwd":%q,"version":"2.1.33"`, uuid, parent, id, cwd)
	}
	return `{"type":"user",` + head("1", "null") + `,"timestamp":"2026-10-01T10:00:00Z","message":{"role":"user","content":"Why is it so?"}}
{"type":"assistant",` + head("2", `"1"`) + `,"timestamp":"2026-10-01T10:00:05Z","message":{"id":"m","role":"assistant","model":"claude-opus-4-6","usage":{"input_tokens":` + fmt.Sprint(tokens) + `,"output_tokens":90},"content":[{"type":"text","text":"Because."}]}}
` + more + `{"type":"user",` + head("3", `"2"`) + `,"timestamp":"2026-10-01T10:00:09Z","message":{"role":"user","content":"Then read @notes.md"}}
`
}

// TestTheIndexIsNeverWrong checks after each change of something that the list of sessions depends on that it is the
// same with the index and without it.
func TestTheIndexIsNeverWrong(t *testing.T) {
	h := newIndexedHome(t)
	const path = ".claude/projects/-w/0197f1c2-0000-7000-8000-000000000001.jsonl"
	id := "0197f1c2-0000-7000-8000-000000000001"
	h.write(path, h.indexedSession(id, 25000, ""))
	h.write(".claude/projects/-w/0197f1c2-0000-7000-8000-000000000002.jsonl", h.indexedSession("0197f1c2-0000-7000-8000-000000000002", 31000, `{"type":"ai-title","aiTitle":"Why is it not so?","sessionId":"0197f1c2-0000-7000-8000-000000000002"}`+"\n"))
	h.same("the first list")
	first := h.same("a list of sessions that are known")
	for _, want := range []string{"Why is it not so?", "Why is it so?"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is missing from\n%s", want, first)
		}
	}
	content, err := os.ReadFile(h.index())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Why is it", "Because", "Then read", "What is known"} {
		if bytes.Contains(content, []byte(text)) {
			t.Errorf("the index contains %q", text)
		}
	}
	info, err := os.Stat(filepath.Join(h.home, path))
	if err != nil {
		t.Fatal(err)
	}

	last := first
	for _, change := range []struct {
		what string
		do   func()
	}{
		{"a changed number in a file of the same size and time", func() {
			h.write(path, h.indexedSession(id, 26000, ""))
			if err := os.Chtimes(filepath.Join(h.home, path), info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}},
		{"a record more", func() {
			h.write(path, h.indexedSession(id, 26000, "")+`{"type":"custom-title","customTitle":"Mine","sessionId":"`+id+`"}`+"\n")
		}},
		{"another title", func() {
			h.write(path, h.indexedSession(id, 26000, "")+`{"type":"custom-title","customTitle":"Ours","sessionId":"`+id+`"}`+"\n")
		}},
		{"a change of a file that is sent", func() { h.writeNotes(strings.Repeat("Much more is known. ", 400), 2) }},
		{"a rule that is sent with it", func() {
			h.write("w/.claude/rules/notes.md", "---\npaths: notes.md\n---\n"+strings.Repeat("Be very brief. ", 300))
		}},
		{"a setting of the user", func() { h.write(".claude/settings.json", `{"env":{"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE":"10"}}`) }},
		{"a reported window", func() {
			state.ReportedWindowsIn(filepath.Join(h.home, ".local", "state", "ctx-lsp")).Keep(transcript.Session{Agent: "claude-code", ID: id}, 1_000_000, "claude-opus-4-6", 0, h.now)
		}},
		{"a file less", func() { os.Remove(filepath.Join(h.home, "w", "notes.md")) }},
		{"a session less", func() { os.Remove(filepath.Join(h.home, path)) }},
	} {
		change.do()
		now := h.same(change.what)
		if now == last {
			t.Errorf("after %s the list is the same, so it proves nothing", change.what)
		}
		last = now
	}
}

// TestADamagedIndexChangesNoList checks that a list is the same whatever the index contains.
func TestADamagedIndexChangesNoList(t *testing.T) {
	h := newIndexedHome(t)
	h.write(".claude/projects/-w/0197f1c2-0000-7000-8000-000000000001.jsonl", h.indexedSession("0197f1c2-0000-7000-8000-000000000001", 25000, ""))
	want := h.run("sessions", "--json")
	good, err := os.ReadFile(h.index())
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 30 {
		bad := bytes.Clone(good)
		for range 1 + random.IntN(4) {
			bad[random.IntN(len(bad))] = byte(random.Uint32())
		}
		if err := os.WriteFile(h.index(), bad[:len(bad)-random.IntN(2)*random.IntN(len(bad))], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := h.run("sessions", "--json"); got != want {
			t.Errorf("the list is\n%s\nwant\n%s", got, want)
		}
	}
	os.Remove(h.index())
	if err := os.Mkdir(h.index(), 0o700); err != nil { // nothing can be kept there
		t.Fatal(err)
	}
	if got := h.run("sessions", "--json"); got != want {
		t.Errorf("without a place for the index the list is\n%s\nwant\n%s", got, want)
	}
}

// TestRecordedSessionsAreTheSameFromTheIndex checks the sessions of CTX_SAMPLES, CTX_TRANSCRIPTS and CTX_FRESH.
func TestRecordedSessionsAreTheSameFromTheIndex(t *testing.T) {
	h := newIndexedHome(t)
	n := 0
	for _, variable := range []string{"CTX_SAMPLES", "CTX_TRANSCRIPTS", "CTX_FRESH"} {
		for agent, place := range map[string]string{
			"claude-code": ".claude/projects/-w/%s-%d.jsonl", "codex": ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-%s-%d.jsonl",
			"pi": ".pi/agent/sessions/--w--/%s-%d.jsonl", "droid": ".factory/sessions/-w/%s-%d.jsonl", "qwen": ".qwen/projects/-w/chats/%s-%d.jsonl",
		} {
			files, _ := filepath.Glob(filepath.Join(os.Getenv(variable), agent, "*.jsonl"))
			for _, file := range files {
				if os.Getenv(variable) == "" {
					continue
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				n++
				h.write(fmt.Sprintf(place, strings.TrimSuffix(filepath.Base(file), ".jsonl"), n), string(text))
			}
		}
	}
	if n == 0 {
		t.Skip("none of CTX_SAMPLES, CTX_TRANSCRIPTS and CTX_FRESH names a directory with sessions")
	}
	h.dir = h.home
	listed := func() string { return h.run("sessions", "--json", "--limit=0") + h.run("sessions", "--limit=0") }
	without := listed()
	if with := listed(); with != without {
		t.Errorf("with the index the list is\n%.3000s\nwant\n%.3000s", with, without)
	}
	t.Logf("%d sessions", n)
}

func TestForgetListsAndRemovesTheIndex(t *testing.T) {
	h := newIndexedHome(t)
	h.write(".claude/projects/-w/0197f1c2-0000-7000-8000-000000000001.jsonl", h.indexedSession("0197f1c2-0000-7000-8000-000000000001", 25000, ""))
	h.run("sessions")
	if _, err := os.Stat(h.index()); err != nil {
		t.Fatal(err)
	}
	if said := h.run("doctor", "--forget", "--yes"); !strings.Contains(said, "what was found in files of sessions") {
		t.Errorf("it lists\n%s", said)
	}
	if _, err := os.Stat(h.index()); err == nil {
		t.Error("the index stays")
	}
}
