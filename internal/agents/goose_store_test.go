// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"
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

// TestRecordsOfGoose checks every part of a message, and requests whose cached part is separate or included.
func TestRecordsOfGoose(t *testing.T) {
	path := gooseStore(t,
		do(`INSERT INTO sessions(id, name, description, working_dir, model_config_json) VALUES ('g3', 'A name', 'A description', '/w', '{"context_limit":-1}')`),
		do(`INSERT INTO messages(session_id, role, content_json, created_timestamp, metadata_json) VALUES
			('g1', 'user', ?1, 1764694750, '{"agentVisible":7}'),
			('g1', 'assistant', ?2, 1764694751, NULL),
			('g1', 'assistant', '[{"type":"text","text":"And a pot."}]', 1764694752, NULL)`,
			`[{"type":"text","text":"And these?"},{"type":"text","text":"Look."},{"type":"image","mimeType":"image/png","data":" iVBOR "},{"type":"image","mimeType":"image/jpeg","data":"`+strings.Repeat("A", 48<<10)+`B"},{"type":"other"}]`,
			`[{"type":"redactedThinking","data":"abcdef"},{"type":"frontendToolRequest","id":"t2","toolCall":{"value":{"name":"view","arguments":{}}}},{"type":"toolResponse","id":"t2","toolResult":{"status":"error","error":"no such file"}},
			{"type":"toolResponse","id":"t3","toolResult":{"value":[{"text":"a list"}]}},{"type":"text","text":"A tea."}]`),
		do(`INSERT INTO usage_ledger VALUES (4, 'g1', 1764694750, 'm', 900, 50, 950, 800, 100, 0), (5, 'g1', 1764694751, 'm', 900, 50, 951, 800, 100, 0), (6, 'g1', 1764694752, 'm', 900, -1, 900, 900, NULL, 0),
			(7, 'g1', 1764694752, 'm', 900, NULL, 901, 1, NULL, 0), (8, 'g1', 1764694752, 'm', 900, 50, 1950, 0, 0, 0), (9, 'g1', 1764694753, 'm', NULL, 50, 50, 5, 5, 0), (10, 'other', 1764694753, 'm', 7, 5, 50, 5, 5, 0), (11, 'g1', 1764694753, 'm', 899, 0, 0, 800, 100, 2),
			(12, 'g1', 1764694753, 'm', 0, 0, 0, 800, 100, 0), (13, 'g1', 1764694753, 'm', 1, 0, 1, 1, NULL, 0)`),
		do(`UPDATE usage_ledger SET created_timestamp=1764694740999 WHERE id=1`), do(`UPDATE messages SET id=12 WHERE id=8`))
	expect(t, described(t, agent.Goose, path),
		`g1 of "": "Prices" in "/w/shop", 1764694735000 to 1764694800000`,
		`g3 of "": "A description" in "/w", 0 to 0`)
	got := raw(t, agent.Goose, path, "g1")
	for i := range got {
		got[i] = strings.Replace(got[i], strings.Repeat("A", 48<<10), "pixels", 1)
	}
	expect(t, got,
		`{"by":"goose","is":"session","at":1764694735000,"cwd":"/w/shop","title":"Prices","model":"claude-sonnet-4-5","provider":"anthropic","window":200000}`,
		`{"by":"goose","is":"item","at":1764694735000,"kind":"user","key":"2/0","text":"Add the tax.","turn":true}`,
		`{"by":"goose","is":"item","at":1764694737000,"kind":"reasoning","key":"3/0","text":"I look.","opaque":3}`,
		`{"by":"goose","is":"item","at":1764694737000,"kind":"toolCalls","key":"3/1","name":"shell","call":"t1","text":{"command":"ls"}}`,
		`{"by":"goose","is":"item","at":1764694738000,"kind":"toolResults","key":"4/0","call":"t1","text":"a.go"}`,
		`{"by":"goose","is":"usage","at":1764694740999,"id":"ledger 1","model":"claude-sonnet-4-5","provider":"anthropic","before":"3/0","in":805,"out":40,"read":700,"write":100}`,
		`{"by":"goose","is":"item","at":1764694741000,"kind":"assistant","key":"5/0","text":"There is one file."}`,
		`{"by":"goose","is":"item","at":1764694750000,"kind":"user","key":"6/0","text":"And these?","turn":true}`,
		`{"by":"goose","is":"item","at":1764694750000,"kind":"user","key":"6/1","text":"Look."}`,
		`{"by":"goose","is":"item","at":1764694750000,"kind":"media","key":"6/2","media":"image/png","pixels":"iVBOR"}`,
		`{"by":"goose","is":"item","at":1764694750000,"kind":"media","key":"6/3","media":"image/jpeg","pixels":"pixels"}`,
		`{"by":"goose","is":"usage","at":1764694741000,"id":"ledger 2","model":"claude-sonnet-4-5","provider":"anthropic","before":"5/0","in":905,"out":50,"read":800,"write":100}`,
		`{"by":"goose","is":"usage","at":1764694742000,"id":"ledger 3","model":"claude-sonnet-4-5","provider":"anthropic","before":"5/0","in":955,"out":50,"side":true}`,
		`{"by":"goose","is":"usage","at":1764694750000,"id":"ledger 4","model":"m","provider":"anthropic","before":"5/0","in":900,"out":50,"read":800,"write":100}`,
		`{"by":"goose","is":"item","at":1764694751000,"kind":"reasoning","key":"7/0","opaque":6}`,
		`{"by":"goose","is":"item","at":1764694751000,"kind":"toolCalls","key":"7/1","name":"view","call":"t2","text":{}}`,
		`{"by":"goose","is":"item","at":1764694751000,"kind":"toolResults","key":"7/2","call":"t2","text":"no such file","error":true}`,
		`{"by":"goose","is":"item","at":1764694751000,"kind":"toolResults","key":"7/3","call":"t3","text":"a list"}`,
		`{"by":"goose","is":"item","at":1764694751000,"kind":"assistant","key":"7/4","text":"A tea."}`,
		`{"by":"goose","is":"item","at":1764694752000,"kind":"assistant","key":"12/0","text":"And a pot."}`,
		`{"by":"goose","is":"usage","at":1764694751000,"id":"ledger 5","model":"m","provider":"anthropic","before":"7/0","in":1800,"out":50,"read":800,"write":100}`,
		`{"by":"goose","is":"usage","at":1764694752000,"id":"ledger 6","model":"m","provider":"anthropic","before":"7/0","in":900,"read":900}`,
		`{"by":"goose","is":"usage","at":1764694752000,"id":"ledger 7","model":"m","provider":"anthropic","before":"7/0","in":901,"read":1}`,
		`{"by":"goose","is":"usage","at":1764694752000,"id":"ledger 8","model":"m","provider":"anthropic","before":"7/0","in":900,"out":50,"read":0,"write":0}`,
		`{"by":"goose","is":"usage","at":1764694753000,"id":"ledger 9","model":"m","provider":"anthropic","before":"7/0","out":50,"read":5,"write":5}`,
		`{"by":"goose","is":"usage","at":1764694753000,"id":"ledger 11","model":"m","provider":"anthropic","before":"7/0","in":1799,"out":0,"read":800,"write":100}`,
		`{"by":"goose","is":"usage","at":1764694753000,"id":"ledger 12","model":"m","provider":"anthropic","before":"7/0","in":900,"out":0,"read":800,"write":100}`,
		`{"by":"goose","is":"usage","at":1764694753000,"id":"ledger 13","model":"m","provider":"anthropic","before":"7/0","in":1,"out":0,"read":1}`)
	expect(t, raw(t, agent.Goose, path, "g3"),
		`{"by":"goose","is":"session","cwd":"/w","title":"A name"}`)
	expect(t, raw(t, agent.Goose, path, "none"))
	made(t, path, do(`DELETE FROM usage_ledger`), do(`DELETE FROM messages WHERE id>5`))
	got = raw(t, agent.Goose, path, "g1")
	made(t, path, do(`UPDATE sessions SET input_tokens=0`))
	if got := raw(t, agent.Goose, path, "g1"); strings.Contains(got[len(got)-1], "usage") {
		t.Errorf("a session without tokens: %s", got[len(got)-1])
	}
	made(t, path, do(`UPDATE sessions SET input_tokens=1`))
	if got := raw(t, agent.Goose, path, "g1"); !strings.Contains(got[len(got)-1], `"in":1,`) {
		t.Errorf("a session with one token: %s", got[len(got)-1])
	}
	expect(t, got[len(got)-1:],
		`{"by":"goose","is":"usage","id":"last 5/0","model":"claude-sonnet-4-5","provider":"anthropic","before":"5/0","in":900,"out":50}`)
	made(t, path, do(`DELETE FROM messages WHERE role='assistant'`))
	got = raw(t, agent.Goose, path, "g1")
	expect(t, got[len(got)-1:],
		`{"by":"goose","is":"item","at":1764694738000,"kind":"toolResults","key":"4/0","call":"t1","text":"a.go"}`)
}
