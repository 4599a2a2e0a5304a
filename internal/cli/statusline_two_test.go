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

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestTheLineFollowsTheSessionThatWorks checks that with two sessions in a directory a shell's line shows the one that
// status shows, also within the seconds in which the last choice is still in a note.
func TestTheLineFollowsTheSessionThatWorks(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	work, _ := json.Marshal(env.Dir)
	ids := []string{"019f0e1c-0000-7000-8000-00000000000a", "019f0e1c-0000-7000-8000-00000000000b"}
	paths := make([]string, len(ids))
	begun := time.Now().Add(-time.Hour).UTC()
	at := begun.Format("2006-01-02T15:04:05.000Z")
	write := func(i int, changed time.Time) {
		paths[i] = filepath.Join(env.Getenv("HOME"), ".codex/sessions", begun.Format("2006/01/02"), "rollout-"+begun.Format("2006-01-02T15-04-05")+"-"+ids[i]+".jsonl")
		if _, err := os.Stat(paths[i]); err != nil {
			dirstest.Write(t, paths[i], `{"timestamp":"`+at+`","type":"session_meta","payload":{"id":"`+ids[i]+`","cli_version":"0.171.0","cwd":`+string(work)+`}}
{"timestamp":"`+at+`","type":"turn_context","payload":{"model":"gpt-5.5","cwd":`+string(work)+`}}
`)
		}
		if err := os.Chtimes(paths[i], changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	shown := func(args ...string) string {
		t.Helper()
		out.Reset()
		if code := run(context.Background(), env, args); code != exitOK {
			t.Fatalf("%v exits with %d: %s", args, code, errs.String())
		}
		var r struct{ Session string }
		if err := json.Unmarshal([]byte(strings.TrimSpace(out.String())), &r); err != nil {
			t.Fatalf("%v: %.200s", args, out.String())
		}
		return r.Session
	}
	now := time.Now()
	write(1, now.Add(-2*time.Minute))
	write(0, now.Add(-time.Minute))
	for i, working := range []int{0, 1, 0, 0, 1} {
		write(working, now.Add(time.Duration(i)*time.Second))
		status := shown("status", "--json")
		line := shown("statusline", "--for=shell", "--here", "--json", "--timeout=1m")
		if line != status || line != ids[working] {
			t.Errorf("%d: the line shows %s and status %s, and %s works", i, line, status, ids[working])
		}
	}
}
