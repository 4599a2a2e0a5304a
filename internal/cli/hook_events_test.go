// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The events follow the agents' own documentation of November 2026; docs/daemon.md lists what is uncertain.
func TestHooksOfEveryAgentThatHasThem(t *testing.T) {
	home, shop, settings := t.TempDir(), "/home/shop", ".config"
	if runtime.GOOS == "windows" {
		shop, settings = `C:\home\shop`, "AppData/Roaming"
	}
	place := func(fixture, to string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", fixture))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, to)
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, text, 0o600) != nil {
			t.Fatal(path)
		}
		return path
	}
	claude := filepath.Join(home, ".claude/projects/-shop/22222222-2222-4222-8222-222222222222.jsonl")
	if err := os.MkdirAll(filepath.Dir(claude), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(claude, []byte(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"22222222-2222-4222-8222-222222222222","version":"2.1.200","cwd":"/w","message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:00:00.000Z"}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	codex := place("sessions/codex/rollout.jsonl", ".codex/sessions/2026/06/25/rollout-2026-06-25T08-00-00-0197a000-0000-7000-8000-000000000001.jsonl")
	gemini := place("sessions/gemini-cli/session.jsonl", ".gemini/tmp/shop/chats/session-1.jsonl")
	qwen := place("sessions/qwen-code/chat.jsonl", ".qwen/projects/-shop/chats/q1.jsonl")
	place("sessions/copilot-cli/events.jsonl", ".copilot/session-state/c1/events.jsonl")
	place("lines/kiro/session.jsonl", ".kiro/sessions/cli/k1.jsonl")
	if err := os.WriteFile(filepath.Join(home, ".kiro/sessions/cli/k1.json"), fmt.Appendf(nil, `{"session_id":"k1","cwd":%q}`, shop), 0o600); err != nil {
		t.Fatal(err)
	}
	cursor := filepath.Join(home, settings, "Cursor/User/globalStorage/state.vscdb")
	if err := os.MkdirAll(filepath.Dir(cursor), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", cursor)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
		`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT)`,
		`INSERT INTO composerHeaders VALUES ('cc1', 'w', 1764590000000, 1764590090000, 0, 0, 1, NULL, '{"name":"Prices"}')`,
		`INSERT INTO cursorDiskKV VALUES ('composerData:cc1', '{"_v":17,"composerId":"cc1","createdAt":1764590000000,"modelConfig":{"modelName":"claude-4.5-sonnet"},"contextTokensUsed":111068,"contextTokenLimit":272000,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1}]}'), ('bubbleId:cc1:b1', '{"type":1,"text":"Add the tax."}')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	quoted := func(s string) string { text, _ := json.Marshal(s); return string(text) }
	for _, test := range []struct{ agent, event, answer string }{
		{"Claude Code", `{"session_id":"22222222-2222-4222-8222-222222222222","transcript_path":` + quoted(claude) + `,"cwd":"/w","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"p"}`, `{"hookSpecificOutput":{"additionalContext":"Your context `},
		{"Claude Code, after a tool", `{"session_id":"22222222-2222-4222-8222-222222222222","transcript_path":` + quoted(claude) + `,"cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"tool_response":{},"tool_use_id":"t"}`, `{"hookSpecificOutput":{"additionalContext":"Your context `},
		{"Claude Code, before a compaction", `{"session_id":"22222222-2222-4222-8222-222222222222","transcript_path":` + quoted(claude) + `,"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":""}`, `{"systemMessage":"Your context `},
		{"Codex", `{"session_id":"0197a000-0000-7000-8000-000000000001","turn_id":"1","transcript_path":` + quoted(codex) + `,"cwd":"/home/ada/shop","hook_event_name":"PostToolUse","model":"gpt","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"a","tool_use_id":"t"}`, `{"hookSpecificOutput":{"additionalContext":"Your context `},
		{"Codex without a transcript", `{"session_id":"0197a000-0000-7000-8000-000000000001","transcript_path":null,"cwd":"/home/ada/shop","hook_event_name":"UserPromptSubmit","model":"gpt","prompt":"p"}`, `{"hookSpecificOutput":{"additionalContext":"Your context `},
		{"Gemini CLI", `{"session_id":"g","transcript_path":` + quoted(gemini) + `,"cwd":"/w","hook_event_name":"AfterTool","timestamp":"2026-11-01T10:00:00Z","tool_name":"read_file","tool_input":{},"tool_response":{}}`, `{"hookSpecificOutput":{"additionalContext":"Your context `},
		{"Qwen Code", `{"session_id":"q","transcript_path":` + quoted(qwen) + `,"cwd":"/w","hook_event_name":"PostToolUse","timestamp":"2026-11-01T10:00:00Z","tool_name":"read_file"}`, `{"hookSpecificOutput":{"additionalContext":"Your context `},
		{"Copilot CLI", `{"sessionId":"c1","timestamp":1764590000000.5,"cwd":"/w","toolName":"bash","toolArgs":"{}","toolResult":{"resultType":"success","textResultForLlm":"a"}}`, `{"additionalContext":"Your context `},
		{"Cursor", `{"conversation_id":"cc1","generation_id":"g","model":"m","hook_event_name":"postToolUse","cursor_version":"2.4.0","workspace_roots":["/w"],"user_email":null,"transcript_path":null,"tool_name":"Shell","duration":1}`, `{"additional_context":"Your context `},
		{"Cursor, before a compaction", `{"conversation_id":"cc1","generation_id":"g","hook_event_name":"preCompact","cursor_version":"2.4.0","context_usage_percent":85}`, `{"user_message":"Your context `},
		{"Kiro CLI", `{"hook_event_name":"userPromptSubmit","cwd":` + quoted(shop) + `,"prompt":"p"}`, "Your context "},
		{"Kiro CLI, whose answer would be lost", `{"hook_event_name":"postToolUse","cwd":` + quoted(shop) + `,"tool_name":"fs_read","tool_input":{},"tool_response":{}}`, ""},
	} {
		var out, errs bytes.Buffer
		env := &environment{
			Stdin: strings.NewReader(test.event), Stdout: &out, Stderr: &errs, Dir: home, Now: time.Now, Columns: 80,
			Getenv: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		}
		code := run(context.Background(), env, []string{"hook", "--always", "--timeout=1m"})
		if code != exitOK || !strings.HasPrefix(out.String(), test.answer) || (test.answer == "") != (out.Len() == 0) {
			t.Errorf("%s: %d %q %q", test.agent, code, out.String(), errs.String())
		}
	}
}
