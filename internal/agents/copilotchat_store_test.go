// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// chatLog is a chat as VS Code writes it: the state first, and then what has changed.
var chatLog = []string{
	`{"kind":0,"v":{"version":3,"creationDate":1764590000000,"customTitle":"Prices with tax","sessionId":"c1","inputState":{"selectedModel":{"identifier":"copilot/gpt-5","metadata":{"maxInputTokens":127997,"maxOutputTokens":64000}}},"requests":[]}}`,
	`{"kind":2,"k":["requests"],"v":[{"requestId":"r1","timestamp":1764590001000,"message":{"text":"Add the tax."},"modelId":"copilot/gpt-5","response":[],"modelState":{"value":0}}]}`,
	`{"kind":1,"k":["requests",0,"result"],"v":{"metadata":{"promptTokens":18212,"outputTokens":121,"resolvedModel":"gpt-5-2025-08-07","renderedUserMessage":[{"type":1,"text":"<request>Add the tax.</request>"}],
		"toolCallRounds":[{"id":"a","response":"I look.","toolCalls":[{"id":"t1","name":"read_file","arguments":"{\"filePath\":\"a.go\"}"}],"thinking":{"id":"x","text":"Where?"}},{"id":"b","response":"There is none.","toolCalls":[]}],
		"toolCallResults":{"t1":{"$mid":20,"content":[{"$mid":21,"value":"package a"}]}}}}}`,
	`{"kind":1,"k":["requests",0,"modelState"],"v":{"value":1,"completedAt":1764590009000}}`,
	`{"kind":2,"k":["requests"],"v":[{"requestId":"r2","timestamp":1764590011000,"message":{"text":"Then add one."},"modelId":"copilot/gpt-5","response":[{"value":"Done."}],"modelState":{"value":1},"result":{"usage":{"promptTokens":20000,"completionTokens":9,"promptTokenDetails":[{"category":"System","label":"System Instructions","percentageOfPrompt":12},{"category":"System","label":"Tool Definitions","percentageOfPrompt":40}]},
		"metadata":{"summaries":[{"toolCallRoundId":"b","text":"Prices had no tax.","source":"foreground","contextLengthBefore":99003,"usage":{"prompt_tokens":99100,"completion_tokens":300,"prompt_tokens_details":{"cached_tokens":90000}}}]}}}]}`,
}

func chatFile(t testing.TB, name, text string) string {
	folder := filepath.Join(t.TempDir(), "Code", "User", "workspaceStorage", "abc")
	if err := os.MkdirAll(filepath.Join(folder, "chatSessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "chatSessions", name)
	for file, text := range map[string]string{filepath.Join(folder, "workspace.json"): `{"folder":"vscode-remote://wsl%2Bubuntu/w/shop"}`, path: text} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func joined(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.ReplaceAll(line, "\n\t\t", "")
	}
	return strings.Join(out, "\n") + "\n"
}

func TestCopilotChat(t *testing.T) {
	path := chatFile(t, "c1.jsonl", joined(chatLog)+`{"kind":1,"k":["cust`)
	found := list(t, agent.Copilot, path)
	if len(found) != 1 || found[0].ID != "c1" || found[0].Workspace != "/w/shop" || found[0].Label != "Prices with tax" {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Copilot, path, "c1"),
		"in /w/shop", "title Prices with tax", "model gpt-5 of github-copilot", "window -1 input 127997 output 64000",
		"turn", `user  "<request>Add the tax.</request>"`, `reasoning  "Where?"`, `assistant  "I look."`,
		`toolCalls read_file "{\"filePath\":\"a.go\"}"`, `toolResults read_file "package a" for 3`, `assistant  "There is none."`,
		"used in 18212 out 121 reasoning -1 read -1 write -1 through 5 by gpt-5-2025-08-07", "over",
		"turn", `user  "Then add one."`,
		"used in 99100 out 300 reasoning -1 read 90000 write -1 through 7 by , side",
		`compacted, kept 0, before 99003, left -1, "Prices had no tax."`, `assistant  "Done."`,
		"used in 20000 out 9 reasoning -1 read -1 write -1 through 1 by gpt-5",
		"system System prompt, by Copilot's percentage of 2400", "tools Tools, by Copilot's percentage of 8000", "over",
		"warning Entries of this chat's log could not be read: 1. It is being written, or it was cut off; the other entries are used.")
}

// TestCopilotChatWithoutCounts: older versions record none, and their documents are one state.
func TestCopilotChatWithoutCounts(t *testing.T) {
	path := chatFile(t, "c1.json", `{
	"requests": [{"requestId":"r1","message":{"text":"Hello."},"response":[{"kind":"mcpServersStarting"},{"value":"Hi."}],"result":{}}]}`)
	lines := events(t, agent.Copilot, path, "c1")
	if last := lines[len(lines)-1]; !strings.Contains(last, "contains no count of a provider") || lines[len(lines)-3] != `assistant  "Hi."` {
		t.Errorf("%q", lines)
	}
	if found := list(t, agent.Copilot, chatFile(t, "c2.json", `{"requests":[]}`)); len(found) != 0 {
		t.Errorf("a chat in which nothing was said: %+v", found)
	}
}

// TestHostileChats puts every strange value into every field, and cuts the log everywhere.
func TestHostileChats(t *testing.T) {
	whole := joined(chatLog)
	path := chatFile(t, "c1.jsonl", whole)
	try := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = listCopilotChat(context.Background(), path) // an error is an answer
		if records, err := storeRecords(context.Background(), agent.Copilot, path, "c1"); err == nil {
			read(t, agent.Copilot, records)
		}
	}
	for cut := 0; cut < len(whole); cut += 7 {
		try(whole[:cut])
	}
	values := []string{`null`, `true`, `-1`, `1e300`, `""`, `"x"`, `[]`, `[[[]]]`, `{}`, `{"text":{"text":[7]}}`}
	n := 0
	for _, line := range chatLog {
		var v any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(line, "\n\t\t", "")), &v); err != nil {
			t.Fatal(err)
		}
		mutate(v, func() any { n++; return json.RawMessage(values[n%len(values)]) }, func() {
			broken, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			try(strings.Replace(whole, strings.ReplaceAll(line, "\n\t\t", ""), string(broken), 1))
		})
	}
}

// mutate puts a value in the place of each value, in turn.
func mutate(v any, other func() any, try func()) {
	each := func(old any, set func(any)) {
		set(other())
		try()
		set(old)
		mutate(old, other, try)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, old := range v {
			each(old, func(x any) { v[key] = x })
		}
	case []any:
		for i, old := range v {
			each(old, func(x any) { v[i] = x })
		}
	}
}
