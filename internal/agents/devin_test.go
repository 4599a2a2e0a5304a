// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func devinStore(t testing.TB) string {
	message := func(node int, parent any, text string) []any {
		return do(`INSERT INTO message_nodes (session_id, node_id, parent_node_id, chat_message, created_at) VALUES ('d1', ?, ?, ?, 1789563194)`, node, parent, text)
	}
	return made(t, filepath.Join(t.TempDir(), "sessions.db"),
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, working_directory TEXT NOT NULL, backend_type TEXT NOT NULL, model TEXT NOT NULL, agent_mode TEXT NOT NULL, created_at INTEGER NOT NULL, last_activity_at INTEGER NOT NULL, title TEXT, main_chain_id INTEGER, hidden INTEGER NOT NULL DEFAULT 0)`),
		do(`CREATE TABLE message_nodes (row_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, node_id INTEGER NOT NULL, parent_node_id INTEGER, chat_message TEXT NOT NULL, created_at INTEGER NOT NULL, metadata TEXT, UNIQUE(session_id, node_id))`),
		do(`INSERT INTO sessions VALUES ('d1', '/w/shop', 'windsurf', 'swe-1-6', 'normal', 1789563192, 1789563200, 'Teas', 24, 0)`),
		do(`INSERT INTO sessions VALUES ('d2', '/w/shop', 'windsurf', 'swe-1-6', 'normal', 1789563192, 1789563194, 'Hidden', NULL, 1)`),
		message(0, nil, `{"message_id":"m0","role":"system","content":"You sell tea."}`),
		message(1, 0, `{"message_id":"m1","role":"user","content":"Which teas?","metadata":{"is_user_input":true}}`),
		message(2, 1, `{"message_id":"m2","role":"assistant","content":"I look.","thinking":{"thinking":"Hm.","signature":"abcd"},"tool_calls":[{"id":"c1","name":"exec","index":0,"arguments":{"command":"cat teas.txt"}}],"metadata":{"metrics":{"input_tokens":683,"output_tokens":95,"cache_read_tokens":12064,"cache_creation_tokens":null},"created_at":"2026-09-16T12:53:14Z","generation_model":"swe-1-6-slow"}}`),
		message(22, 1, `{"message_id":"m2","role":"assistant","content":"I look.","metadata":{"metrics":{"input_tokens":683,"output_tokens":95,"cache_read_tokens":12064}}}`),
		message(23, 2, `{"message_id":"m3","role":"tool","tool_call_id":"c1","content":"assam"}`),
		message(24, 23, `{"message_id":"m4","role":"assistant","content":"Assam.","tool_calls":[],"metadata":{"metrics":{"input_tokens":20,"output_tokens":3,"cache_read_tokens":12747,"cache_creation_tokens":110},"generation_model":"swe-1-6-slow"}}`),
		message(25, 1, `{"message_id":"m5","role":"assistant","content":"...","metadata":{"metrics":{"input_tokens":0,"output_tokens":0,"cache_read_tokens":0,"cache_creation_tokens":null}}}`))
}

// TestTheSessionsOfDevin checks that the newest chain of messages is the conversation, that the prompt of a request
// includes its cached part, and that hidden sessions are left out.
func TestTheSessionsOfDevin(t *testing.T) {
	path := devinStore(t)
	expect(t, described(t, agent.Devin, path), `d1 of "": "Teas" in "/w/shop", 1789563192000 to 1789563200000`)
	if of := OfDatabase(t.Context(), path); of == nil || of.ID != agent.Devin {
		t.Errorf("it is taken for %+v", of)
	}
	// 12,747 is 683 and 12,064 read; 12,877 is 20, 12,747 read and 110 written.
	expect(t, events(t, agent.Devin, path, "d1"),
		"in /w/shop", "title Teas", "model swe-1-6-slow of ", `system System prompt "You sell tea."`, "turn", `user  "Which teas?"`,
		"used in 12747 out 95 reasoning -1 read 12064 write -1 through 1 by swe-1-6-slow",
		`reasoning  "Hm."`, `assistant  "I look."`, `toolCalls exec "{\"command\":\"cat teas.txt\"}"`,
		`toolResults exec "assam" for 3`,
		"used in 12877 out 3 reasoning -1 read 12747 write 110 through 5 by swe-1-6-slow", `assistant  "Assam."`, "over")
	hostile(t, agent.Devin, path, "d1")
}

// TestAChainOfDevinEnds checks a node that follows itself, and a session without a chain of its own.
func TestAChainOfDevinEnds(t *testing.T) {
	path := made(t, filepath.Join(t.TempDir(), "sessions.db"),
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY)`),
		do(`CREATE TABLE message_nodes (session_id TEXT, node_id INTEGER, parent_node_id INTEGER, chat_message TEXT, created_at INTEGER)`),
		do(`INSERT INTO sessions VALUES ('d1')`),
		do(`INSERT INTO message_nodes VALUES ('d1', 1, 1, '{"role":"user","content":"Hi."}', 1789563194)`))
	if got := events(t, agent.Devin, path, "d1"); len(got) == 0 || got[len(got)-1] != `user  "Hi."` {
		t.Errorf("%q", got)
	}
}

func FuzzDevin(f *testing.F) { fuzzStore(f, agent.Devin, devinStore(f), "d1") }
