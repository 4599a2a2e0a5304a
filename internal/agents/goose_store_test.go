// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func gooseStore(t testing.TB, more ...[]any) string {
	return made(t, filepath.Join(t.TempDir(), "sessions.db"), append([][]any{
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP, total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER, provider_name TEXT, model_config_json TEXT)`),
		do(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)`),
		do(`CREATE TABLE usage_ledger (id INTEGER PRIMARY KEY, session_id TEXT, created_timestamp INTEGER, model TEXT, input_tokens INTEGER, output_tokens INTEGER, total_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, is_compaction BOOLEAN)`),
		do(`INSERT INTO sessions VALUES ('g1', 'Prices', '', 'user', '/w/shop', '2025-12-02 16:58:55', '2025-12-02 17:00:00', 950, 900, 50, 'anthropic', '{"model_name":"claude-sonnet-4-5","context_limit":200000}')`),
		do(`INSERT INTO sessions VALUES ('g2', 'hidden', '', 'hidden', '/w', '2025-12-02 16:58:55', '2025-12-02 17:00:00', 0, 0, 0, '', NULL)`),
		do(`INSERT INTO messages(session_id, role, content_json, created_timestamp, metadata_json) VALUES
			('g1', 'user', '[{"type":"text","text":"gone"}]', 1764694700, '{"userVisible":true,"agentVisible":false}'),
			('g1', 'user', '[{"type":"text","text":"Add the tax."}]', 1764694735, '{"userVisible":true,"agentVisible":true}'),
			('g1', 'assistant', '[{"type":"thinking","thinking":"I look.","signature":"abc"},{"type":"toolRequest","id":"t1","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"ls"}}}}]', 1764694737, NULL),
			('g1', 'user', '[{"type":"toolResponse","id":"t1","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"a.go"}]}}}]', 1764694738, NULL),
			('g1', 'assistant', '[{"type":"text","text":"There is one file."}]', 1764694741, NULL)`),
		do(`INSERT INTO usage_ledger VALUES (1, 'g1', 1764694737, 'claude-sonnet-4-5', 5, 40, 45, 700, 100, 0), (2, 'g1', 1764694741, 'claude-sonnet-4-5', 905, 50, 955, 800, 100, 0), (3, 'g1', 1764694742, 'claude-sonnet-4-5', 955, 50, 1005, NULL, NULL, 1)`),
	}, more...)...)
}

func TestGoose(t *testing.T) {
	path := gooseStore(t)
	found := list(t, agent.Goose, path)
	if len(found) != 1 || found[0].ID != "g1" || found[0].Workspace != "/w/shop" || found[0].Label != "Prices" || found[0].Modified.IsZero() {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Goose, path, "g1"),
		"in /w/shop", "title Prices", "model claude-sonnet-4-5 of anthropic", "window 200000 input -1 output -1",
		"turn", `user  "Add the tax."`, `reasoning  "I look."`, `toolCalls shell "{\"command\":\"ls\"}"`, `toolResults shell "a.go" for 2`,
		"used in 805 out 40 reasoning -1 read 700 write 100 through 1 by claude-sonnet-4-5",
		`assistant  "There is one file."`,
		"used in 905 out 50 reasoning -1 read 800 write 100 through 4 by claude-sonnet-4-5",
		"used in 955 out 50 reasoning -1 read -1 write -1 through 4 by , side")
	hostile(t, agent.Goose, gooseStore(t), "g1")
}

// TestGooseBeforeItsLedger: the last request stands with the session, and columns that came later are missing.
func TestGooseBeforeItsLedger(t *testing.T) {
	path := gooseStore(t, do(`DROP TABLE usage_ledger`), do(`ALTER TABLE sessions DROP COLUMN provider_name`), do(`ALTER TABLE sessions DROP COLUMN model_config_json`))
	lines := events(t, agent.Goose, path, "g1")
	if last := lines[len(lines)-1]; last != "used in 900 out 50 reasoning -1 read -1 write -1 through 4 by " {
		t.Error(last)
	}
}
