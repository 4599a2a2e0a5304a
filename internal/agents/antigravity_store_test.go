// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// field writes a field of a message: a number, a text, or a message inside.
func field(number uint64, v any) []byte {
	switch v := v.(type) {
	case int:
		return field(number, int64(v))
	case int64:
		return binary.AppendUvarint(binary.AppendUvarint(nil, number<<3), uint64(v))
	case string:
		return append(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3|2), uint64(len(v))), v...)
	case []byte:
		return field(number, string(v))
	}
	return nil
}

func fields(list ...[]byte) (m []byte) {
	for _, f := range list {
		m = append(m, f...)
	}
	return m
}

func antigravityStore(t testing.TB, more ...[]any) string {
	root := t.TempDir()
	at := func(seconds int) []byte { return field(1, field(1, seconds)) }
	call := fields(field(1, "t1"), field(2, "list_dir"), field(3, `{"DirectoryPath":"/w"}`))
	made(t, filepath.Join(root, "conversation_summaries.db"),
		do(`CREATE TABLE conversation_summaries (conversation_id TEXT PRIMARY KEY, title TEXT, workspace_uris TEXT, step_count INTEGER, parent_conversation_id TEXT)`),
		do(`INSERT INTO conversation_summaries VALUES ('a1', 'List the files', '["file:///w/shop"]', 5, '')`))
	return made(t, filepath.Join(root, "conversations", "a1.db"), append([][]any{
		do(`CREATE TABLE steps (idx INTEGER, step_type INTEGER, status INTEGER, step_format INTEGER, metadata BLOB, step_payload BLOB)`),
		do(`CREATE TABLE gen_metadata (idx INTEGER, data BLOB)`),
		do(`INSERT INTO steps VALUES (0, 14, 3, 0, ?1, ?2)`, at(1764590000), field(19, field(2, "List the files."))),
		do(`INSERT INTO steps VALUES (1, 15, 3, 0, ?1, ?2)`, fields(at(1764590001), field(9, fields(field(2, 900), field(3, 50), field(5, 8000), field(7, "r1")))), field(20, fields(field(3, "I look."), field(7, call)))),
		do(`INSERT INTO steps VALUES (2, 132, 3, 0, ?1, ?2)`, fields(at(1764590002), field(4, call)), field(140, field(2, field(1, "a.txt")))),
		do(`INSERT INTO steps VALUES (3, 101, 3, 0, ?1, ?2)`, at(1764590003), field(114, field(4, field(4, "The folder has changed.")))),
		do(`INSERT INTO steps VALUES (4, 15, 3, 0, ?1, ?2)`, fields(at(1764590004), field(9, fields(field(2, 8970), field(3, 20)))), field(20, field(1, "There is a.txt."))),
		do(`INSERT INTO gen_metadata VALUES (0, ?1)`, field(1, field(19, "gemini-2"))),
		do(`INSERT INTO gen_metadata VALUES (1, ?1)`, field(1, fields(field(1, "You are Antigravity."), field(8, fields(field(1, "list_dir"), field(2, "Lists a folder."), field(9, field(1, "inside")))), field(19, "gemini-3-pro")))),
	}, more...)...)
}

func TestAntigravity(t *testing.T) {
	path := antigravityStore(t)
	found := list(t, agent.Antigravity, path)
	if len(found) != 1 || found[0].ID != "a1" || found[0].Workspace != "/w/shop" || found[0].Label != "List the files" || found[0].Parent != "" || found[0].Started.Unix() != 1764590000 {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Antigravity, path, "a1"),
		"in /w/shop", "title List the files", "model gemini-3-pro of google",
		`system System prompt "You are Antigravity."`, `tools list_dir "list_dir\nLists a folder.\ninside\n"`,
		"turn", `user  "List the files."`,
		"used in 8900 out 50 reasoning -1 read 8000 write -1 through 1 by gemini-3-pro",
		`reasoning  "I look."`, `toolCalls list_dir "{\"DirectoryPath\":\"/w\"}"`, `toolResults list_dir "a.txt" for 2`,
		`user  "The folder has changed."`,
		"used in 8970 out 20 reasoning -1 read 0 write -1 through 5 by gemini-3-pro", `assistant  "There is a.txt."`, "over")
	hostile(t, agent.Antigravity, antigravityStore(t), "a1")
}

