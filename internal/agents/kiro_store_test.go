// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// kiroFolder is a folder whose path is whole on this system, since Kiro's key of a conversation is one.
func kiroFolder() string {
	if runtime.GOOS == "windows" {
		return `C:\w\shop`
	}
	return "/w/shop"
}

func kiroStore(t testing.TB) string {
	return made(t, filepath.Join(t.TempDir(), "data.sqlite3"),
		do(`CREATE TABLE conversations_v2 (key TEXT, conversation_id TEXT, value TEXT, created_at INTEGER, updated_at INTEGER)`),
		do(`INSERT INTO conversations_v2 VALUES ('`+kiroFolder()+`', 'k1', ?1, 1764590000000, 1764590090000)`, `{"conversation_id":"k1","model_info":{"model_id":"claude-sonnet-4.5","context_window_tokens":200000},"contextUsagePercentage":12.5,"history":[
			{"user":{"content":{"Prompt":{"prompt":"List the files."}},"timestamp":"2026-05-17T10:00:00Z"},"assistant":{"ToolUse":{"message_id":"a","content":"I look.","tool_uses":[{"id":"t1","name":"execute_bash","args":{"command":"ls"}}]}},"request_metadata":{"stream_end_timestamp_ms":1779012010000}},
			{"user":{"content":{"ToolUseResults":{"tool_use_results":[{"tool_use_id":"t1","status":"Success","content":[{"Text":"a.txt"},{"Json":{"exit":0}}]}]}}},"assistant":{"Response":{"message_id":"b","content":"There is a.txt."}}}]}`))
}

// TestKiroBeforeItsConversationsHadNames: each folder had one, and the percentage stands with the requests.
func TestKiroBeforeItsConversationsHadNames(t *testing.T) {
	path := made(t, filepath.Join(t.TempDir(), "data.sqlite3"),
		do(`CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)`),
		do(`INSERT INTO conversations VALUES ('`+kiroFolder()+`', ?1)`, `{"conversation_id":"k0","history":[{"user":{"content":{"Prompt":{"prompt":"Where?"}}},"assistant":{"Response":{"content":"Here."}},"request_metadata":{"model_id":"claude-sonnet-4","context_usage_percentage":4.25}}]}`))
	if found := list(t, agent.Kiro, path); len(found) != 1 || found[0].Workspace != kiroFolder() {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Kiro, path, kiroFolder()),
		"in "+kiroFolder(), "turn", `user  "Where?"`, `assistant  "Here."`, "over", "AgentPercent{425 as Kiro prints it}",
		"warning Kiro records no tokens; the number is estimated from the texts, or is its own percentage.")
	hostile(t, agent.Kiro, path, kiroFolder())
}

func TestKiro(t *testing.T) {
	path := kiroStore(t)
	found := list(t, agent.Kiro, path)
	if len(found) != 1 || found[0].ID != "k1" || found[0].Workspace != kiroFolder() || found[0].Modified.UnixMilli() != 1764590090000 {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Kiro, path, "k1"),
		"in "+kiroFolder(), "model claude-sonnet-4.5 of ", "window 200000 input -1 output -1",
		"turn", `user  "List the files."`, `assistant  "I look."`, `toolCalls execute_bash "{\"command\":\"ls\"}"`,
		`toolResults execute_bash "a.txt{\"exit\":0}" for 2`, `assistant  "There is a.txt."`, "over",
		"AgentPercent{1250 as Kiro prints it}",
		"used in 25000 out 0 reasoning -1 read -1 write -1 through 5 by , own",
		"warning Kiro records no tokens; the number is estimated from the texts, or is its own percentage.")
	hostile(t, agent.Kiro, kiroStore(t), "k1")
}
