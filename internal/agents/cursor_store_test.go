// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
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
