// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// junieEvent returns a record of an event on Junie's screen.
func junieEvent(at int, event string) string {
	return fmt.Sprintf(`{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"agent":{"kind":"MainAgent","id":"main"},%s}},"taskId":"t1","timestampMs":%d}`, event, 1787663400000+at)
}

// junieUsage returns the record of a response's usage.
func junieUsage(at int, model string, in, read, write, out int) string {
	return junieEvent(at, fmt.Sprintf(`"kind":"LlmResponseMetadataEvent","modelUsage":[{"model":%q,"cost":0.1,"inputTokens":%d,"cacheInputTokens":%d,"cacheCreateTokens":%d,"outputTokens":%d,"time":0}]`, model, in, read, write, out))
}

var junieEvents = []string{
	`{"kind":"UserPromptEvent","requestId":"p1","prompt":"Which teas?","presentablePrompt":"Which teas?","timestampMs":1787663400000}`,
	`{"kind":"TaskStartedEvent","taskId":"t1","timestampMs":1787663400001}`,
	junieEvent(2, `"kind":"CurrentDirectoryUpdatedEvent","currentDirectory":""`),
	junieEvent(3, `"kind":"CurrentDirectoryUpdatedEvent","currentDirectory":"/w/shop"`),
	junieUsage(4, "small", 3125, 0, 0, 9),
	junieUsage(5, "claude-opus-5", 1, 0, 18631, 120),
	junieEvent(6, `"kind":"ContextWindowReportEvent","percentage":1.8632,"used":18632,"size":1000000`),
	junieEvent(7, `"kind":"AgentThoughtBlockUpdatedEvent","stepId":"s1","text":"I look."`),
	junieEvent(8, `"kind":"TerminalBlockUpdatedEvent","stepId":"s2","status":"IN_PROGRESS","command":"cat teas.txt"`),
	junieEvent(9, `"kind":"AgentTaskNameUpdatedEvent","name":"Teas"`),
	junieEvent(10, `"kind":"TerminalBlockUpdatedEvent","stepId":"s2","status":"COMPLETED","command":"cat teas.txt","output":"assam","exitCode":0`),
	strings.Replace(junieUsage(11, "claude-opus-5", 2, 0, 900, 5), `"MainAgent"`, `"CustomAgent"`, 1),
	junieUsage(12, "claude-opus-5", 2, 18631, 4826, 266),
	junieEvent(13, `"kind":"ContextWindowReportEvent","percentage":2.3459,"used":23459,"size":1000000`),
	junieEvent(14, `"kind":"ResultBlockUpdatedEvent","stepId":"s3","result":"Assam.","errorCode":"Submit","cancelled":false`),
	`{"kind":"TaskState","state":"COMPLETED","timestampMs":1787663400015}`,
	junieUsage(16, "small", 794, 0, 0, 6),
}

func junieIn(t testing.TB, folder string, lines ...string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "events.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheSessionsOfJunie checks that a request is measured with its cached part, that requests for other purposes are
// apart from the conversation, and that a step which is recorded again is one step.
func TestTheSessionsOfJunie(t *testing.T) {
	home := t.TempDir()
	path := junieIn(t, filepath.Join(home, "session-1"), junieEvents...)
	if err := os.WriteFile(filepath.Join(home, "session-1", "state.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	var found []string
	if err := listJunie(Root{Agent: agent.Junie, Path: home}, func(c Candidate) { found = append(found, c.ID) }); err != nil || len(found) != 1 || found[0] != "session-1" {
		t.Errorf("%v, %v", found, err)
	}
	if s := list(t, agent.Junie, path); s[0].ID != "session-1" || s[0].Workspace != "/w/shop" {
		t.Errorf("%+v", s)
	}
	if err := os.WriteFile(filepath.Join(home, "index.jsonl"), []byte(`{"sessionId":"other","projectDir":"/w/x"}`+"\n"+`{"sessionId":"session-1","projectDir":"/w/tea"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := list(t, agent.Junie, path); s[0].Workspace != "/w/tea" {
		t.Errorf("%+v", s)
	}
	// 18,632 is 1 and 18,631 written; 23,459 is 2, 18,631 read and 4,826 written.
	want := []string{
		"in /w/shop", "title Teas", "model claude-opus-5 of ", "window 1000000 input -1 output -1", "turn", `user  "Which teas?"`,
		"used in 3125 out 9 reasoning -1 read 0 write 0 through 1 by , side",
		"used in 18632 out 120 reasoning -1 read 0 write 18631 through 1 by claude-opus-5",
		`assistant  "I look."`, `toolCalls terminal "cat teas.txt"`, `toolResults terminal "assam" for 2`,
		"used in 23459 out 266 reasoning -1 read 18631 write 4826 through 4 by claude-opus-5",
		`assistant  "Assam."`, "used in 794 out 6 reasoning -1 read 0 write 0 through 5 by , side", "over",
	}
	expect(t, events(t, agent.Junie, path, "session-1"), want...)
	// At the end of the task, its steps are recorded once more.
	again := append(append([]string(nil), junieEvents...),
		junieEvent(17, `"kind":"AgentThoughtBlockUpdatedEvent","stepId":"s1","text":"I look."`),
		junieEvent(18, `"kind":"TerminalBlockUpdatedEvent","stepId":"s2","status":"COMPLETED","command":"cat teas.txt","output":"assam","exitCode":0`))
	expect(t, events(t, agent.Junie, junieIn(t, filepath.Join(home, "session-2"), again...), "session-2"), want...)
}

// TestRequestsOfJunieWithoutReports checks which requests are the conversation's if Junie reports no size of the
// window.
func TestRequestsOfJunieWithoutReports(t *testing.T) {
	path := junieIn(t, t.TempDir(), junieEvents[0], junieUsage(1, "small", 300, 0, 0, 9), junieUsage(2, "large", 10, 4000, 0, 20), junieUsage(3, "large", 500, 4000, 0, 30), junieUsage(4, "", 0, 0, 0, 0))
	expect(t, events(t, agent.Junie, path, "x"), "model large of ", "turn", `user  "Which teas?"`,
		"used in 300 out 9 reasoning -1 read 0 write 0 through 1 by , side",
		"used in 4010 out 20 reasoning -1 read 4000 write 0 through 1 by large",
		"used in 4500 out 30 reasoning -1 read 4000 write 0 through 1 by large")
}

func FuzzJunie(f *testing.F) {
	for _, line := range junieEvents {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		path := junieIn(t, t.TempDir(), junieEvents[8], string(line), junieEvents[10])
		to := transcript.StoreWriter{By: agent.Junie}
		if writeJunie(context.Background(), path, "", &to) == nil {
			readable(t, agent.Junie, to.Records)
		}
	})
}
