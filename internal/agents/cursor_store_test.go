// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func cursorStore(t testing.TB, more ...[]any) string {
	user := filepath.Join(t.TempDir(), "Cursor", "User")
	folder := filepath.Join(user, "workspaceStorage", "abc123")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "workspace.json"), []byte(`{"folder":"file:///w/my%20shop"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return made(t, filepath.Join(user, "globalStorage", "state.vscdb"), append([][]any{
		do(`CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`),
		do(`CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`),
		do(`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT)`),
		do(`INSERT INTO composerHeaders VALUES ('c1', 'abc123', 1764590000000, 1764590090000, 0, 0, 1, NULL, '{"name":"Prices with tax"}')`),
		do(`INSERT INTO composerHeaders VALUES ('c2', '../..', 1764590000000, 1764590090000, 0, 1, 1, NULL, '{"subagentInfo":{"parentComposerId":"c1"}}')`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c1', ?1)`, []byte(`{"_v":17,"composerId":"c1","name":"Prices with tax","createdAt":1764590000000,"lastUpdatedAt":1764590090000,"status":"completed",
			"modelConfig":{"modelName":"claude-4.5-sonnet","maxMode":false},"contextTokensUsed":111068,"contextTokenLimit":272000,"contextUsagePercent":40.8338,
			"promptTokenBreakdown":{"totalUsedTokens":111068,"categories":[{"id":"system_prompt","label":"System prompt","estimatedTokens":3100},{"id":"tools","label":"Tools","estimatedTokens":9000},{"id":"rules","label":"Rules","estimatedTokens":0},{"id":"conversation","label":"Conversation","estimatedTokens":98968}]},
			"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"gone","type":2},{"bubbleId":"b3","type":2},{"bubbleId":"b4","type":1}]}`)),
		do(`INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', '{"type":1,"text":"Add the tax.","createdAt":"2025-12-01T12:00:00.000Z"}')`),
		do(`INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b2', '{"type":2,"text":"","thinking":{"text":"I look.","signature":"abcd"},"toolFormerData":{"name":"read_file","rawArgs":"{\"path\":\"a.go\"}","result":"{\"contents\":\"package a\"}","status":"completed","toolCallId":"t1"},"tokenCount":{"inputTokens":0,"outputTokens":0}}')`),
		do(`INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b3', '{"type":2,"text":"There is none."}')`),
		do(`INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b4', '{"type":1,"text":"Then add one.","contextWindowStatusAtCreation":{"tokensUsed":90000,"tokenLimit":272000,"percentageRemaining":67}}')`),
	}, more...)...)
}

func TestCursor(t *testing.T) {
	path := cursorStore(t)
	found := list(t, agent.Cursor, path)
	if len(found) != 2 || found[0].Workspace != "/w/my shop" || found[0].Label != "Prices with tax" || found[1].Parent != "c1" || found[1].Workspace != "" {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Cursor, path, "c1"),
		"title Prices with tax", "model claude-4.5-sonnet of ", "window 272000 input -1 output -1",
		"system System prompt, as Cursor counts it of 3100", "tools Tools, as Cursor counts it of 9000",
		"turn", `user  "Add the tax."`, `reasoning  "I look."`, `toolCalls read_file "{\"path\":\"a.go\"}"`,
		`toolResults read_file "{\"contents\":\"package a\"}" for 2`, `assistant  "There is none."`,
		"over", "turn", `user  "Then add one."`,
		"used in 90000 out 0 reasoning -1 read -1 write -1 through 5 by , own",
		"used in 111068 out 0 reasoning -1 read -1 write -1 through 6 by , own",
		"AgentPercent{4083 as Cursor prints it}", "over")
	hostile(t, agent.Cursor, cursorStore(t), "c1")
}

// TestCursorBeforeTheTableOfConversations: they are found by their keys.
func TestCursorBeforeTheTableOfConversations(t *testing.T) {
	path := cursorStore(t, do(`DROP TABLE composerHeaders`))
	found := list(t, agent.Cursor, path)
	if len(found) != 1 || found[0].ID != "c1" || found[0].Label != "Prices with tax" || found[0].Modified.UnixMilli() != 1764590090000 {
		t.Errorf("%+v", found)
	}
}

