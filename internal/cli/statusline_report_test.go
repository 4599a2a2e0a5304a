// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// TestStatuslineAndStatusTakeANewerReport checks the status line's message after a rewind, and after a change of model:
// nothing is recorded yet, so the message has the newer number and model. `ctx-lsp status` shows the same afterwards,
// until the transcript is written again.
func TestStatuslineAndStatusTakeANewerReport(t *testing.T) {
	record := func(n, in int) string {
		parent := "null"
		if n > 1 {
			parent = fmt.Sprintf(`"a%d"`, n-1)
		}
		return fmt.Sprintf(`{"type":"user","uuid":"u%[1]d","parentUuid":%[3]s,"isSidechain":false,"sessionId":"s","version":"2.1.300","cwd":"/w","message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:0%[1]d:00.000Z"}
{"type":"assistant","uuid":"a%[1]d","parentUuid":"u%[1]d","isSidechain":false,"sessionId":"s","version":"2.1.300","cwd":"/w","message":{"id":"m%[1]d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"hello"}],"usage":{"input_tokens":%[2]d,"output_tokens":10}},"timestamp":"2026-11-01T10:0%[1]d:05.000Z"}
`, n, in, parent)
	}
	for name, c := range map[string]struct {
		model string
		in    int
		age   time.Duration
		want  string
	}{
		"no change":             {"claude-opus-4-6", 45_852, time.Hour, "45,862 claude-opus-4-6"},
		"a rewind":              {"claude-opus-4-6", 34_706, time.Hour, "~34,716 claude-opus-4-6"},
		"a record on its way":   {"claude-opus-4-6", 34_706, 0, "45,862 claude-opus-4-6"},
		"another model":         {"claude-sonnet-4-5", 45_852, time.Hour, "~45,862 claude-sonnet-4-5"},
		"both, a model rewound": {"claude-sonnet-4-5", 34_706, time.Hour, "~34,716 claude-sonnet-4-5"},
	} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		path := env.Dir + "/s.jsonl"
		write := func(text string, at time.Time) {
			t.Helper()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		write(record(1, 34_706)+record(2, 45_852), env.Now().Add(-c.age))
		env.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"model":{"id":%q},"version":"2.1.300","context_window":{"context_window_size":200000,"current_usage":{"input_tokens":%d,"output_tokens":10}}}`, path, c.model, c.in))
		if code := run(context.Background(), env, []string{"statusline", "--timeout=30s", "--json"}); code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		shown := func() string {
			t.Helper()
			r, err := terminal.Parse(bytes.TrimSpace(out.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			out.Reset()
			mark := ""
			if r.Range.Cause.Text != "" {
				mark = "~"
			}
			return fmt.Sprintf("%s%s %s", mark, terminal.Digits(r.Used), r.Model)
		}
		status := func() string {
			t.Helper()
			if code := run(context.Background(), env, []string{"status", path, "--json"}); code != exitOK {
				t.Fatalf("exit code %d: %s", code, errs.String())
			}
			return shown()
		}
		if got := shown(); got != c.want {
			t.Errorf("%s: the line shows %s, want %s", name, got, c.want)
		}
		if got := status(); got != c.want {
			t.Errorf("%s: status shows %s, want %s", name, got, c.want)
		}
		clock := env.Now
		env.Now = func() time.Time { return clock().Add(3 * time.Minute) }
		if code := run(context.Background(), env, []string{"status", path}); code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		rewound := strings.HasPrefix(c.want, "~34,716")
		if aged := strings.Contains(out.String(), "number reported 3m ago"); aged != rewound {
			t.Errorf("%s: status dates the number: %v\n%s", name, aged, out.String())
		}
		env.Now = clock
		out.Reset()
		write(record(1, 34_706)+record(2, 45_852)+record(3, 55_000), env.Now().Add(time.Second))
		if got, want := status(), "55,010 claude-opus-4-6"; got != want {
			t.Errorf("%s, and another request: status shows %s, want %s", name, got, want)
		}
	}
}
