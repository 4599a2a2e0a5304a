// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func hermesStore(t testing.TB) string {
	return made(t, filepath.Join(t.TempDir(), "state.db"),
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL, ended_at REAL, title TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER)`),
		do(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL, token_count INTEGER, reasoning TEXT)`),
		do(`INSERT INTO sessions VALUES ('h1', 'cli', 'gpt-5.2', 'You are Hermes.', NULL, 1764590000.5, NULL, 'The folder', 3000, 90, 1000, 0, 10)`),
		do(`INSERT INTO messages(session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning) VALUES
			('h1', 'user', 'Where am I?', NULL, NULL, NULL, 1764590001, NULL),
			('h1', 'assistant', '', NULL, '[{"id":"t1","type":"function","function":{"name":"shell","arguments":"{\"command\":\"pwd\"}"}}]', NULL, 1764590002, 'I look.'),
			('h1', 'tool', '/w/shop', 't1', NULL, 'shell', 1764590003, NULL),
			('h1', 'assistant', 'In /w/shop.', NULL, NULL, NULL, 1764590004, NULL),
			('h1', 'session_meta', '{}', NULL, NULL, NULL, 1764590004, NULL)`))
}

func TestHermes(t *testing.T) {
	path := hermesStore(t)
	found := list(t, agent.Hermes, path)
	if len(found) != 1 || found[0].ID != "h1" || found[0].Label != "The folder" || found[0].Started.IsZero() {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Hermes, path, "h1"),
		"title The folder", "model gpt-5.2 of ", `system System prompt "You are Hermes."`,
		"warning Hermes records only sums over its requests; the number is estimated from the texts.",
		"turn", `user  "Where am I?"`, `reasoning  "I look."`, `toolCalls shell "{\"command\":\"pwd\"}"`,
		`toolResults shell "/w/shop" for 2`, `assistant  "In /w/shop."`, "over",
		"used in 4000 out 90 reasoning 10 read 1000 write 0 through 5 by , sum")
	hostile(t, agent.Hermes, hermesStore(t), "h1")
}
