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
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
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

// TestRecordsOfCopilotChat checks every part of a turn: rounds, summaries, counts and their shares, and its end.
func TestRecordsOfCopilotChat(t *testing.T) {
	path := chatFile(t, "c1.json", `{"creationDate":1764590000000,"inputState":{"selectedModel":{"metadata":{"maxInputTokens":-5}}},"requests":[
		{"requestId":"r1","timestamp":1764590001000,"message":{"text":"Hi."},"modelId":"copilot/auto","modelState":{"value":2},"response":[{"value":"One "},{"kind":"markdownContent","content":{"value":"two "}},{"kind":"markdownContent","value":"three"},{"kind":"other","value":"four"}],
			"result":{"metadata":{"summary":{"toolCallRoundId":"before","text":"All so far."}}}},
		{"requestId":"r2","message":{"text":"More."},"modelId":"copilot/gpt-5","modelState":{"value":3},"response":[],"result":{"usage":{"promptTokens":10000,"completionTokens":5,"promptTokenDetails":[{"label":"System Instructions","percentageOfPrompt":0},{"label":"System Instructions","percentageOfPrompt":100},{"label":"Tool Definitions","percentageOfPrompt":100.01}]},
			"metadata":{"promptTokens":0,"toolCallRounds":[{"id":"a","timestamp":1764590002000,"response":"I look.","summary":"In the round.","thinking":{"id":"`+strings.Repeat("i", 50)+`","encrypted":"`+strings.Repeat("e", 101)+`"},"toolCalls":[{"id":"t1","name":"ls","arguments":"{}"},{"id":"t2","name":"rm","arguments":"x"}]},
				{"id":"b","response":"","thinking":{"text":"T","id":"`+strings.Repeat("i", 9)+`"}},{"id":"c","response":"","thinking":{"encrypted":"`+strings.Repeat("e", 100)+`"}},{"id":"d","thinking":"none","response":"End."}],
				"toolCallResults":{"t1":{"content":["a ",{"value":"b ","children":["c ",{"node":{"text":"d"}}]}]}},"summaries":[{"toolCallRoundId":"b","text":""},{"toolCallRoundId":"d","text":"S"}]}}},
		{"requestId":"r3","message":{"text":"Wait."},"modelId":"`+strings.Repeat("m", 201)+`","modelState":{"value":0},"response":[],"result":{}},
		{"requestId":"r4","message":{"text":"Old."},"response":[],"result":{"metadata":{"summaries":[{"toolCallRoundId":"","text":"of nothing"}]}}},
		{"requestId":"r5","message":{"text":"Open."},"modelId":"`+strings.Repeat("m", 200)+`","response":[]}]}`)
	got := raw(t, agent.Copilot, path, "c1")
	for i := range got {
		got[i] = strings.Replace(got[i], strings.Repeat("m", 200), "m200", 1)
	}
	expect(t, got,
		`{"by":"copilot","is":"session","at":1764590000000,"cwd":"/w/shop","model":"m200","provider":"github-copilot","route":"copilot"}`,
		`{"by":"copilot","is":"item","at":1764590001000,"kind":"user","key":"r1","text":"Hi.","turn":true}`,
		`{"by":"copilot","is":"compacted","text":"All so far.","auto":true}`,
		`{"by":"copilot","is":"item","kind":"assistant","key":"r1/answer","text":"One two three"}`,
		`{"by":"copilot","is":"over"}`,
		`{"by":"copilot","is":"item","kind":"user","key":"r2","text":"More.","turn":true}`,
		`{"by":"copilot","is":"compacted","text":"In the round.","auto":true}`,
		`{"by":"copilot","is":"item","at":1764590002000,"kind":"reasoning","key":"r2/0/thinking","opaque":101}`,
		`{"by":"copilot","is":"item","at":1764590002000,"kind":"assistant","key":"r2/0/text","text":"I look."}`,
		`{"by":"copilot","is":"item","at":1764590002000,"kind":"toolCalls","key":"r2/0/t1","name":"ls","call":"t1","text":{}}`,
		`{"by":"copilot","is":"item","at":1764590002000,"kind":"toolCalls","key":"r2/0/t2","name":"rm","call":"t2","text":"x"}`,
		`{"by":"copilot","is":"item","at":1764590002000,"kind":"toolResults","key":"r2/0/t1/result","name":"ls","call":"t1","text":"a b c d"}`,
		`{"by":"copilot","is":"item","kind":"reasoning","key":"r2/1/thinking","text":"T","opaque":9}`,
		`{"by":"copilot","is":"compacted","text":"S","auto":true}`,
		`{"by":"copilot","is":"item","kind":"assistant","key":"r2/3/text","text":"End."}`,
		`{"by":"copilot","is":"usage","id":"r2","model":"gpt-5","provider":"github-copilot","before":"r2/3/text","in":10000,"out":5}`,
		`{"by":"copilot","is":"context","kind":"system","parts":[{"label":{"id":"byCopilotShare","args":[{"id":"system"}]},"tokens":10000}]}`,
		`{"by":"copilot","is":"over"}`,
		`{"by":"copilot","is":"item","kind":"user","key":"r3","text":"Wait.","turn":true}`,
		`{"by":"copilot","is":"item","kind":"user","key":"r4","text":"Old.","turn":true}`,
		`{"by":"copilot","is":"over"}`,
		`{"by":"copilot","is":"item","kind":"user","key":"r5","text":"Open.","turn":true}`)
	expect(t, described(t, agent.Copilot, path),
		`c1 of "": "" in "/w/shop", 1764590000000 to 0`)
	expect(t, raw(t, agent.Copilot, chatFile(t, "c1.jsonl", joined(chatLog)), "c1"),
		`{"by":"copilot","is":"session","at":1764590000000,"cwd":"/w/shop","title":"Prices with tax","model":"gpt-5","provider":"github-copilot","route":"copilot","input":127997,"output":64000}`,
		`{"by":"copilot","is":"item","at":1764590001000,"kind":"user","key":"r1","text":"<request>Add the tax.</request>","turn":true}`,
		`{"by":"copilot","is":"item","kind":"reasoning","key":"r1/0/thinking","text":"Where?","opaque":1}`,
		`{"by":"copilot","is":"item","kind":"assistant","key":"r1/0/text","text":"I look."}`,
		`{"by":"copilot","is":"item","kind":"toolCalls","key":"r1/0/t1","name":"read_file","call":"t1","text":{"filePath":"a.go"}}`,
		`{"by":"copilot","is":"item","kind":"toolResults","key":"r1/0/t1/result","name":"read_file","call":"t1","text":"package a"}`,
		`{"by":"copilot","is":"item","kind":"assistant","key":"r1/1/text","text":"There is none."}`,
		`{"by":"copilot","is":"usage","id":"r1","model":"gpt-5-2025-08-07","provider":"github-copilot","before":"r1/1/text","in":18212,"out":121}`,
		`{"by":"copilot","is":"over"}`,
		`{"by":"copilot","is":"item","at":1764590011000,"kind":"user","key":"r2","text":"Then add one.","turn":true}`,
		`{"by":"copilot","is":"usage","id":"summary r2/","in":99100,"out":300,"read":90000,"side":true}`,
		`{"by":"copilot","is":"compacted","text":"Prices had no tax.","before":99003,"auto":true}`,
		`{"by":"copilot","is":"item","kind":"assistant","key":"r2/answer","text":"Done."}`,
		`{"by":"copilot","is":"usage","id":"r2","model":"gpt-5","provider":"github-copilot","before":"r2/answer","in":20000,"out":9}`,
		`{"by":"copilot","is":"context","kind":"system","parts":[{"label":{"id":"byCopilotShare","args":[{"id":"system"}]},"tokens":2400}]}`,
		`{"by":"copilot","is":"context","kind":"tools","parts":[{"label":{"id":"byCopilotShare","args":[{"id":"tools"}]},"tokens":8000}]}`,
		`{"by":"copilot","is":"over"}`)
	expect(t, described(t, agent.Copilot, chatFile(t, "c2.json", `{"requests":[{"timestamp":1764590001000},{"timestamp":1764590002000}]}`)),
		`c2 of "": "" in "/w/shop", 1764590001000 to 0`)
	deep := func(n int) string { return strings.Repeat(`{"node":`, n) + `"x"` + strings.Repeat("}", n) }
	for text, want := range map[string]string{deep(64): "x", deep(65): "", strings.Repeat("[", 64) + `"x"` + strings.Repeat("]", 64): "x", strings.Repeat("[", 65) + `"x"` + strings.Repeat("]", 65): ""} {
		if got := contentText(parsed([]byte(text))); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestADocumentIsAChatByItsFields checks the fields of which one must be there.
func TestADocumentIsAChatByItsFields(t *testing.T) {
	for text, want := range map[string]bool{
		`{"requests":[]}`: false, `{"requests":{},"creationDate":1}`: false, `{"creationDate":1}`: false,
		`{"requests":[],"responderUsername":"x"}`: true, `{"requests":[],"initialLocation":"x"}`: true, `{"requests":[],"inputState":{}}`: true, `{"requests":[],"creationDate":1}`: true,
	} {
		if isChat(parsed([]byte(text))) != want {
			t.Errorf("%s is a chat: %v", text, !want)
		}
	}
}

// TestSettingsOfAChatAreThoseOfItsEditor checks that those of the workspace take precedence, and that a chat elsewhere
// has no editor.
func TestSettingsOfAChatAreThoseOfItsEditor(t *testing.T) {
	m := dirstest.NewMachine(t)
	const limit, enabled = "github.copilot.chat.summarizeAgentConversationHistoryThreshold", "github.copilot.chat.summarizeAgentConversationHistory.enabled"
	m.Put("Code/User/settings.json", `{"`+limit+`":1000,"`+enabled+`":false,"other":1}`)
	m.Put("Code/settings.json", `{"`+limit+`":1,"`+enabled+`":true}`)
	m.Put("shop/.vscode/settings.json", `{"`+limit+`":2000}`)
	shop := filepath.Join(m.Home, "shop")
	for path, want := range map[string]string{
		"Code/User/workspaceStorage/h/chatSessions/c.jsonl": "2000 false", "Code/User/globalStorage/emptyWindowChatSessions/c.jsonl": "2000 false",
		"Code/User/a/b/c/chatSessions/c.jsonl": "2000 ", "Code/c.jsonl": "2000 ",
	} {
		got := SettingsOf(m.Environment(), transcript.Session{Agent: agent.Copilot, Path: filepath.Join(m.Home, filepath.FromSlash(path)), Workspace: shop})
		if got[limit]+" "+got[enabled] != want || got["other"] != "" {
			t.Errorf("%s: %v, want %s", path, got, want)
		}
	}
}

// TestChatsOfAnEditorAreListed checks the chats of workspaces and of windows without one. Of a chat in both forms
// the newer one is listed, and a large one is not read.
func TestChatsOfAnEditorAreListed(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put("User/workspaceStorage/h/workspace.json", `{"folder":"file:///w/shop"}`)
	m.Put("User/workspaceStorage/h/chatSessions/a.jsonl", "{}")
	m.Put("User/workspaceStorage/h/chatSessions/a.json", "{}")
	m.Put("User/workspaceStorage/h/chatSessions/b.json", strings.Repeat(" ", SmallChat))
	m.Put("User/workspaceStorage/h/chatSessions/c.txt", "{}")
	m.Put("User/workspaceStorage/h/chatSessions/d.json/x", "{}")
	m.Put("User/workspaceStorage/h/chatSessions/e.jsonl", strings.Repeat(" ", SmallChat+1))
	m.Put("User/globalStorage/emptyWindowChatSessions/f.jsonl", "{}")
	seen := func(folder string) (got []string, err error) {
		err = listChats(Root{Agent: agent.Copilot, Path: filepath.Join(m.Home, folder)}, func(c Candidate) {
			line := strings.Join([]string{c.ID, filepath.Base(c.Path), c.Workspace}, " ")
			if s := c.Session; s != nil {
				line += " whole " + strings.Join([]string{s.Agent, s.Key, s.ID, s.Workspace, s.Modified.Sub(c.Info.ModTime()).String()}, " ")
			}
			if !c.Alone || c.Kind != transcript.Store || c.Session != nil && c.Session.Path != c.Path {
				t.Errorf("%+v", c)
			}
			got = append(got, line)
		})
		return got, err
	}
	got, err := seen("User")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, got, "f f.jsonl ", "a a.jsonl /w/shop", "b b.json /w/shop", "e e.jsonl /w/shop whole copilot e e /w/shop 0s")
	if got, err := seen("none"); err != nil || len(got) > 0 {
		t.Errorf("an editor without chats: %q, %v", got, err)
	}
	m.Put("broken/workspaceStorage", "")
	if _, err := seen("broken"); err == nil {
		t.Error("a directory that cannot be read is not reported")
	}
}
