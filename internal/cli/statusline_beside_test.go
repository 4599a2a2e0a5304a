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

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTheLineReadsFilesNextToTheTranscript checks that a shell's line has the number and the range of status when the
// transcript stays as it is: when only a file next to it changes, such as Cline's after a compaction, and when the
// agent has reported another prompt since.
func TestTheLineReadsFilesNextToTheTranscript(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	work, _ := json.Marshal(env.Dir)
	stem := filepath.Join(env.Getenv("HOME"), ".cline/data/sessions/1796059007070_abcde/1796059007070_abcde")
	before := time.Now().Add(-time.Minute)
	put := func(name, text string) {
		t.Helper()
		dirstest.Write(t, stem+name, text)
		if err := os.Chtimes(stem+name, before, before); err != nil {
			t.Fatal(err)
		}
	}
	put(".json", `{"session_id":"1796059007070_abcde","model":"gpt-5.5","provider":"openai","started_at":"`+before.UTC().Format("2006-01-02T15:04:05.000Z")+`","cwd":`+string(work)+`}`)
	message := func(id, role, text, more string) string {
		return fmt.Sprintf(`{"id":%q,"role":%q,"content":[{"type":"text","text":%q}]%s}`, id, role, text, more)
	}
	put(".messages.json", `{"sessionId":"1796059007070_abcde","agent":"lead","messages":[`+message("m1", "user", strings.Repeat("Please work on it. ", 3000), "")+`,`+
		message("m2", "assistant", "Done.", `,"metrics":{"inputTokens":17000,"outputTokens":40,"cacheReadTokens":0,"cacheWriteTokens":0}`)+`]}`)
	type shown struct {
		Used       int64
		Compaction struct{ Count int64 }
		Range      struct{ Low, High int64 }
		Display    struct{ Mark string }
	}
	read := func(args ...string) (r shown) {
		t.Helper()
		out.Reset()
		if code := run(context.Background(), env, args); code != exitOK {
			t.Fatalf("%v exits with %d: %s", args, code, errs.String())
		}
		if err := json.Unmarshal([]byte(strings.TrimSpace(out.String())), &r); err != nil {
			t.Fatalf("%v: %.200s", args, out.String())
		}
		return r
	}
	check := func(compactions int64) {
		t.Helper()
		status := read("status", "--json")
		if status.Compaction.Count != compactions {
			t.Fatalf("status has %d compactions: %+v", status.Compaction.Count, status)
		}
		for range 2 { // read, and from the last Reading
			if line := read("statusline", "--for=shell", "--here", "--json", "--timeout=1m"); line != status {
				t.Errorf("the line has %+v, and status %+v", line, status)
			}
		}
	}
	check(0)
	for _, prompt := range []int64{17_000, 9_000} {
		state.ReportedWindowsIn(env.machine().Host.StateDir()).Keep(transcript.Session{Agent: agent.Cline, ID: "1796059007070_abcde"}, 128_000, "gpt-5.5", prompt, time.Now())
		check(0)
	}
	put(".compaction.json", `{"source_message_count":2,"source_last_message_key":"id:m2","messages":[`+message("s", "user", "It was worked on.", "")+`]}`)
	check(1)
}
