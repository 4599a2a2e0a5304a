// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// compactedSession is a session of Claude Code with a cache of an hour, which was compacted by itself.
const compactedSession = `{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w/shop","sessionId":"5f0c1f0e-0000-4000-8000-000000000001","version":"2.1.330","type":"user","message":{"role":"user","content":"Begin."},"uuid":"u1","timestamp":"2026-11-26T14:00:00.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/w/shop","sessionId":"5f0c1f0e-0000-4000-8000-000000000001","version":"2.1.330","type":"assistant","message":{"model":"claude-opus-4-5","id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_creation_input_tokens":166900,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":166900},"output_tokens":200}},"uuid":"a1","timestamp":"2026-11-26T14:00:10.000Z"}
{"parentUuid":null,"logicalParentUuid":"a1","isSidechain":false,"cwd":"/w/shop","sessionId":"5f0c1f0e-0000-4000-8000-000000000001","version":"2.1.330","type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":167103},"uuid":"b1","timestamp":"2026-11-26T14:00:40.000Z"}
{"parentUuid":"b1","isSidechain":false,"cwd":"/w/shop","sessionId":"5f0c1f0e-0000-4000-8000-000000000001","version":"2.1.330","type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session is being continued. Nothing was done."},"uuid":"u2","timestamp":"2026-11-26T14:00:41.000Z"}
{"parentUuid":"u2","isSidechain":false,"cwd":"/w/shop","sessionId":"5f0c1f0e-0000-4000-8000-000000000001","version":"2.1.330","type":"assistant","message":{"model":"claude-opus-4-5","id":"msg_2","type":"message","role":"assistant","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_creation_input_tokens":30000,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":30000},"output_tokens":100}},"uuid":"a2","timestamp":"2026-11-26T14:01:00.000Z"}
`

// TestComingBackIsShownByEveryCommand checks the output of commands for one real transcript at several times.
func TestComingBackIsShownByEveryCommand(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".claude", "projects", "-w-shop", "5f0c1f0e-0000-4000-8000-000000000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(compactedSession), 0o644); err != nil {
		t.Fatal(err)
	}
	asked := time.Date(2026, 11, 26, 14, 1, 0, 0, time.UTC)
	if err := os.Chtimes(path, asked, asked); err != nil {
		t.Fatal(err)
	}
	ran := func(after time.Duration, stdin string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		env := &environment{
			Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Dir: t.TempDir(), Columns: 80,
			Now: func() time.Time { return asked.Add(after) },
			Getenv: func(name string) string {
				return map[string]string{"HOME": home, "USERPROFILE": home, "NO_COLOR": "1", "CTX_STATE_DIR": filepath.Join(home, "state"), "CTX_CACHE_DIR": filepath.Join(home, "cache")}[name]
			},
		}
		if args[0] == "status" || args[0] == "history" || args[0] == "forgot" {
			args = append(args, path)
		}
		if code := run(context.Background(), env, args); code != exitOK {
			t.Fatalf("%q: %d %s", args, code, errs.String())
		}
		if errs.Len() > 0 {
			t.Logf("%q: %s", args, errs.String())
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	message := map[string]any{
		"session_id": "5f0c1f0e-0000-4000-8000-000000000001", "transcript_path": path, "cwd": "/w/shop", "version": "2.1.330",
		"model": map[string]string{"id": "claude-opus-4-5"},
	}
	line, _ := json.Marshal(message)
	message["hook_event_name"] = "UserPromptSubmit"
	event, _ := json.Marshal(message)
	const verdict = "Compacted automatically at 167,103 tokens, as predicted: the compaction threshold was 167,000."
	for _, c := range []struct {
		after time.Duration
		stdin string
		args  string
		wants string // parts, with | between them; those after ! must be absent
	}{
		{0, "", "status", verdict + "|Cache compacting now frees |it would rewrite "},
		{10 * time.Hour, "", "status", "Cache cold: the next prompt rewrites "},
		{0, "", "status --all", verdict + "|cold in "},
		{0, "", "history", verdict + "|2026-11-26 14:00"},
		{0, "", "forgot", verdict},
		{0, "", "forgot --json", `"verdict":{"at":|"trigger":"auto"`},
		{0, "", "sessions", "CACHE|m "},
		{10 * time.Hour, "", "sessions", " cold "},
		{0, "", "sessions --json", `"cache":"warm"|"back":{"warmUntil":`},
		{10 * time.Hour, "", "sessions --json", `"cache":"cold"`},
		{time.Minute, string(line), "statusline --plain --timeout=30s", "15%|!cold"},
		{58 * time.Minute, string(line), "statusline --plain --timeout=30s", "15%|cold"},
		{10 * time.Hour, string(line), "statusline --plain --timeout=30s", "- cold: 30"},
		{10 * time.Hour, string(line), "statusline --plain --timeout=30s --template={percent}", "15%|!cold"},
		{0, string(event), "hook --at=1 --always --timeout=30s", "The last compaction: " + verdict},
	} {
		got := ran(c.after, c.stdin, strings.Fields(c.args)...)
		for _, want := range strings.Split(c.wants, "|") {
			absent, not := strings.CutPrefix(want, "!")
			if not == strings.Contains(got, absent) {
				t.Errorf("after %s, %s: want %q in\n%s", c.after, c.args, want, got)
			}
		}
	}
}
