// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const openHandsState = `{"id":"c-1","agent":{"llm":{"model":"openai/gpt-5.5"}},"workspace":{"working_dir":"/w/shop"},"execution_status":"running",
	"stats":{"usage_to_metrics":{"agent":{"token_usages":[
		{"model":"openai/gpt-5.5","prompt_tokens":2400,"completion_tokens":60,"cache_read_tokens":0,"context_window":1050000,"response_id":"r1"},
		{"model":"openai/gpt-5.5","prompt_tokens":2500,"completion_tokens":12,"cache_read_tokens":2304,"context_window":1050000,"response_id":"r2"}]},
	"condenser":{"token_usages":[{"prompt_tokens":9,"response_id":"r9"}]}}}}`

var openHandsEvents = []string{
	`{"kind":"SystemPromptEvent","id":"e0","system_prompt":{"text":"You work in a shop."},"dynamic_context":{"text":"Be brief."},"tools":[
		{"kind":"FileEditorTool","description":"It edits."},{"kind":"ThinkTool","description":"It thinks.","annotations":{"readOnlyHint":true}},
		{"kind":"MCPToolDefinition","mcp_tool":{"name":"teas_list","description":"It lists.","input_schema":{"type":"object","properties":{"of":{"type":"string"}}}}}]}`,
	`{"kind":"MessageEvent","id":"e1","source":"user","timestamp":"2026-11-26T11:00:00","llm_message":{"role":"user","content":[{"type":"text","text":"Which teas?"}]},"extended_content":[]}`,
	`{"kind":"ActionEvent","id":"e2","source":"agent","thought":[{"text":"I look."}],"reasoning_content":"Hm.","tool_name":"terminal","tool_call_id":"c1","tool_call":{"name":"terminal","arguments":"{\"command\":\"cat teas.txt\"}"},"llm_response_id":"r1"}`,
	`{"kind":"ObservationEvent","id":"e3","source":"environment","tool_name":"terminal","tool_call_id":"c1","observation":{"content":[{"text":"assam"}],"metadata":{"prefix":"","suffix":"","exit_code":0,"working_dir":"/w/shop"}}}`,
	`{"kind":"MessageEvent","id":"e4","source":"agent","llm_message":{"role":"assistant","content":[{"type":"text","text":"Assam."}]},"llm_response_id":"r2"}`,
	`{"kind":"Condensation","id":"e5","summary":"Teas were listed.","forgotten_event_ids":["e1"],"llm_response_id":"r9"}`,
	`{"kind":"AgentErrorEvent","id":"e6","tool_name":"terminal","tool_call_id":"c2","error":"no such tool"}`,
	`{"kind":"UserRejectObservation","id":"e7","tool_name":"terminal","tool_call_id":"c3","rejection_reason":"no"}`,
	`{"kind":"PauseEvent","id":"e8"}`,
}

// openHandsConversationIn writes a conversation and returns the path of its state.
func openHandsConversationIn(t testing.TB, folder, state string, list ...string) string {
	t.Helper()
	path := filepath.Join(folder, "base_state.json")
	if err := os.MkdirAll(filepath.Join(folder, "events"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, event := range list {
		if err := os.WriteFile(filepath.Join(folder, "events", fmt.Sprintf("event-%05d-aaaa.json", i)), []byte(event), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestTheConversationsOfOpenHands checks that the usage of a response comes before what the response contains, that
// results are read as they are sent, and that sub-agents are found below their conversation.
func TestTheConversationsOfOpenHands(t *testing.T) {
	home := t.TempDir()
	path := openHandsConversationIn(t, filepath.Join(home, "c1"), openHandsState, openHandsEvents...)
	openHandsConversationIn(t, filepath.Join(home, "c1", "subagents", "s1"), openHandsState)
	found := list(t, agent.OpenHands, path)
	if len(found) != 1 || found[0].ID != "c1" || found[0].Workspace != "/w/shop" {
		t.Errorf("%+v", found)
	}
	if store := OfDocument(path); store == nil || store.ID != agent.OpenHands {
		t.Errorf("it is taken for %+v", store)
	}
	parents := map[string]string{}
	if err := listOpenHands(Root{Agent: agent.OpenHands, Path: home}, func(c Candidate) { parents[c.ID] = c.Parent }); err != nil || parents["s1"] != "c1" || len(parents) != 2 {
		t.Errorf("%v, %v", parents, err)
	}
	expect(t, events(t, agent.OpenHands, path, "c1"),
		"in /w/shop", "model gpt-5.5 of openai", "window 1050000 input -1 output -1", `system System prompt "You work in a shop."`, `system System prompt "Be brief."`,
		"tools file_editor of -1", "tools think of -1", "tools Parameters of tools, not recorded of 419",
		"mcpTools teas_list of -1", "mcpTools Parameters of tools, not recorded of 104",
		"turn", `user  "Which teas?"`,
		"used in 2400 out 60 reasoning -1 read 0 write -1 through 1 by gpt-5.5",
		`reasoning  "Hm."`, `assistant  "I look."`, `toolCalls terminal "{\"command\":\"cat teas.txt\"}"`,
		`toolResults terminal "assam\n[Current working directory: /w/shop]\n[Command finished with exit code 0]" for 3`,
		"used in 2500 out 12 reasoning -1 read 2304 write -1 through 5 by gpt-5.5", `assistant  "Assam."`, "over",
		`compacted, kept 5, before -1, left -1, "Teas were listed."`,
		`toolResults terminal "no such tool"`, `toolResults terminal "Action rejected: no"`)
}

// TestAConversationOfOpenHandsThatIsNone checks that other documents of the same name have no session.
func TestAConversationOfOpenHandsThatIsNone(t *testing.T) {
	for _, state := range []string{`{}`, `[]`, ``, `{"execution_status":"idle"}`, `{"execution_status":`} {
		path := openHandsConversationIn(t, t.TempDir(), state)
		if store := OfDocument(path); store != nil {
			t.Errorf("%s is taken for %s's", state, store.ID)
		}
	}
}

func FuzzOpenHands(f *testing.F) {
	for _, event := range openHandsEvents {
		f.Add([]byte(openHandsState), []byte(event))
	}
	f.Fuzz(func(t *testing.T, state, event []byte) {
		path := openHandsConversationIn(t, t.TempDir(), string(state), openHandsEvents[1], string(event))
		to := transcript.StoreWriter{By: agent.OpenHands}
		if writeOpenHands(context.Background(), path, "", &to) == nil { // an error is an answer
			readable(t, agent.OpenHands, to.Records)
		}
	})
}

// TestRecordsOfOpenHands checks every kind of event, the usage of responses, and what a result looks like.
func TestRecordsOfOpenHands(t *testing.T) {
	home := t.TempDir()
	state := `{"agent":{"llm":{"model":"litellm_proxy/anthropic/claude-x"}},"workspace":{"working_dir":"/w"},"execution_status":"idle","stats":{"usage_to_metrics":{"agent":{"token_usages":[
		{"model":"litellm_proxy/anthropic/claude-x","prompt_tokens":100,"completion_tokens":7,"cache_read_tokens":1,"cache_write_tokens":2,"reasoning_tokens":3,"context_window":1000,"response_id":"r1"},
		{"model":"b","prompt_tokens":200,"context_window":0,"response_id":"r2"},{"prompt_tokens":0,"response_id":"r3"},{"prompt_tokens":5,"response_id":""},{"prompt_tokens":"x","response_id":"r5"},{"prompt_tokens":1,"response_id":"r6"}]},"condenser":{"token_usages":[{"prompt_tokens":9,"context_window":5,"response_id":"r9"}]}}}}`
	path := openHandsConversationIn(t, filepath.Join(home, "c1", "subagents", "s1"), state,
		`{"kind":"SystemPromptEvent","id":"e0","system_prompt":{"text":"P"},"tools":[{"kind":"TerminalTool","description":"d"},{"kind":"CustomTool","description":"d","annotations":{"readOnlyHint":true}},
			{"mcp_tool":{"name":"a","description":"d","inputSchema":{"type":"object"}}},{"mcp_tool":{"name":"b","description":"d"},"annotations":{"readOnlyHint":true}}]}`,
		`{"kind":"MessageEvent","id":"e1","source":"user","timestamp":"2026-11-26T11:00:00Z","llm_message":{"content":[{"text":"Hi."}]},"extended_content":[{"text":" More."}]}`,
		`{"kind":"ActionEvent","id":"e2","timestamp":"2026-11-26T11:00:01Z","thought":[],"tool_name":"finish","tool_call_id":"c1","tool_call":{"arguments":"{}"},"llm_response_id":"r1"}`,
		`{"kind":"ActionEvent","id":"e3","thought":[{"text":"T"}],"tool_name":"think","tool_call_id":"c2","tool_call":{"arguments":"{}"},"llm_response_id":"r1"}`,
		`{"kind":"ObservationEvent","id":"e4","tool_name":"think","tool_call_id":"c2","observation":{"content":[{"text":"ok"}],"is_error":true}}`,
		`{"kind":"ObservationEvent","id":"e5","tool_name":"terminal","tool_call_id":"c3","observation":{"content":[{"text":"out"}],"metadata":{"prefix":"<","suffix":">","exit_code":-1,"working_dir":"/","py_interpreter_path":"p"}}}`,
		`{"kind":"MessageEvent","id":"e6","source":"agent","llm_message":{"content":[{"text":"Done."}],"reasoning_content":"R"},"llm_response_id":"r3"}`,
		`{"kind":"MessageEvent","id":"e7","source":"agent","llm_message":{"content":[{"text":"Really."}]},"llm_response_id":"r2"}`,
		`{"kind":"AgentErrorEvent","id":"f1","error":"x"}`, `{"kind":"UserRejectObservation","id":"f2","rejection_reason":"y"}`, `{"kind":"MessageEvent","id":"f3","source":"agent","llm_response_id":"r6"}`,
		`{"kind":"Condensation","id":"e8","timestamp":"2026-11-26T11:00:02Z","forgotten_event_ids":["e1","e3"]}`,
		`{"kind":"Condensation","id":"e9","forgotten_event_ids":["e6"]}`,
		`{"kind":"Condensation","id":"ea","forgotten_event_ids":["e1"]}`,
		`{"kind":"Condensation","id":"eb","forgotten_event_ids":["f3"]}`,
		`{"kind":"SystemPromptEvent","id":"ec","system_prompt":{"text":"P"},"dynamic_context":{"text":"D"}}`)
	for name, text := range map[string]string{"event-99999-x.txt": `{"kind":"MessageEvent","id":"t"}`, "other-1.json": `{"kind":"MessageEvent","id":"o"}`, "event-99998-x.json": `{"kind":`} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "events", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := time.UnixMilli(1_764_590_000_000)
	for name, shift := range map[string]time.Duration{"base_state.json": time.Minute, "events": 0} {
		if err := os.Chtimes(filepath.Join(filepath.Dir(path), name), at.Add(shift), at.Add(shift)); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, described(t, agent.OpenHands, path), `s1 of "c1": "" in "/w", 0 to 1764590060000`)
	expect(t, raw(t, agent.OpenHands, path, "s1"),
		`{"by":"openhands","is":"session","cwd":"/w","model":"claude-x","provider":"litellm_proxy","window":1000}`,
		`{"by":"openhands","is":"context","kind":"system","parts":[{"label":{"id":"system"},"text":"P"}]}`,
		`{"by":"openhands","is":"context","kind":"tools","parts":[{"label":"terminal","tool":{"name":"terminal","description":"d"}},{"label":"custom","tool":{"name":"custom","description":"d"}},{"label":{"id":"parameters"},"tokens":567,"reference":true}]}`,
		`{"by":"openhands","is":"context","kind":"mcpTools","parts":[{"label":"a","tool":{"name":"a","description":"d","parameters":{"type":"object"}}},{"label":"b","tool":{"name":"b","description":"d"}},{"label":{"id":"parameters"},"tokens":128,"reference":true}]}`,
		`{"by":"openhands","is":"item","at":1795690800000,"kind":"user","key":"e1","text":"Hi. More.","turn":true}`,
		`{"by":"openhands","is":"usage","at":1795690801000,"id":"r1","model":"claude-x","in":100,"out":7,"reasoning":3,"read":1,"write":2}`,
		`{"by":"openhands","is":"item","at":1795690801000,"kind":"toolCalls","key":"e2","name":"finish","call":"c1","text":{}}`,
		`{"by":"openhands","is":"over"}`,
		`{"by":"openhands","is":"item","kind":"assistant","key":"e3/thought","text":"T"}`,
		`{"by":"openhands","is":"item","kind":"toolCalls","key":"e3","name":"think","call":"c2","text":{}}`,
		`{"by":"openhands","is":"item","kind":"toolResults","key":"e4","name":"think","call":"c2","text":"ok","error":true}`,
		`{"by":"openhands","is":"item","kind":"toolResults","key":"e5","name":"terminal","call":"c3","text":"<out>\n[Current working directory: /]\n[Python interpreter: p]"}`,
		`{"by":"openhands","is":"item","kind":"reasoning","key":"e6/reasoning","text":"R"}`,
		`{"by":"openhands","is":"item","kind":"assistant","key":"e6","text":"Done."}`,
		`{"by":"openhands","is":"over"}`,
		`{"by":"openhands","is":"usage","id":"r2","model":"b","in":200}`,
		`{"by":"openhands","is":"item","kind":"assistant","key":"e7","text":"Really."}`,
		`{"by":"openhands","is":"over"}`,
		`{"by":"openhands","is":"item","kind":"toolResults","key":"f1","text":"x"}`,
		`{"by":"openhands","is":"item","kind":"toolResults","key":"f2","text":"Action rejected: y"}`,
		`{"by":"openhands","is":"usage","id":"r6","in":1}`,
		`{"by":"openhands","is":"item","kind":"assistant","key":"f3"}`,
		`{"by":"openhands","is":"over"}`,
		`{"by":"openhands","is":"compacted","at":1795690802000,"kept":8,"auto":true}`,
		`{"by":"openhands","is":"compacted","kept":4,"auto":true}`,
		`{"by":"openhands","is":"compacted","kept":4,"auto":true}`,
		`{"by":"openhands","is":"compacted","auto":true}`,
		`{"by":"openhands","is":"context","kind":"system","parts":[{"label":{"id":"system"},"text":"P"},{"label":{"id":"system"},"text":"D"}]}`)
	if err := os.Chtimes(filepath.Join(filepath.Dir(path), "events"), at.Add(time.Hour), at.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	expect(t, described(t, agent.OpenHands, path), `s1 of "c1": "" in "/w", 0 to 1764593600000`)
	for model, want := range map[string]string{
		"gpt-5.5": `"model":"gpt-5.5"`, "openai/codex-mini-latest": `"model":"codex-mini-latest","provider":"openai"`, "a/b/c": `"model":"c","provider":"a"`,
	} {
		path := openHandsConversationIn(t, filepath.Join(home, model), `{"agent":{"llm":{"model":"`+model+`"}}}`, openHandsEvents[0])
		got := raw(t, agent.OpenHands, path, "x")
		data := strings.Contains(got[3], `"tokens":104`) // in place of the parameters
		if !strings.Contains(got[0], want+"}") || data != (model != "a/b/c") || data == strings.Contains(got[3], `"of"`) {
			t.Errorf("%s: %q", model, got)
		}
	}
	if err := os.RemoveAll(filepath.Join(home, "gpt-5.5", "events")); err != nil {
		t.Fatal(err)
	}
	if got := raw(t, agent.OpenHands, filepath.Join(home, "gpt-5.5", "base_state.json"), "x"); len(got) != 1 {
		t.Errorf("without events: %q", got)
	}
}

// TestToolsOfOpenHandsHaveTheirMeasuredSizes checks the name of each class of tools, and what is sent for it in
// addition to its record.
func TestToolsOfOpenHandsHaveTheirMeasuredSizes(t *testing.T) {
	for class, want := range map[string]struct {
		name   string
		tokens int
	}{
		"TerminalTool": {"terminal", 339}, "FileEditorTool": {"file_editor", 279}, "TaskTrackerTool": {"task_tracker", 138}, "TaskTool": {"task", 62},
		"FinishTool": {"finish", 15}, "ThinkTool": {"think", 12}, "AZTool": {"a_z", 100}, "x[y@Tool": {"x[y@", 100},
	} {
		path := openHandsConversationIn(t, t.TempDir(), `{}`, `{"kind":"SystemPromptEvent","system_prompt":{},"tools":[{"kind":"`+class+`"}]}`)
		got := raw(t, agent.OpenHands, path, "x")
		if len(got) != 3 || !strings.Contains(got[2], `"label":"`+want.name+`"`) || !strings.Contains(got[2], fmt.Sprintf(`"tokens":%d,`, want.tokens+openHandsSummary+openHandsRisk)) {
			t.Errorf("%s: %q", class, got)
		}
	}
}

// TestALongConversationOfOpenHandsIsAnError checks the size of all events together.
func TestALongConversationOfOpenHandsIsAnError(t *testing.T) {
	path := openHandsConversationIn(t, t.TempDir(), `{}`, `{}`, ``)
	second := filepath.Join(filepath.Dir(path), "events", "event-00001-aaaa.json")
	for size, want := range map[int64]bool{mostDocument - 2: true, mostDocument - 1: false} {
		if err := os.Truncate(second, size); err != nil {
			t.Fatal(err)
		}
		_, err := storeRecords(t.Context(), agent.OpenHands, path, "x")
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "has more than 64 MB") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestAnEventChangesTheConversation checks that a follower sees an event while the agent works, when only the folder of
// events changes.
func TestAnEventChangesTheConversation(t *testing.T) {
	path := openHandsConversationIn(t, filepath.Join(t.TempDir(), "c1"), openHandsState, openHandsEvents[:2]...)
	events := filepath.Join(filepath.Dir(path), "events")
	began := time.Now().Add(-time.Minute)
	for _, each := range []string{path, events} {
		if err := os.Chtimes(each, began, began); err != nil {
			t.Fatal(err)
		}
	}
	s := transcript.Session{Agent: agent.OpenHands, Path: path, Form: transcript.Store}
	tail := OpenOwn(s)
	records := func() (n int) {
		t.Helper()
		for {
			var b transcript.Batch
			if err := tail.Next(context.Background(), &b); err != nil {
				t.Fatal(err)
			}
			if n += b.Count; b.Count == 0 {
				return n
			}
		}
	}
	if records() == 0 || records() != 0 {
		t.Error("the conversation has no records, or the same ones again")
	}
	before := StateOf(s)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(events, "event-00002-aaaa.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(openHandsEvents[2][:40])
	if after := StateOf(s); after == before || !after.Modified.After(before.Modified) {
		t.Errorf("%+v before, and %+v after an event", before, after)
	}
	if records() != 0 {
		t.Error("half of an event is read")
	}
	write(openHandsEvents[2]) // which changes nothing in the folder itself
	time.Sleep(150 * time.Millisecond)
	if records() == 0 {
		t.Error("the event is not read")
	}
}