// TestAntigravityWithoutSteps is no session yet.
func TestAntigravityWithoutSteps(t *testing.T) {
	if found := list(t, agent.Antigravity, antigravityStore(t, do(`DELETE FROM steps`))); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

// TestTheListOfConversationsOfAntigravity checks what is read from the list of all conversations, under all names that
// its table and columns have had.
func TestTheListOfConversationsOfAntigravity(t *testing.T) {
	for about, c := range map[string]struct {
		table, row               string
		title, parent, workspace string
	}{
		"by another id":         {`c (cascade_id, id, title, workspace_uris, parent_conversation_id)`, `'a1', 'x', 'T', '["vscode://x","file:///w/a","file:///w/b"]', 'p'`, "T", "p", "/w/a"},
		"by the first id":       {`c (x, id, cascade_id, title, workspace_uris)`, `0, 'a1', 'a2', 'T', 'file:///w/a,file:///w/b'`, "T", "", "/w/a"},
		"addresses as a text":   {`c (id, workspace_uris)`, `'a1', 'file:///w/my%20shop'`, "", "", "/w/my shop"},
		"another address":       {`c (id, title, workspace_uris)`, `'a1', 'T', 'https://x/y'`, "T", "", ""},
		"another conversation":  {`c (id, title, workspace_uris)`, `'a2', 'T', 'file:///w'`, "", "", ""},
		"without an id":         {`c (title, workspace_uris)`, `'T', 'file:///w'`, "", "", ""},
		"without the addresses": {`c (id, title)`, `'a1', 'T'`, "", "", ""},
		"a column with a quote": {`c (id, title, workspace_uris, "x""y")`, `'a1', 'T', 'file:///w', 0`, "T", "", "/w"},
		"a name with a quote":   {`"c""d" (id, title, workspace_uris)`, `'a1', 'T', 'file:///w'`, "", "", ""},
	} {
		path := antigravityStore(t)
		summaries := filepath.Join(filepath.Dir(filepath.Dir(path)), "conversation_summaries.db")
		name, _, _ := strings.Cut(c.table, " (")
		made(t, summaries, do(`DROP TABLE conversation_summaries`), do(`CREATE TABLE other (id, title)`), do(`CREATE TABLE `+c.table), do(`INSERT INTO `+name+` VALUES (`+c.row+`)`))
		found := list(t, agent.Antigravity, path)
		if len(found) != 1 || found[0].Label != c.title || found[0].Parent != c.parent || found[0].Workspace != c.workspace {
			t.Errorf("%s: %+v", about, found)
		}
	}
}

// TestRecordsOfAntigravity checks the times and keys of items, a text that is not one, and texts inside others.
func TestRecordsOfAntigravity(t *testing.T) {
	path := antigravityStore(t,
		do(`UPDATE gen_metadata SET data=?1 WHERE idx=1`, field(1, fields(field(1, "\xff"), field(8, fields(field(1, "f"), field(3, field(31, "deep")), field(4, "a\tb\r\nc"), field(5, field(32, "too far")))), field(19, strings.Repeat("m", 201))))),
		do(`INSERT INTO steps VALUES (5, 101, 3, 0, NULL, NULL)`),
		do(`INSERT INTO steps VALUES (12, 15, 3, 0, NULL, ?1)`, field(20, fields(field(7, field(1, "t2")), field(7, field(1, "t3"))))))
	expect(t, raw(t, agent.Antigravity, path, "a1"),
		`{"by":"antigravity","is":"session","at":1764590000000,"cwd":"/w/shop","title":"List the files","provider":"google"}`,
		`{"by":"antigravity","is":"context","kind":"tools","parts":[{"label":"f","text":"f\ndeep\na\tb\r\nc\n"}]}`,
		`{"by":"antigravity","is":"item","at":1764590000000,"kind":"user","key":"0","text":"List the files.","turn":true}`,
		`{"by":"antigravity","is":"usage","at":1764590001000,"id":"step 1","provider":"google","in":8900,"out":50,"read":8000}`,
		`{"by":"antigravity","is":"item","at":1764590001000,"kind":"reasoning","key":"1/thinking","text":"I look."}`,
		`{"by":"antigravity","is":"item","at":1764590001000,"kind":"toolCalls","key":"1/0","name":"list_dir","call":"t1","text":{"DirectoryPath":"/w"}}`,
		`{"by":"antigravity","is":"item","at":1764590002000,"kind":"toolResults","key":"2","name":"list_dir","call":"t1","text":"a.txt"}`,
		`{"by":"antigravity","is":"item","at":1764590003000,"kind":"user","key":"3","text":"The folder has changed."}`,
		`{"by":"antigravity","is":"usage","at":1764590004000,"id":"step 4","provider":"google","in":8970,"out":20,"read":0}`,
		`{"by":"antigravity","is":"item","at":1764590004000,"kind":"assistant","key":"4","text":"There is a.txt."}`,
		`{"by":"antigravity","is":"over"}`,
		`{"by":"antigravity","is":"item","kind":"toolCalls","key":"12/0","call":"t2"}`,
		`{"by":"antigravity","is":"item","kind":"toolCalls","key":"12/1","call":"t3"}`)
	if got := raw(t, agent.Antigravity, antigravityStore(t, do(`DELETE FROM steps`)), "a1"); len(got) != 0 {
		t.Errorf("without steps: %q", got)
	}
	if got := raw(t, agent.Antigravity, antigravityStore(t, do(`DELETE FROM gen_metadata`)), "a1"); len(got) != 10 || strings.Contains(got[1], "context") {
		t.Errorf("without requests: %q", got)
	}
	nested := field(1, "x")
	for depth := range 10 {
		if got := textsOf(nested, 0); (got == "x\n") != (depth < 9) {
			t.Errorf("a text below %d messages: %q", depth, got)
		}
		nested = field(1, nested)
	}
	if nameIn(strings.Repeat("m", 200)) == "" || nameIn(strings.Repeat("m", 201)) != "" {
		t.Error("a name has another length")
	}
}
