// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

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
