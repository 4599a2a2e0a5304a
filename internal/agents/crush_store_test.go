// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func crushStore(t testing.TB, more ...[]any) string {
	return made(t, filepath.Join(t.TempDir(), "shop", ".crush", "crush.db"), append([][]any{
		do(`CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER, cost REAL, updated_at INTEGER, created_at INTEGER, summary_message_id TEXT)`),
		do(`CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT default '[]', model TEXT, created_at INTEGER, updated_at INTEGER, finished_at INTEGER, provider TEXT)`),
		do(`INSERT INTO sessions VALUES ('s1', NULL, 'Prices', 4, 17033, 231, 0.06, 1764590401, 1764590393, NULL)`),
		do(`INSERT INTO sessions VALUES ('s2', 's1', 'Look around', 0, 0, 0, 0, 1764590400, 1764590395, NULL)`),
		do(`INSERT INTO messages VALUES ('m1', 's1', 'user', '[{"type":"text","data":{"text":"Add the tax."}},{"type":"finish","data":{"reason":"stop"}}]', '', 1764590393, 0, NULL, NULL)`),
		do(`INSERT INTO messages VALUES ('m2', 's1', 'assistant', '[{"type":"reasoning","data":{"thinking":"I look.","signature":"abcd"}},{"type":"tool_call","data":{"id":"c1","name":"view","input":"{\"file_path\":\"a.go\"}"}},{"type":"finish","data":{"reason":"tool_use"}}]', 'qwen3', 1764590394, 0, NULL, 'lmstudio')`),
		do(`INSERT INTO messages VALUES ('m3', 's1', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"c1","name":"","content":"no such file","is_error":true}}]', '', 1764590395, 0, NULL, NULL)`),
		do(`INSERT INTO messages VALUES ('m4', 's1', 'assistant', '[{"type":"text","data":{"text":"There is none."}},{"type":"finish","data":{"reason":"end_turn"}}]', 'qwen3', 1764590396, 0, NULL, 'lmstudio')`),
	}, more...)...)
}

func TestCrush(t *testing.T) {
	path := crushStore(t)
	found := list(t, agent.Crush, path)
	shop := filepath.Dir(filepath.Dir(path))
	if len(found) != 2 || found[0].Workspace != shop || found[1].Parent != "s1" || found[0].Modified.Unix() != 1764590401 {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Crush, path, "s1"),
		"in "+shop, "title Prices", "model qwen3 of lmstudio",
		"turn", `user  "Add the tax."`,
		`reasoning  "I look."`, `toolCalls view "{\"file_path\":\"a.go\"}"`,
		`toolResults view "no such file" failed for 2`,
		`assistant  "There is none."`, "over",
		"used in 17033 out 231 reasoning -1 read -1 write -1 through 4 by qwen3")
	hostile(t, agent.Crush, crushStore(t), "s1")
}

// TestCrushOfClaude: the count leaves out what was written into the cache, so it is no measurement.
func TestCrushOfClaude(t *testing.T) {
	path := crushStore(t, do(`UPDATE messages SET model='claude-sonnet-4' WHERE model<>''`))
	lines := raw(t, agent.Crush, path, "s1")
	if last := lines[len(lines)-1]; !strings.Contains(last, `"note":{"id":"crushWrite"}`) || !strings.Contains(last, `"in":17033,"out":231,"own":true`) {
		t.Error(last)
	}
	for tokens, want := range map[string]bool{"0": false, "1": true, "-1": false} {
		made(t, path, do(`UPDATE sessions SET prompt_tokens=`+tokens))
		lines := raw(t, agent.Crush, path, "s1")
		if last := lines[len(lines)-1]; strings.Contains(last, `"is":"usage"`) != want {
			t.Errorf("%s tokens: %s", tokens, last)
		}
	}
	if lines := raw(t, agent.Crush, path, "none"); len(lines) > 0 {
		t.Errorf("%q", lines)
	}
}

// TestCrushSumsUp: the message that the session names stands for all before it, and the prompt
// of the summary counts nothing.
func TestCrushSumsUp(t *testing.T) {
	path := crushStore(t,
		do(`INSERT INTO messages VALUES ('m5', 's1', 'assistant', '[{"type":"text","data":{"text":"Prices have no tax."}}]', 'qwen3', 1764590397, 0, NULL, 'lmstudio')`),
		do(`UPDATE sessions SET summary_message_id='m5', prompt_tokens=0, completion_tokens=40 WHERE id='s1'`))
	lines := events(t, agent.Crush, path, "s1")
	if last := lines[len(lines)-1]; last != `compacted, kept 0, before -1, left -1, "Prices have no tax."` {
		t.Error(last)
	}
}

