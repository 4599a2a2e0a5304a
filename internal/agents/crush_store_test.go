// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func crushStore(t testing.TB, more ...[]any) string {
	return made(t, filepath.Join(t.TempDir(), "shop", ".crush", "crush.db"), append([][]any{
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER, cost REAL, updated_at INTEGER, created_at INTEGER, summary_message_id TEXT)`),
		do(`CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT default '[]', model TEXT, created_at INTEGER, updated_at INTEGER, finished_at INTEGER, provider TEXT)`),
		do(`INSERT INTO sessions VALUES ('s1', NULL, 'Prices', 4, 17033, 231, 0.06, 1764590401, 1764590393, NULL)`),
		do(`INSERT INTO sessions VALUES ('s2', 's1', 'Look around', 0, 0, 0, 0, 1764590400, 1764590395, NULL)`),
		do(`INSERT INTO messages VALUES ('m1', 's1', 'user', '[{"type":"text","data":{"text":"Add the tax."}},{"type":"finish","data":{"reason":"stop"}}]', '', 1764590393, 0, NULL, NULL)`),
		do(`INSERT INTO messages VALUES ('m2', 's1', 'assistant', '[{"type":"reasoning","data":{"thinking":"I look.","signature":"abcd"}},{"type":"tool_call","data":{"id":"c1","name":"view","input":"{\"file_path\":\"a.go\"}"}},{"type":"finish","data":{"reason":"tool_use"}}]', 'qwen3', 1764590394, 0, NULL, 'lmstudio')`),
		do(`INSERT INTO messages VALUES ('m3', 's1', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"c1","name":"","content":"no such file","is_error":true}}]', '', 1764590395, 0, NULL, NULL)`),
		do(`INSERT INTO messages VALUES ('m4', 's1', 'assistant', '[{"type":"text","data":{"text":"There is none."}},{"type":"finish","data":{"reason":"end_turn"}}]', 'qwen3', 1764590396, 0, NULL, 'lmstudio')`),
	}, more...)...)
}

func TestCrush(t *testing.T) {
	path := crushStore(t)
	found := list(t, agent.Crush, path)
	shop := filepath.Dir(filepath.Dir(path))
	if len(found) != 2 || found[0].Workspace != shop || found[1].Parent != "s1" || found[0].Modified.Unix() != 1764590401 {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Crush, path, "s1"),
		"in "+shop, "title Prices", "model qwen3 of lmstudio",
		"turn", `user  "Add the tax."`,
		`reasoning  "I look."`, `toolCalls view "{\"file_path\":\"a.go\"}"`,
		`toolResults view "no such file" failed for 2`,
		`assistant  "There is none."`, "over",
		"used in 17033 out 231 reasoning -1 read -1 write -1 through 4 by qwen3")
	hostile(t, agent.Crush, crushStore(t), "s1")
}

// TestCrushOfClaude: the count leaves out what was written into the cache, so it is no measurement.
func TestCrushOfClaude(t *testing.T) {
	path := crushStore(t, do(`UPDATE messages SET model='claude-sonnet-4' WHERE model<>''`))
	lines := events(t, agent.Crush, path, "s1")
	if last := lines[len(lines)-1]; last != "used in 17033 out 231 reasoning -1 read -1 write -1 through 4 by claude-sonnet-4, own" {
		t.Error(last)
	}
}

// TestCrushSumsUp: the message that the session names stands for all before it, and the prompt
// of the summary counts nothing.
func TestCrushSumsUp(t *testing.T) {
	path := crushStore(t,
		do(`INSERT INTO messages VALUES ('m5', 's1', 'assistant', '[{"type":"text","data":{"text":"Prices have no tax."}}]', 'qwen3', 1764590397, 0, NULL, 'lmstudio')`),
		do(`UPDATE sessions SET summary_message_id='m5', prompt_tokens=0, completion_tokens=40 WHERE id='s1'`))
	lines := events(t, agent.Crush, path, "s1")
	if last := lines[len(lines)-1]; last != `compacted, kept 0, before -1, left -1, "Prices have no tax."` {
		t.Error(last)
	}
}
