// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestATranscriptIsReadOnInANewDaemon sends one half of a transcript to a daemon that is then killed, and the other
// half to another.
func TestATranscriptIsReadOnInANewDaemon(t *testing.T) {
	for _, file := range []string{"claude-code/turns", "codex/rolled-back", "opencode/rows"} {
		text, err := os.ReadFile("../testdata/sessions/" + file + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		records := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		half := len(records) / 2
		daemon := func(saves *state.Ledgers) *testClient {
			pool, err := engine.Open("native", "", engine.Options{Instances: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { pool.Close() })
			return start(t, newTestServer(t, Options{State: saves, Now: func() time.Time { return time.UnixMilli(1_795_000_000_000) }, Engine: func(context.Context) (Engine, error) { return pool, nil }}))
		}
		send := func(c *testClient, records [][]byte) string {
			return string(c.call("ctx/session/records", `{"id":"a","records":[`+string(bytes.Join(records, []byte(",")))+`]}`))
		}
		unbroken := daemon(nil)
		unbroken.call("ctx/session/open", `{"id":"a"}`)
		send(unbroken, records[:half])
		want := send(unbroken, records[half:])

		dir := t.TempDir()
		saves := state.OpenLedgers(dir)
		before := daemon(saves)
		before.call("ctx/session/open", `{"id":"a","resume":true}`)
		send(before, records[:half])
		killed(saves)
		after := daemon(state.OpenLedgers(dir))
		after.call("ctx/session/open", `{"id":"a","resume":true}`)
		if got := send(after, records[half:]); got != want {
			t.Errorf("%s: read on as\n%s\nunbroken\n%s", file, got, want)
		}
	}
}
