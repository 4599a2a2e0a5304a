// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// FuzzStatusInput passes any text to the status line and to a hook, like their agents.
func FuzzStatusInput(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","model":{"id":"claude-opus-4-6","display_name":"Opus"},"context_window":{"total_input_tokens":5,"context_window_size":200000,"current_usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3}},"cwd":"/w","version":"2.1.120"}`))
	f.Add([]byte(`{"session_id":"\u001b]0;x\u0007","model":"\u202e","transcript_path":"/nowhere.jsonl"}`))
	f.Add([]byte(`{"hook_event_name":"PreCompact","transcript_path":"relative","agent_id":"../../x"}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{"context_window":{"current_usage":{"input_tokens":1e99}}}`))
	f.Add([]byte(``))
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, command := range []string{"statusline", "hook"} {
			var out, errs bytes.Buffer
			env := &environment{
				Stdin: bytes.NewReader(input), Stdout: &out, Stderr: &errs, Dir: home, Now: time.Now, Columns: 80, StdoutTerminal: true, StderrTerminal: true,
				Getenv: func(name string) string {
					return map[string]string{"HOME": home, "USERPROFILE": home, "NO_COLOR": "1"}[name]
				},
			}
			code := run(context.Background(), env, []string{command})
			if code != exitOK && code != exitError {
				t.Errorf("%s ends with %d: %s", command, code, errs.String())
			}
			if shown := out.String() + errs.String(); strings.ContainsAny(shown, "\x1b\x07\u202e\r") {
				t.Errorf("%s prints %q", command, shown)
			}
		}
	})
}
