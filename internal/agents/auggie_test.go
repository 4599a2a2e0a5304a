// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const auggieSession = `{"sessionId":"a1","created":"2026-07-20T13:00:00Z","modified":"2026-07-20T13:10:00Z","customTitle":"Teas","agentState":{"modelId":"gpt-5-4"},"chatHistory":[
	{"completed":true,"finishedAt":"2026-07-20T13:01:00Z","sequenceId":1,"exchange":{"request_id":"r1","model_id":"claude-opus-5","request_message":"Which teas?",
		"request_nodes":[{"id":0,"type":0,"text_node":{"content":"Which teas?"}},{"id":1,"type":4,"ide_state_node":{"current_terminal":{"current_working_directory":"/w/shop"}}}],
		"response_text":"I look.","response_nodes":[{"type":0,"content":"I look."},{"type":7,"tool_use":{"tool_use_id":"c1","tool_name":"view"}},
			{"type":5,"tool_use":{"tool_use_id":"c1","tool_name":"view","input_json":"{\"path\":\"teas.txt\"}"}},
			{"type":10,"token_usage":{"input_tokens":1000,"output_tokens":50,"cache_read_input_tokens":200,"cache_creation_input_tokens":0,"max_context_tokens":200000}}]}},
	{"completed":true,"finishedAt":"2026-07-20T13:02:00Z","sequenceId":2,"exchange":{"request_id":"r2","model_id":"claude-opus-5","request_message":"",
		"request_nodes":[{"id":0,"type":1,"tool_result_node":{"tool_use_id":"c1","content":"assam","is_error":true}}],
		"response_text":"Assam.","response_nodes":[{"type":10,"token_usage":{"input_tokens":0,"output_tokens":0}},
			{"type":10,"token_usage":{"input_tokens":25,"output_tokens":4,"cache_read_input_tokens":1200,"cache_creation_input_tokens":60,"max_context_tokens":200000}},
			{"type":10,"token_usage":{"input_tokens":25,"output_tokens":4,"cache_read_input_tokens":1200,"cache_creation_input_tokens":60}}]}},
	"no exchange",
	{"completed":false,"exchange":{"request_nodes":[{"type":0,"text_node":{"content":"And pots?"}},
		{"type":1,"tool_result_node":{"tool_use_id":"c9","content_nodes":[{"type":1,"text_content":"late"},{"type":1,"text_content":"later"}]}}],"response_nodes":[{"type":5,"tool_use":{"tool_use_id":"c2","tool_name":"view","input_json":{"path":"pots"}}}]}}]}`

func auggieIn(t testing.TB, folder, text string) string {
	t.Helper()
	path := filepath.Join(folder, "a1.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheSessionsOfAuggie checks that the prompt of a request includes its cached part, that a usage counts once, and
// that the results of tools are in the request that has them.
func TestTheSessionsOfAuggie(t *testing.T) {
	home := t.TempDir()
	path := auggieIn(t, home, auggieSession)
	if store := OfDocument(path); store == nil || store.ID != agent.Auggie {
		t.Errorf("it is taken for %+v", store)
	}
	expect(t, described(t, agent.Auggie, path), `a1 of "": "Teas" in "/w/shop", 1784552400000 to 1784553000000`)
	// 1,200 is 1,000 and 200 read; 1,285 is 25, 1,200 read and 60 written.
	expect(t, events(t, agent.Auggie, path, "a1"),
		"in /w/shop", "title Teas", "model claude-opus-5 of ", "window 200000 input -1 output -1",
		"turn", `user  "Which teas?"`, "used in 1200 out 50 reasoning -1 read 200 write 0 through 1 by claude-opus-5",
		`assistant  "I look."`, `toolCalls view "{\"path\":\"teas.txt\"}"`,
		`toolResults view "assam" failed for 2`, "used in 1285 out 4 reasoning -1 read 1200 write 60 through 4 by claude-opus-5",
		`assistant  "Assam."`, "over",
		`toolResults  "late"`, "turn", `user  "And pots?"`, `toolCalls view "{\"path\":\"pots\"}"`)
	for _, text := range []string{`{}`, `{"sessionId":"a1"}`, `{"sessionId":"a1","chatHistory":{}}`, `{"sessionId":"a1","chatHistory":[`} {
		if store := OfDocument(auggieIn(t, t.TempDir(), text)); store != nil {
			t.Errorf("%s is taken for %s's", text, store.ID)
		}
	}
}

func FuzzAuggie(f *testing.F) {
	f.Add([]byte(auggieSession))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := auggieIn(t, t.TempDir(), string(text))
		to := transcript.StoreWriter{By: agent.Auggie}
		if writeAuggie(context.Background(), path, "", &to) == nil { // an error is an answer
			readable(t, agent.Auggie, to.Records)
		}
		_, _ = listAuggie(context.Background(), path)
	})
}
