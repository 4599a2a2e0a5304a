// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
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

// TestRecordsOfKiro checks every part of a turn, and which of its percentages is used.
func TestRecordsOfKiro(t *testing.T) {
	path := kiroStore(t)
	made(t, path, do(`INSERT INTO conversations_v2 VALUES ('relative', 'k2', ?1, 1764590000000, 1764590090000)`, `{"model_info":{"model_id":"m","context_window_tokens":-1},"contextUsagePercentage":0,"history":[
		{"user":{"content":{"Prompt":{"prompt":""},"CancelledToolUses":{"tool_use_results":[{"tool_use_id":"t1","status":"Error","content":[{"Text":"no"}]},{"tool_use_id":"t2","content":[{"Other":1}]}]}},"timestamp":"2026-05-17T10:00:00Z"},
			"assistant":{"ToolUse":{"content":"","tool_uses":[{"id":"t3","name":"a","args":{}},{"id":"t4","name":"b","args":{"x":1}}]}},"request_metadata":{"stream_end_timestamp_ms":1779012010000,"context_usage_percentage":5}}]}`),
		do(`INSERT INTO conversations_v2 VALUES ('relative', 'k3', ?1, 0, 0)`, `{"model_info":{"context_window_tokens":1000},"context_usage":{"usagePercentage":50},"history":[{"user":{"content":{"Prompt":{"prompt":"P"}}},"assistant":{"ToolUse":{"content":"A"}}},{"request_metadata":{"context_usage_percentage":7}},{"request_metadata":{"context_usage_percentage":0.01}},{"request_metadata":{"context_usage_percentage":0}},{"assistant":{"Response":{"content":""}}}]}`),
		do(`INSERT INTO conversations_v2 VALUES ('relative', 'k4', ?1, 0, 0)`, `{"context_usage":{"usagePercentage":50},"history":[]}`))
	got := raw(t, agent.Kiro, path, "k1")
	got[0] = strings.Replace(got[0], strconv.Quote(kiroFolder()), `"/w/shop"`, 1)
	expect(t, got,
		`{"by":"kiro","is":"session","cwd":"/w/shop","model":"claude-sonnet-4.5","window":200000}`,
		`{"by":"kiro","is":"item","at":1779012000000,"kind":"user","key":"0/user","text":"List the files.","turn":true}`,
		`{"by":"kiro","is":"item","at":1779012010000,"kind":"assistant","key":"0/answer","text":"I look."}`,
		`{"by":"kiro","is":"item","at":1779012010000,"kind":"toolCalls","key":"0/call/0","name":"execute_bash","call":"t1","text":{"command":"ls"}}`,
		`{"by":"kiro","is":"item","kind":"toolResults","key":"1/result/0","call":"t1","text":"a.txt{\"exit\":0}"}`,
		`{"by":"kiro","is":"item","kind":"assistant","key":"1/answer","text":"There is a.txt."}`,
		`{"by":"kiro","is":"over"}`,
		`{"by":"kiro","is":"own","percent":1250,"label":{"id":"agentPrints","args":["Kiro"]}}`,
		`{"by":"kiro","is":"usage","id":"after 2","note":{"id":"kiroPercent"},"in":25000,"out":0,"own":true}`,
		`{"by":"kiro","is":"warning","text":{"id":"kiroEstimate"}}`)
	expect(t, described(t, agent.Kiro, path),
		`k1 of "": "" in "`+kiroFolder()+`", 1764590000000 to 1764590090000`,
		`k2 of "": "" in "", 1764590000000 to 1764590090000`,
		`k3 of "": "" in "", 0 to 0`,
		`k4 of "": "" in "", 0 to 0`)
	expect(t, raw(t, agent.Kiro, path, "k2"),
		`{"by":"kiro","is":"session","model":"m"}`,
		`{"by":"kiro","is":"item","at":1779012000000,"kind":"toolResults","key":"0/result/0","call":"t1","text":"no","error":true}`,
		`{"by":"kiro","is":"item","at":1779012000000,"kind":"toolResults","key":"0/result/1","call":"t2"}`,
		`{"by":"kiro","is":"item","at":1779012010000,"kind":"toolCalls","key":"0/call/0","name":"a","call":"t3","text":{}}`,
		`{"by":"kiro","is":"item","at":1779012010000,"kind":"toolCalls","key":"0/call/1","name":"b","call":"t4","text":{"x":1}}`,
		`{"by":"kiro","is":"own","percent":0,"label":{"id":"agentPrints","args":["Kiro"]}}`,
		`{"by":"kiro","is":"warning","text":{"id":"kiroEstimate"}}`)
	expect(t, raw(t, agent.Kiro, path, "k3"),
		`{"by":"kiro","is":"session","window":1000}`,
		`{"by":"kiro","is":"item","kind":"user","key":"0/user","text":"P","turn":true}`,
		`{"by":"kiro","is":"item","kind":"assistant","key":"0/answer","text":"A"}`,
		`{"by":"kiro","is":"over"}`,
		`{"by":"kiro","is":"own","percent":1,"label":{"id":"agentPrints","args":["Kiro"]}}`,
		`{"by":"kiro","is":"usage","id":"after 5","note":{"id":"kiroPercent"},"in":0,"out":0,"own":true}`,
		`{"by":"kiro","is":"warning","text":{"id":"kiroEstimate"}}`)
	expect(t, raw(t, agent.Kiro, path, "k4"),
		`{"by":"kiro","is":"session"}`,
		`{"by":"kiro","is":"own","percent":5000,"label":{"id":"agentPrints","args":["Kiro"]}}`,
		`{"by":"kiro","is":"warning","text":{"id":"kiroEstimate"}}`)
	expect(t, raw(t, agent.Kiro, path, "none"))
	old := made(t, filepath.Join(t.TempDir(), "data.sqlite3"), do(`CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)`), do(`INSERT INTO conversations VALUES ('relative', '{"model_info":{"context_window_tokens":1},"contextUsagePercentage":100}'), ('two', '{}')`))
	expect(t, described(t, agent.Kiro, old), `relative of "": "" in "", 0 to 0`, `two of "": "" in "", 0 to 0`)
	if got := raw(t, agent.Kiro, old, "relative"); len(got) != 4 || !strings.Contains(got[2], `"in":1,`) {
		t.Errorf("%q", got)
	}
}
