// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hookWith runs the hook command on a transcript of Claude Code whose last request had this number of tokens.
func hookWith(t *testing.T, home, event string, in int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	transcript := filepath.Join(home, "22222222-2222-4222-8222-222222222222.jsonl")
	records := fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"userType":"external","sessionId":"s","version":"2.1.200","cwd":"/w","message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:00:00.000Z"}
{"type":"assistant","uuid":"u2","parentUuid":"u1","isSidechain":false,"userType":"external","sessionId":"s","version":"2.1.200","cwd":"/w","message":{"model":"claude-sonnet-4-5","id":"m1","role":"assistant","content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":5}},"requestId":"q1","timestamp":"2026-11-01T10:00:01.000Z"}
`, in)
	if err := os.WriteFile(transcript, []byte(records), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := &environment{
		Stdin:  strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":"/w","hook_event_name":%q}`, transcript, event)),
		Stdout: &out, Stderr: &errs, Dir: home, Now: time.Now, Columns: 80,
		Getenv: func(name string) string {
			if name == "HOME" || name == "USERPROFILE" {
				return home
			}
			return ""
		},
	}
	code = run(context.Background(), env, append([]string{"hook", "--timeout=1m"}, args...))
	return code, out.String(), errs.String()
}

type hookAnswer struct {
	SystemMessage      string
	HookSpecificOutput struct{ HookEventName, AdditionalContext string }
}

func TestAHookReportsEachThresholdOnce(t *testing.T) {
	home := t.TempDir()
	if code, out, errs := hookWith(t, home, "UserPromptSubmit", 20_000); code != 0 || out != "" || errs != "" {
		t.Fatalf("far from the line: %d %q %q", code, out, errs)
	}
	var answer hookAnswer
	code, out, errs := hookWith(t, home, "UserPromptSubmit", 160_000)
	if err := json.Unmarshal([]byte(out), &answer); err != nil || code != 0 {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	output := answer.HookSpecificOutput
	if output.HookEventName != "UserPromptSubmit" || !strings.Contains(output.AdditionalContext, "80% full") || !strings.Contains(output.AdditionalContext, "compacted at 167k") {
		t.Errorf("%+v", output)
	}
	if _, out, _ := hookWith(t, home, "PostToolUse", 161_000); out != "" {
		t.Errorf("said twice: %s", out)
	}
	if _, out, _ := hookWith(t, home, "PostToolUse", 168_000); !strings.Contains(out, "past the compaction threshold of 167k") {
		t.Errorf("the next threshold: %q", out)
	}
}

func TestAHookWithoutContextWritesToTheUser(t *testing.T) {
	code, out, _ := hookWith(t, t.TempDir(), "PreCompact", 168_000)
	var answer hookAnswer
	if err := json.Unmarshal([]byte(out), &answer); err != nil || code != 0 || answer.SystemMessage == "" || answer.HookSpecificOutput.HookEventName != "" {
		t.Errorf("%d %q", code, out)
	}
}

// TestInputFromPowerShellIsRead checks hooks and status lines run by a PowerShell script, which writes a byte order
// mark first.
func TestInputFromPowerShellIsRead(t *testing.T) {
	for _, command := range []string{"hook", "statusline"} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		env.Stdin = strings.NewReader("\xef\xbb\xbf" + `{"session_id":"nobody","transcript_path":"","hook_event_name":""}` + "\r\n")
		run(context.Background(), env, []string{command})
		if printed := out.String() + errs.String(); strings.Contains(printed, "not JSON") || printed == "" {
			t.Errorf("%s says %q", command, printed)
		}
	}
}

func TestAHookNeverExitsWithTwo(t *testing.T) {
	for _, test := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"hook"}},
		{"{", []string{"hook"}},
		{"{}", []string{"hook"}},
		{`{"transcript_path":"/nowhere"}`, []string{"hook"}},
		{"{}", []string{"hook", "--nothing"}},
		{"{}", []string{"hook", "word"}},
		{"{}", []string{"hook", "--from=never"}},
	} {
		code, out, errs := runWith(t, test.stdin, test.args...)
		if code != 1 || out != "" || errs == "" {
			t.Errorf("%q %q: %d %q %q", test.args, test.stdin, code, out, errs)
		}
	}
}

// TestAHookReadsALongSessionLikeStatus checks that the agent, the window, the threshold and every request are known for
// a session of Codex whose end contains none of them.
func TestAHookReadsALongSessionLikeStatus(t *testing.T) {
	f := &frontEnds{t: t}
	f.env = testEnvironment(t, &f.out, &f.errs)
	f.path = filepath.Join(f.env.Dir, "rollout-2026-06-25T08-00-00-0197a000-0000-7000-8000-000000000009.jsonl")
	lines := []string{
		`{"timestamp":"2026-06-25T08:00:00.000Z","type":"session_meta","payload":{"id":"0197a000-0000-7000-8000-000000000009","cwd":"/w","cli_version":"0.142.0","model_provider":"openai"}}`,
		`{"timestamp":"2026-06-25T08:00:01.000Z","type":"turn_context","payload":{"cwd":"/w","model":"gpt-5.5","effort":"medium"}}`,
	}
	for i := range 60 {
		lines = append(lines,
			fmt.Sprintf(`{"timestamp":"2026-06-25T08:01:%02d.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c%d","output":%q}}`, i, i, strings.Repeat("a line\n", 1300)),
			fmt.Sprintf(`{"timestamp":"2026-06-25T08:01:%02d.500Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":10,"total_tokens":%d},"model_context_window":258400}}}`, i, 10_000+3000*i, 10_010+3000*i))
	}
	if err := os.WriteFile(f.path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	event := fmt.Sprintf(`{"session_id":"0197a000-0000-7000-8000-000000000009","turn_id":"1","transcript_path":%s,"cwd":"/w","hook_event_name":"PostToolUse","model":"gpt-5.5"}`, quoted(f.path))
	got, want := f.reading(event, "hook", "--json", "--always", "--timeout=1m"), f.reading("", "status", "--json", f.path)
	if got == nil || got.Agent != "codex" || got.Compaction.Threshold == nil || numbersOf(got) != numbersOf(want) {
		t.Errorf("it answers %s; status answers %s: %s", numbersOf(got), numbersOf(want), f.errs.String())
	}
}