// TestRecordsOfCrush checks every part of a message, the order of messages by their times, and what is left out.
func TestRecordsOfCrush(t *testing.T) {
	image := strings.Repeat("A", 48<<10) + "B"
	path := crushStore(t,
		do(`ALTER TABLE messages ADD COLUMN is_summary_message INTEGER`),
		do(`UPDATE sessions SET completion_tokens=-5 WHERE id='s1'`),
		do(`INSERT INTO messages(id, session_id, role, parts, model, created_at, is_summary_message) VALUES ('m6', 's1', 'user', ?1, 'of nobody', 1764590398, 0)`,
			`[{"type":"text","data":{"text":"And this?"}},{"type":"text","data":{"text":"And that?"}},{"type":"text","data":{"text":""}},{"type":"image_url","data":{"url":"`+image+`"}},
			{"type":"binary","data":{"Data":"iVBOR","MIMEType":"image/webp"}},{"type":"binary","data":{"data":"first","Data":"second","mime_type":"`+strings.Repeat("m", 100)+`"}},{"type":"binary","data":{"data":7}},{"type":"other","data":{"text":"x"}},{"type":"finish","data":{"reason":"stop"}}]`),
		do(`INSERT INTO messages(id, session_id, role, parts, model, created_at, provider) VALUES ('m7', 's1', 'assistant', ?1, '', 1764590399, 'p')`,
			`[{"type":"text","data":{"text":""}},{"type":"tool_call","data":{"id":"c2","name":"ls","input":""}},{"type":"text","data":{"text":"A tea."}},{"type":"text","data":{"text":"A pot."}}]`),
		do(`INSERT INTO messages(id, session_id, role, parts, model, created_at) VALUES ('m0', 's1', 'user', '[{"type":"text","data":{"text":"First."}}]', '', 1764590390)`),
		do(`INSERT INTO messages(id, session_id, role, parts, model, created_at) VALUES ('x', 's2', 'user', '[{"type":"text","data":{"text":"Elsewhere."}}]', 'newer', 1864590390)`),
		do(`INSERT INTO messages(id, session_id, role, parts, model, created_at, provider) VALUES ('m4b', 's1', 'assistant', '[{"type":"text","data":{"text":"More."}}]', 'kimi', 1764590396, 'other')`))
	shown := func(lines []string) []string {
		for i := range lines {
			lines[i] = strings.NewReplacer(filepath.Dir(filepath.Dir(path)), "/shop", image[:48<<10], "pixels").Replace(lines[i])
		}
		return lines
	}
	expect(t, shown(described(t, agent.Crush, path)),
		`s1 of "": "Prices" in "/shop", 1764590393000 to 1764590401000`,
		`s2 of "s1": "Look around" in "/shop", 1764590395000 to 1764590400000`)
	expect(t, shown(raw(t, agent.Crush, path, "s1")),
		`{"by":"crush","is":"session","at":1764590393000,"cwd":"/shop","title":"Prices","model":"of nobody"}`,
		`{"by":"crush","is":"item","at":1764590390000,"kind":"user","key":"m0/0","text":"First.","turn":true}`,
		`{"by":"crush","is":"item","at":1764590393000,"kind":"user","key":"m1/0","text":"Add the tax.","turn":true}`,
		`{"by":"crush","is":"item","at":1764590394000,"kind":"reasoning","key":"m2/0","text":"I look.","opaque":4}`,
		`{"by":"crush","is":"item","at":1764590394000,"kind":"toolCalls","key":"m2/1","name":"view","call":"c1","text":{"file_path":"a.go"}}`,
		`{"by":"crush","is":"item","at":1764590395000,"kind":"toolResults","key":"m3/0","call":"c1","text":"no such file","error":true}`,
		`{"by":"crush","is":"item","at":1764590396000,"kind":"assistant","key":"m4/0","text":"There is none."}`,
		`{"by":"crush","is":"over"}`,
		`{"by":"crush","is":"item","at":1764590396000,"kind":"assistant","key":"m4b/0","text":"More."}`,
		`{"by":"crush","is":"item","at":1764590398000,"kind":"user","key":"m6/0","text":"And this?","turn":true}`,
		`{"by":"crush","is":"item","at":1764590398000,"kind":"user","key":"m6/1","text":"And that?"}`,
		`{"by":"crush","is":"item","at":1764590398000,"kind":"media","key":"m6/3","media":"image/png","pixels":"pixels"}`,
		`{"by":"crush","is":"item","at":1764590398000,"kind":"media","key":"m6/4","media":"image/webp","pixels":"iVBOR"}`,
		`{"by":"crush","is":"item","at":1764590398000,"kind":"media","key":"m6/5","media":"image/png","pixels":"first"}`,
		`{"by":"crush","is":"item","at":1764590398000,"kind":"media","key":"m6/6","media":"image/png"}`,
		`{"by":"crush","is":"item","at":1764590399000,"kind":"assistant","key":"m7/2","text":"A tea."}`,
		`{"by":"crush","is":"item","at":1764590399000,"kind":"assistant","key":"m7/3","text":"A pot."}`,
		`{"by":"crush","is":"usage","at":1764590399000,"id":"step m7/2","model":"kimi","provider":"other","before":"m7/2","in":17033,"out":0}`)
	made(t, path, do(`UPDATE messages SET is_summary_message=1 WHERE id='m6'`), do(`DELETE FROM messages WHERE id IN ('m7', 'm0')`))
	got := raw(t, agent.Crush, path, "s1")
	expect(t, got[len(got)-1:],
		`{"by":"crush","is":"compacted","at":1764590398000,"text":"And this?And that?x","auto":true}`)
}
