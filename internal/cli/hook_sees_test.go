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

// TestAHookBeforeAReadReportsWhatTheRequestHas checks the answer of hook --sees before a read: the lines of a file that
// the agent has read, nothing for other files, for files outside of the workspace, and at other events. It never
// decides about the read, and never exits with 2.
func TestAHookBeforeAReadReportsWhatTheRequestHas(t *testing.T) {
	home := t.TempDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	work := filepath.Join(home, "work")
	write := func(path, text string) string {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	box := write(filepath.Join(work, "box.go"), "package box\n\nvar size = 3\nvar lid = shut\nvar key = none\n")
	other := write(filepath.Join(work, "other.go"), "package box\n")
	outside := write(filepath.Join(home, "box.go"), "package box\n\nvar size = 3\nvar lid = shut\n")
	record := func(kind, id, parent string, message map[string]any) string {
		line, _ := json.Marshal(map[string]any{"type": kind, "uuid": id, "parentUuid": parent, "isSidechain": false, "sessionId": "s", "version": "2.1.200", "cwd": work,
			"timestamp": "2026-11-01T10:00:00.000Z", "requestId": "q" + id, "message": message})
		return string(line) + "\n"
	}
	transcript := write(filepath.Join(home, "s.jsonl"),
		record("assistant", "1", "0", map[string]any{"id": "m1", "role": "assistant", "model": "claude-sonnet-4-5", "usage": map[string]any{"input_tokens": 10, "output_tokens": 5},
			"content": []any{map[string]any{"type": "tool_use", "id": "t1", "name": "Read", "input": map[string]any{"file_path": box, "limit": 4}}}})+
			record("user", "2", "1", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t1",
				"content": "     1\tpackage box\n     2\t\n     3\tvar size = 3\n     4\tvar lid = shut"}}}))
	ask := func(event, path string) (string, int) {
		var out, errs bytes.Buffer
		env := &environment{
			Stdin:  strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":%q,"hook_event_name":%q,"tool_name":"Read","tool_input":{"file_path":%q}}`, transcript, work, event, path)),
			Stdout: &out, Stderr: &errs, Dir: home, Now: time.Now, Columns: 80,
			Getenv: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		}
		code := run(context.Background(), env, []string{"hook", "--sees", "--timeout=1m"})
		return out.String() + errs.String(), code
	}
	name, _ := json.Marshal(box + ": in the request as on disk: 1-4; the rest never sent.")
	want := fmt.Sprintf(`{"hookSpecificOutput":{"additionalContext":%s,"hookEventName":"PreToolUse"}}`+"\n", name)
	if got, code := ask("PreToolUse", box); got != want || code != exitOK {
		t.Errorf("%d %s, expected %s", code, got, want)
	}
	for _, each := range [][2]string{{"PreToolUse", other}, {"PreToolUse", outside}, {"PreToolUse", filepath.Join(work, "none.go")}, {"PreToolUse", ""}, {"PostToolUse", box}} {
		if got, code := ask(each[0], each[1]); got != "" || code != exitOK {
			t.Errorf("%s of %q: %d %q", each[0], each[1], code, got)
		}
	}
}