// TestCursorSumsUp: where a part of the conversation is a summary, the meter fell when it was made.
func TestCursorSumsUp(t *testing.T) {
	path := cursorStore(t,
		do(`UPDATE cursorDiskKV SET value=replace(value, '"id":"rules","label":"Rules","estimatedTokens":0', '"id":"summarized_conversation","label":"Summary","estimatedTokens":900') WHERE key='composerData:c1'`),
		do(`UPDATE cursorDiskKV SET value='{"type":1,"text":"Add the tax.","contextWindowStatusAtCreation":{"tokensUsed":250000}}' WHERE key='bubbleId:c1:b1'`))
	lines := events(t, agent.Cursor, path, "c1")
	for _, line := range lines {
		if line == "compacted, kept 0, before 250000, left 90000" {
			return
		}
	}
	t.Errorf("%q", lines)
}

// TestCursorWarnsOfItsOwnContradiction: the count lags behind the percentage, or the other way round.
func TestCursorWarnsOfItsOwnContradiction(t *testing.T) {
	path := cursorStore(t, do(`UPDATE cursorDiskKV SET value=replace(value, '40.8338', '55') WHERE key='composerData:c1'`))
	lines := events(t, agent.Cursor, path, "c1")
	if lines[len(lines)-2] != "warning Cursor's count and its percentage were taken at different times." {
		t.Errorf("%q", lines)
	}
}

