// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// The log of Copilot CLI 1.0.91: two turns, the first of which calls a tool and starts a sub-agent.
const copilotLog = `{"type":"session.start","data":{"sessionId":"s1","version":1,"producer":"copilot-agent","copilotVersion":"1.0.91","selectedModel":"auto","context":{"cwd":"/w/shop"}},"id":"e1","timestamp":"2026-10-04T10:00:00Z","parentId":null}
{"type":"user.message","data":{"content":"Why?","transformedContent":"Why?"},"id":"e2","timestamp":"2026-10-04T10:00:01Z","parentId":"e1"}
{"type":"assistant.message","data":{"messageId":"m1","model":"gpt-6-luna","content":"I look.","toolRequests":[{"toolCallId":"c1","name":"view","arguments":{"path":"a"}}],"turnId":"0","apiCallId":"r1"},"id":"e3","timestamp":"2026-10-04T10:00:02Z","parentId":"e2"}
{"type":"assistant.message","data":{"messageId":"m9","model":"gpt-6-luna","content":"A child.","toolRequests":[],"turnId":"0","apiCallId":"r9","parentToolCallId":"c7"},"id":"e9","timestamp":"2026-10-04T10:00:02Z","parentId":"e3"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"const a = 1"}},"id":"e4","timestamp":"2026-10-04T10:00:03Z","parentId":"e3"}
{"type":"user.message","data":{"content":"<skill/>","source":"skill-plans"},"id":"e5","timestamp":"2026-10-04T10:00:03Z","parentId":"e4"}
{"type":"assistant.message","data":{"messageId":"m2","model":"gpt-6-luna","content":"It is one.","toolRequests":[],"turnId":"1","apiCallId":"r2"},"id":"e6","timestamp":"2026-10-04T10:00:04Z","parentId":"e5"}
`

const copilotSecond = `{"type":"user.message","data":{"content":"Thanks.","transformedContent":"Thanks."},"id":"f1","timestamp":"2026-10-04T10:01:00Z","parentId":"e6"}
{"type":"assistant.message","data":{"messageId":"m3","model":"gpt-6-luna","content":"Welcome.","toolRequests":[],"turnId":"0","apiCallId":"r3"},"id":"f2","timestamp":"2026-10-04T10:01:01Z","parentId":"f1"}
`

// measuredPrompts returns the prompts that the engine has taken as measured, and the session's warnings.
func measuredPrompts(t *testing.T, feed *Feed, steps *[]string) (reading json.Value) {
	t.Helper()
	feed.OnStep = func(s Step) { *steps = append(*steps, fmt.Sprint(s.Actual)) }
	text, err := feed.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	v, err := json.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCopilotsSessionStoreMeasuresItsLog checks the join of Copilot CLI's log with the database that contains the
// provider's measurements: in the order of each turn's answers, without sub-agents and the request that compacts;
// whether the rows arrive before an answer or after it; and not if an answer contradicts a row.
func TestCopilotsSessionStoreMeasuresItsLog(t *testing.T) {
	m := dirstest.NewMachine(t)
	log := m.Put(".copilot/session-state/s1/events.jsonl", copilotLog)
	db := dirstest.OpenCodeDatabase(t, m.Home+"/.copilot/session-store.db", "wal")
	dirstest.Run(t, db, `CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, turn_index INTEGER, model TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER, initiator TEXT, finish_reason TEXT, agent_id TEXT, parent_tool_call_id TEXT)`)
	row := func(session string, turn, in int, finish, initiator, agent string) {
		dirstest.Run(t, db, `INSERT INTO assistant_usage_events (session_id, turn_index, model, input_tokens, output_tokens, cache_read_tokens, finish_reason, initiator, agent_id) VALUES (?,?,'gpt-6-luna',?,60,?,?,?,?)`, session, turn, in, in/2, finish, initiator, agent)
	}
	row("other", 0, 99_000, "stop", "", "")
	row("s1", 0, 13_413, "tool_calls", "", "")
	row("s1", 0, 5_000, "stop", "", "explore")
	row("s1", 0, 77_000, "stop", "compaction", "")
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	feed := NewFeed(transcript.Session{Agent: "copilot-cli", ID: "s1", Path: log, Form: transcript.Lines}, pool.Call)
	var steps []string
	reading := measuredPrompts(t, feed, &steps)
	if in := string(reading.Path("lastRequest", "in").Raw()); in != "13413" || strings.Contains(string(reading.Raw()), "does not record") {
		t.Errorf("the first request had %s:\n%s", in, reading.Raw()) // it was not predicted, so it is not a step
	}
	// The row of the second answer arrives after its message.
	row("s1", 0, 13_658, "stop", "", "")
	m.Put(".copilot/session-state/s1/events.jsonl", copilotLog+copilotSecond)
	measuredPrompts(t, feed, &steps)
	if fmt.Sprint(steps) != "[13658]" {
		t.Errorf("the second request: %v", steps)
	}
	row("s1", 1, 13_835, "tool_calls", "", "") // it contradicts the answer, which contains no tool call
	m.Put(".copilot/session-state/s1/events.jsonl", copilotLog+copilotSecond+`{"type":"session.info","data":{},"id":"f3","timestamp":"2026-10-04T10:01:02Z","parentId":"f2"}`+"\n")
	measuredPrompts(t, feed, &steps)
	if len(steps) != 1 {
		t.Errorf("a row that contradicts its answer was taken: %v", steps)
	}
	dirstest.Run(t, db, `UPDATE assistant_usage_events SET finish_reason='stop' WHERE turn_index=1`)
	m.Put(".copilot/session-state/s1/events.jsonl", copilotLog+copilotSecond+`{"type":"session.info","data":{},"id":"f3","timestamp":"2026-10-04T10:01:02Z","parentId":"f2"}`+"\n"+`{"type":"session.info","data":{},"id":"f4","timestamp":"2026-10-04T10:01:03Z","parentId":"f3"}`+"\n")
	measuredPrompts(t, feed, &steps)
	if fmt.Sprint(steps) != "[13658 13835]" {
		t.Errorf("the third request: %v", steps)
	}
}

// TestWithoutASessionStoreCopilotsLogIsAsItWas checks stores of other programs and of older versions, and damaged ones.
func TestWithoutASessionStoreCopilotsLogIsAsItWas(t *testing.T) {
	m := dirstest.NewMachine(t)
	store := m.Home + "/.copilot/session-store.db"
	log := m.Put(".copilot/session-state/s1/events.jsonl", copilotLog)
	read := func() string {
		t.Helper()
		tail := agents.OpenTail(transcript.Session{Agent: "copilot-cli", ID: "s1", Path: log, Form: transcript.Lines})
		var b transcript.Batch
		all := ""
		for {
			if err := tail.Next(context.Background(), &b); err != nil {
				t.Fatal(err)
			}
			if b.Count == 0 {
				return all
			}
			for i := range b.Count {
				all += string(b.Record(i)) + "\n"
			}
		}
	}
	for what, prepare := range map[string]func(){
		"damaged": func() { m.Put(".copilot/session-store.db", strings.Repeat("x", 5000)) },
		"empty":   func() { m.Put(".copilot/session-store.db", "") },
		"older":   func() { os.Remove(store); dirstest.OpenCodeDatabase(t, store, "wal") },
		"a folder": func() {
			os.Remove(store)
			if err := os.MkdirAll(store, 0o755); err != nil {
				t.Log(err)
			}
		},
	} {
		os.RemoveAll(store)
		prepare()
		if got := read(); got != copilotLog {
			t.Errorf("%s: %s", what, got)
		}
	}
}
