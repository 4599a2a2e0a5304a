// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestARunningDaemonUsesTheReportedWindow checks that clients get a session's Reading with the window that its
// agent has reported, though the transcript has not changed, and that nothing is read again without a report.
func TestARunningDaemonUsesTheReportedWindow(t *testing.T) {
	home := real(t, t.TempDir())
	const id = "55555555-5555-4555-8555-555555555555"
	path := filepath.Join(home, ".claude", "projects", "w", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	records := fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":%[1]q,"version":"2.1.200","cwd":%[2]q,"message":{"role":"user","content":"first"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":%[1]q,"version":"2.1.200","cwd":%[2]q,"message":{"model":"claude-sonnet-4-5","id":"m1","role":"assistant","content":[{"type":"text","text":"an answer"}],"stop_reason":"end_turn","usage":{"input_tokens":20000,"output_tokens":500}}}
`, id, home)
	if err := os.WriteFile(path, []byte(records), 0o644); err != nil {
		t.Fatal(err)
	}
	agent := &reportingAgent{}
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: home, Source: sessions.NewFinder(environment), Machine: &follow.Machine{Host: environment, Windows: agent}})
	c := start(t, s)
	c.call("ctx/watch", `{}`)
	limited := func(limit int64, source string) {
		t.Helper()
		for {
			var r struct {
				Limit       int64
				LimitSource string
			}
			if err := json.Unmarshal(c.note("ctx/reading").Params, &r); err != nil {
				t.Fatal(err)
			}
			if r.Limit == limit && r.LimitSource == source {
				return
			}
		}
	}
	agent.report("claude-sonnet-4-5", 300_000)
	limited(300_000, "agentNow")
	agent.report("claude-sonnet-4-5[1m]", 1_000_000)
	limited(1_000_000, "agentNow")

	asked, checked := agent.counts()
	for _, now := agent.counts(); now < checked+2; _, now = agent.counts() {
		time.Sleep(10 * time.Millisecond)
	}
	if now, _ := agent.counts(); now > asked+1 {
		t.Errorf("while nothing was said the agent's message was read %d times", now-asked)
	}
}

// A reportingAgent simulates the reports of an agent.
type reportingAgent struct {
	mu             sync.Mutex
	window         *state.ReportedWindow
	changed        time.Time
	asked, checked int
}

func (a *reportingAgent) report(model string, window int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.window, a.changed = &state.ReportedWindow{Window: window, Model: model}, a.changed.Add(time.Second)
}

func (a *reportingAgent) Of(transcript.Session) *state.ReportedWindow {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	return a.window
}

func (a *reportingAgent) Changed() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checked++
	return a.changed
}

func (a *reportingAgent) counts() (asked, checked int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked, a.checked
}