// TestRecordsOfCursor checks every field of a message, and the sums of a conversation without a meter.
func TestRecordsOfCursor(t *testing.T) {
	path := cursorStore(t,
		do(`UPDATE cursorDiskKV SET value=?1 WHERE key='bubbleId:c1:b3'`, `{"type":2,"text":"There is none.","createdAt":1764590005000,"toolFormerData":{"name":"run","params":"{\"x\":1}","result":"n","status":"error"}}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c3', ?1)`, `{"name":"Old","createdAt":1764590000000,"lastUpdatedAt":1764590090,"status":"aborted","modelConfig":{"modelName":"default"},"contextTokensUsed":5000,"contextTokenLimit":10000,"contextUsagePercent":52,
			"promptTokenBreakdown":{"totalUsedTokens":0,"categories":[{"id":"rules","estimatedTokens":7},{"id":"skills","estimatedTokens":8},{"id":"mcp","estimatedTokens":9},{"id":"subagents","estimatedTokens":1},{"id":"other","estimatedTokens":1}]},
			"conversation":[{"bubbleId":"a","type":1,"text":"Hello."},{"bubbleId":"","type":1,"text":"Undone."},{"bubbleId":"b","type":2,"text":"Hi.","toolFormerData":{"name":""}},{"bubbleId":"c","type":2,"toolFormerData":{"name":"ls","result":""}}]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c4', ?1)`, `{"status":"running","contextTokensUsed":5000,"contextTokenLimit":10000,"contextUsagePercent":52.01,"modelConfig":{"modelName":"`+strings.Repeat("m", 200)+`"},"conversation":[]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c5', ?1)`, `{"contextTokensUsed":0,"contextTokenLimit":-5,"contextUsagePercent":0,"conversation":[]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c6', ?1)`, `{"contextUsagePercent":1000.1,"conversation":[]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c7', ?1)`, `{"promptTokenBreakdown":{"totalUsedTokens":1},"contextTokensUsed":5,"contextTokenLimit":1,"contextUsagePercent":12.345,"conversation":[]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c8', ?1)`, `{"contextTokensUsed":9999,"contextTokenLimit":9999,"contextUsagePercent":98,"conversation":[]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:c9', ?1)`, `{"contextTokensUsed":5,"contextTokenLimit":0,"contextUsagePercent":50,"conversation":[]}`),
		do(`INSERT INTO cursorDiskKV VALUES ('composerData:ca', ?1)`, `{"contextTokenLimit":10,"contextUsagePercent":50,"conversation":[]}`))
	// The second conversation names this folder.
	outside := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(path))), "workspace.json")
	if err := os.WriteFile(outside, []byte(`{"folder":"file:///w/outside"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, described(t, agent.Cursor, path),
		`c1 of "": "Prices with tax" in "/w/my shop", 1764590000000 to 1764590090000`,
		`c2 of "c1": "" in "", 1764590000000 to 1764590090000`)
	expect(t, raw(t, agent.Cursor, path, "c1"),
		`{"by":"cursor","is":"session","at":1764590000000,"title":"Prices with tax","model":"claude-4.5-sonnet","window":272000}`,
		`{"by":"cursor","is":"context","kind":"system","parts":[{"label":{"id":"byCursorCount","args":[{"id":"system"}]},"tokens":3100}]}`,
		`{"by":"cursor","is":"context","kind":"tools","parts":[{"label":{"id":"byCursorCount","args":[{"id":"tools"}]},"tokens":9000}]}`,
		`{"by":"cursor","is":"item","at":1764590400000,"kind":"user","key":"b1","text":"Add the tax.","turn":true}`,
		`{"by":"cursor","is":"item","kind":"reasoning","key":"b2/thinking","text":"I look.","opaque":4}`,
		`{"by":"cursor","is":"item","kind":"toolCalls","key":"b2/call","name":"read_file","call":"b2","text":{"path":"a.go"}}`,
		`{"by":"cursor","is":"item","kind":"toolResults","key":"b2/result","name":"read_file","call":"b2","text":"{\"contents\":\"package a\"}"}`,
		`{"by":"cursor","is":"item","at":1764590005000,"kind":"assistant","key":"b3","text":"There is none."}`,
		`{"by":"cursor","is":"item","at":1764590005000,"kind":"toolCalls","key":"b3/call","name":"run","call":"b3","text":{"x":1}}`,
		`{"by":"cursor","is":"item","at":1764590005000,"kind":"toolResults","key":"b3/result","name":"run","call":"b3","text":"n","error":true}`,
		`{"by":"cursor","is":"item","kind":"user","key":"b4","text":"Then add one.","turn":true}`,
		`{"by":"cursor","is":"usage","id":"before b4","note":{"id":"cursorMeter"},"before":"b4","in":90000,"out":0,"own":true}`,
		`{"by":"cursor","is":"usage","at":1764590090000,"id":"after b4","note":{"id":"cursorMeter"},"in":111068,"out":0,"own":true}`,
		`{"by":"cursor","is":"own","percent":4083,"label":{"id":"agentPrints","args":["Cursor"]}}`,
		`{"by":"cursor","is":"over"}`)
	expect(t, raw(t, agent.Cursor, path, "c3"),
		`{"by":"cursor","is":"session","at":1764590000000,"title":"Old","window":10000}`,
		`{"by":"cursor","is":"context","kind":"memory","parts":[{"label":{"id":"byCursorCount","args":[{"id":"cursorRules"}]},"tokens":7}]}`,
		`{"by":"cursor","is":"context","kind":"skills","parts":[{"label":{"id":"byCursorCount","args":[{"id":"skills"}]},"tokens":8}]}`,
		`{"by":"cursor","is":"context","kind":"mcpTools","parts":[{"label":{"id":"byCursorCount","args":[{"id":"mcpTools"}]},"tokens":9}]}`,
		`{"by":"cursor","is":"context","kind":"agents","parts":[{"label":{"id":"byCursorCount","args":[{"id":"cursorSubagents"}]},"tokens":1}]}`,
		`{"by":"cursor","is":"item","kind":"user","key":"a","text":"Hello.","turn":true}`,
		`{"by":"cursor","is":"item","kind":"assistant","key":"b","text":"Hi."}`,
		`{"by":"cursor","is":"item","kind":"toolCalls","key":"c/call","name":"ls","call":"c"}`,
		`{"by":"cursor","is":"usage","at":1764590090000,"id":"after a","note":{"id":"cursorMeter"},"in":5000,"out":0,"own":true}`,
		`{"by":"cursor","is":"own","percent":5200,"label":{"id":"agentPrints","args":["Cursor"]}}`,
		`{"by":"cursor","is":"over"}`)
	expect(t, raw(t, agent.Cursor, path, "c4"),
		`{"by":"cursor","is":"session","window":10000}`,
		`{"by":"cursor","is":"usage","id":"after ","note":{"id":"cursorMeter"},"in":5000,"out":0,"own":true}`,
		`{"by":"cursor","is":"own","percent":5201,"label":{"id":"agentPrints","args":["Cursor"]}}`,
		`{"by":"cursor","is":"warning","text":{"id":"cursorMoments"}}`)
	expect(t, raw(t, agent.Cursor, path, "c5"),
		`{"by":"cursor","is":"session"}`,
		`{"by":"cursor","is":"own","percent":0,"label":{"id":"agentPrints","args":["Cursor"]}}`)
	expect(t, raw(t, agent.Cursor, path, "c6"),
		`{"by":"cursor","is":"session"}`)
	expect(t, raw(t, agent.Cursor, path, "c7"),
		`{"by":"cursor","is":"session","window":1}`,
		`{"by":"cursor","is":"usage","id":"after ","note":{"id":"cursorMeter"},"in":1,"out":0,"own":true}`,
		`{"by":"cursor","is":"own","percent":1235,"label":{"id":"agentPrints","args":["Cursor"]}}`,
		`{"by":"cursor","is":"warning","text":{"id":"cursorMoments"}}`)
	expect(t, raw(t, agent.Cursor, path, "c8"),
		`{"by":"cursor","is":"session","window":9999}`,
		`{"by":"cursor","is":"usage","id":"after ","note":{"id":"cursorMeter"},"in":9999,"out":0,"own":true}`,
		`{"by":"cursor","is":"own","percent":9800,"label":{"id":"agentPrints","args":["Cursor"]}}`)
	expect(t, raw(t, agent.Cursor, path, "c9"),
		`{"by":"cursor","is":"session"}`,
		`{"by":"cursor","is":"usage","id":"after ","note":{"id":"cursorMeter"},"in":5,"out":0,"own":true}`,
		`{"by":"cursor","is":"own","percent":5000,"label":{"id":"agentPrints","args":["Cursor"]}}`)
	expect(t, raw(t, agent.Cursor, path, "ca"),
		`{"by":"cursor","is":"session","window":10}`,
		`{"by":"cursor","is":"own","percent":5000,"label":{"id":"agentPrints","args":["Cursor"]}}`)
	expect(t, raw(t, agent.Cursor, path, "none"))
	made(t, path, do(`DROP TABLE composerHeaders`), do(`UPDATE cursorDiskKV SET value=?1 WHERE key='composerData:c3'`, `{"name":"Old","createdAt":1764590000000,"lastUpdatedAt":1764590090000,"workspaceIdentifier":{"id":"abc123"}}`))
	expect(t, described(t, agent.Cursor, path),
		`c1 of "": "Prices with tax" in "", 1764590000000 to 1764590090000`,
		`c3 of "": "Old" in "/w/my shop", 1764590000000 to 1764590090000`,
		`c4 of "": "" in "", 0 to 0`,
		`c5 of "": "" in "", 0 to 0`,
		`c6 of "": "" in "", 0 to 0`, `c7 of "": "" in "", 0 to 0`, `c8 of "": "" in "", 0 to 0`, `c9 of "": "" in "", 0 to 0`, `ca of "": "" in "", 0 to 0`)
}

// TestCursorSumsUpOnlyHalves checks that a count that has fallen to half of the largest one, and one of a conversation
// without a summary, is not a compaction.
func TestCursorSumsUpOnlyHalves(t *testing.T) {
	for _, c := range []struct {
		summary       string
		first, second string
		want          bool
	}{{"900", "250000", "124999", true}, {"900", "250000", "125000", false}, {"0", "250000", "90000", false}, {"900", "250000", "0", false}, {"1", "250000", "1", true}} {
		path := cursorStore(t,
			do(`UPDATE cursorDiskKV SET value=replace(value, '"id":"rules","label":"Rules","estimatedTokens":0', '"id":"summarized_conversation","label":"Summary","estimatedTokens":`+c.summary+`') WHERE key='composerData:c1'`),
			do(`UPDATE cursorDiskKV SET value='{"type":1,"text":"Add the tax.","contextWindowStatusAtCreation":{"tokensUsed":`+c.first+`}}' WHERE key='bubbleId:c1:b1'`),
			do(`UPDATE cursorDiskKV SET value='{"type":1,"text":"More.","contextWindowStatusAtCreation":{"tokensUsed":`+c.second+`}}' WHERE key='bubbleId:c1:b4'`))
		got := strings.Join(events(t, agent.Cursor, path, "c1"), "\n")
		if strings.Contains(got, "compacted, kept 0, before "+c.first+", left "+c.second) != c.want || strings.Contains(got, "compacted") != c.want {
			t.Errorf("%+v:\n%s", c, got)
		}
	}
}

// TestCursorSumsUpTwice checks that a count is compared with those since the last summary.
func TestCursorSumsUpTwice(t *testing.T) {
	user := func(id, used string) string {
		return `{"bubbleId":"` + id + `","type":1,"text":"t","createdAt":1764590000000,"contextWindowStatusAtCreation":{"tokensUsed":` + used + `}}`
	}
	path := cursorStore(t, do(`INSERT INTO cursorDiskKV VALUES ('composerData:c3', ?1)`,
		`{"promptTokenBreakdown":{"categories":[{"id":"summarized_conversation","estimatedTokens":1}]},"conversation":[`+strings.Join([]string{user("a", "1000"), user("b", "100"), user("c", "60"), user("d", "49")}, ",")+`]}`))
	var got []string
	for _, line := range raw(t, agent.Cursor, path, "c3") {
		if strings.Contains(line, "compacted") {
			got = append(got, line)
		}
	}
	expect(t, got,
		`{"by":"cursor","is":"compacted","at":1764590000000,"before":1000,"tokens":100,"auto":true}`,
		`{"by":"cursor","is":"compacted","at":1764590000000,"before":100,"tokens":49,"auto":true}`)
}
