// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"testing"
	"time"

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
		"turn", `user  "Where am I?"`, `reasoning  "I look."`, `toolCalls shell "{\"command\":\"pwd\"}"`,
		`toolResults shell "/w/shop" for 2`, `assistant  "In /w/shop."`, "over",
		"warning Hermes records only sums over its requests; the number is estimated from the texts.",
		"used in 4000 out 90 reasoning 10 read 1000 write 0 through 5 by , sum")
	hostile(t, agent.Hermes, hermesStore(t), "h1")
}

// TestHermesLogMeasures checks that the lines of the log measure the responses that follow them, and that a compaction
// replaces the messages before it.
func TestHermesLogMeasures(t *testing.T) {
	path := made(t, filepath.Join(t.TempDir(), "state.db"),
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, cwd TEXT, started_at REAL, input_tokens INTEGER)`),
		do(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, timestamp REAL, active INTEGER, compacted INTEGER)`),
		do(`INSERT INTO sessions VALUES ('h2', 'gpt-5.5', '/w/shop', 1764590000, 9000)`),
		do(`INSERT INTO messages(session_id, role, content, timestamp, active, compacted) VALUES
			('h2', 'user', 'Which teas?', 1764590001, 0, 1),
			('h2', 'assistant', 'Assam.', 1764590002.5, 0, 1),
			('h2', 'user', 'Taken back.', 1764590003, 0, 0),
			('h2', 'user', 'A summary.', 1764590004, 1, 0),
			('h2', 'assistant', 'Assam.', 1764590002.5, 1, 0),
			('h2', 'assistant', 'Keemun.', 1764590006, 1, 0),
			('h2', 'assistant', 'Much later.', 1764690000, 1, 0)`))
	log := ""
	for _, call := range []struct {
		at   int64
		text string
	}{
		{1764590002_000, "[h2] agent.conversation_loop: API call #1: model=gpt-5.5 provider=custom in=2400 out=60 total=2460 latency=0.5s"},
		{1764590003_000, "[other] agent.conversation_loop: API call #1: model=gpt-5.5 in=7 out=7"},
		{1764590003_500, "[h2] agent.conversation_loop: API call failed"},
		{1764590005_000, "[h2] agent.conversation_loop: API call #2: model=gpt-5.5 provider=custom in=900 out=12 total=912 latency=0.5s cache=768/900 (85%)"},
		{1764590007_000, "[h2] agent.conversation_loop: API call #3: model=gpt-5.5 provider=custom in=none"},
	} {
		log += time.UnixMilli(call.at).Format("2006-01-02 15:04:05,000") + " INFO " + call.text + "\n"
	}
	if err := os.MkdirAll(filepath.Join(filepath.Dir(path), "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "logs", "agent.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, events(t, agent.Hermes, path, "h2"),
		"in /w/shop", "model gpt-5.5 of ", "turn", `user  "Which teas?"`,
		"used in 2400 out 60 reasoning -1 read -1 write -1 through 1 by gpt-5.5", `assistant  "Assam."`, "over",
		"compacted, kept 0, before -1, left -1", "turn", `user  "A summary."`, `assistant  "Assam."`, "over",
		"used in 900 out 12 reasoning -1 read 768 write -1 through 2 by gpt-5.5", `assistant  "Keemun."`, `assistant  "Much later."`)
}
