// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func category(id string, tokens int64) []byte {
	about := fields(field(1, []byte(id)), field(2, []byte("Label")))
	if tokens > 0 {
		about = fields(about, field(3, tokens), field(4, tokens*4))
	}
	return field(meterCategory, about)
}

func cursorMeter(total int) []byte {
	return field(rootMeter, fields(field(meterTotal, total), field(meterWindow, 200_000),
		category("system_prompt", 480), category("tools", 11_592), category("rules", 9_257), category("mcp", 0), category("conversation", 7_155)))
}

// cursorChatStore makes a chat of the program for the command line, with these fields of its root behind the messages.
func cursorChatStore(t testing.TB, rest []byte, messages ...string) string {
	path := filepath.Join(t.TempDir(), ".cursor", "chats", "0cc175b9c0f1b6a831c399e269772661", "ac437fdf", "store.db")
	statements := [][]any{
		do(`CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)`), do(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)`),
	}
	blob := func(data []byte) string {
		sum := sha256.Sum256(data)
		id := hex.EncodeToString(sum[:])
		statements = append(statements, do(`INSERT OR REPLACE INTO blobs VALUES (?1, ?2)`, id, data))
		return id
	}
	var root []byte
	for _, m := range messages {
		id, _ := hex.DecodeString(blob([]byte(m)))
		root = append(root, field(rootMessage, id)...)
	}
	meta := `{"agentId":"ac437fdf","latestRootBlobId":"` + blob(fields(root, rest)) + `","name":"Prices","mode":"default","createdAt":1764590000000,"lastUsedModel":"claude-4.5-sonnet"}`
	return made(t, path, append(statements, do(`INSERT INTO meta VALUES ('0', ?1)`, hex.EncodeToString([]byte(meta))))...)
}

var cursorMessages = []string{
	`{"role":"system","content":"You are an agent."}`,
	`{"role":"user","content":"<user_info>\nOS: linux\n</user_info>"}`,
	`{"role":"user","content":[{"type":"text","text":"<user_query>\nAdd the tax.\n</user_query>"}]}`,
	`{"id":"1","role":"assistant","content":[{"type":"reasoning","text":"I look.","signature":"abcd"},{"type":"text","text":"I look at it."},{"type":"tool-call","toolCallId":"t1","toolName":"Shell","args":{"command":"ls"}}]}`,
	`{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","toolName":"Shell","result":"a.go"}]}`,
	`{"role":"assistant","content":"It is added."}`,
}

// TestAChatOfCursorsProgram protects the messages, the directory and the meter of a chat, whose categories add up.
func TestAChatOfCursorsProgram(t *testing.T) {
	path := cursorChatStore(t, fields(cursorMeter(28_484), field(rootDirectory, []byte("file:///w/my%20shop"))), cursorMessages...)
	found := list(t, agent.Cursor, path)
	if len(found) != 1 || found[0].ID != "ac437fdf" || found[0].Label != "Prices" || filepath.ToSlash(found[0].Workspace) != "/w/my shop" || found[0].Started.UnixMilli() != 1764590000000 {
		t.Errorf("%+v", found)
	}
	expect(t, events(t, agent.Cursor, path, "ac437fdf"),
		"in /w/my shop", "title Prices", "model claude-4.5-sonnet of ", "window 200000 input -1 output -1",
		"system System prompt, as Cursor counts it of 480", "tools Tools, as Cursor counts it of 11592", "memory Rules, as Cursor counts it of 9257",
		`user  "<user_info>\nOS: linux\n</user_info>"`, "turn", `user  "<user_query>\nAdd the tax.\n</user_query>"`,
		`reasoning  "I look."`, `assistant  "I look at it."`, `toolCalls Shell "{\"command\":\"ls\"}"`, `toolResults Shell "a.go" for 4`, `assistant  "It is added."`,
		"used in 28484 out 0 reasoning -1 read -1 write -1 through 7 by , own")
}

// TestTheFolderOfAChatOnWindows protects the folder of a chat that Windows wrote, and that a relative one is none.
func TestTheFolderOfAChatOnWindows(t *testing.T) {
	for written, want := range map[string]string{
		"file:///c%3A/Users/me/my%20shop": `c:\Users\me\my shop`,
		"file:///C:/shop":                 `C:\shop`,
		"shop":                            "",
		"file:///a%zz":                    "",
	} {
		found := list(t, agent.Cursor, cursorChatStore(t, fields(field(rootDirectory, []byte(written))), cursorMessages...))
		if len(found) != 1 || found[0].Workspace != want {
			t.Errorf("%s: %+v, want %q", written, found, want)
		}
	}
}

// TestAMeterThatDoesNotAddUpIsNone: the fields of the root are inferred, and a number of others is no count.
func TestAMeterThatDoesNotAddUpIsNone(t *testing.T) {
	for about, rest := range map[string][]byte{
		"another sum": cursorMeter(28_485), "none": nil, "torn": cursorMeter(28_484)[:20], "a number": field(rootMeter, 28_484),
		"a text": field(rootMeter, []byte("28484")), "one category": field(rootMeter, fields(field(1, 480), category("system_prompt", 480))),
		"zeros": field(rootMeter, fields(field(meterTotal, 0), category("a", 0), category("b", 0))), "too deep": field(rootMeter, field(1, field(1, field(1, field(1, cursorMeter(28_484)[4:]))))),
		"negative": field(rootMeter, fields(field(1, int64(math.MinInt64)), category("a", 1<<61), category("b", 1<<61))),
	} {
		path := cursorChatStore(t, rest, append(cursorMessages, "\x00\x01")...)
		got := strings.Join(events(t, agent.Cursor, path, "ac437fdf"), "\n")
		if strings.Contains(got, "used in") || !strings.Contains(got, "warning Cursor recorded no readable count") ||
			!strings.Contains(got, "warning Some messages of this chat are missing from Cursor's database.") || !strings.Contains(got, `assistant  "It is added."`) {
			t.Errorf("%s:\n%s", about, got)
		}
	}
}

// TestDatabasesLikeAChatOfCursor: those of others are named as such, those of chats that have only begun hold nothing.
func TestDatabasesLikeAChatOfCursor(t *testing.T) {
	blobs, meta := do(`CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)`), do(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)`)
	for about, c := range map[string]struct {
		statements [][]any
		wrong      string
	}{
		"another program's":    {[][]any{blobs, do(`CREATE TABLE meta (version INTEGER)`)}, "has an unsupported version"},
		"another one's values": {[][]any{blobs, meta, do(`INSERT INTO meta VALUES ('0', '17')`)}, "not a Cursor chat"},
		"only made":            {[][]any{blobs, meta}, ""},
		"no root yet":          {[][]any{blobs, meta, do(`INSERT INTO meta VALUES ('0', ?1)`, hex.EncodeToString([]byte(`{"agentId":"x","latestRootBlobId":""}`)))}, ""},
		"a root that is gone":  {[][]any{blobs, meta, do(`INSERT INTO meta VALUES ('0', ?1)`, hex.EncodeToString([]byte(`{"agentId":"../..","latestRootBlobId":"ff"}`)))}, ""},
	} {
		path := made(t, filepath.Join(t.TempDir(), "store.db"), c.statements...)
		found, err := storeOf(agent.Cursor).List(context.Background(), path)
		if records, failed := storeRecords(context.Background(), agent.Cursor, path, "x"); len(records) > 0 || (failed == nil) != (err == nil) {
			t.Errorf("%s: %d records, %v", about, len(records), failed)
		}
		if len(found) > 0 || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v %v", about, found, err)
		}
	}
}

func FuzzCursorChat(f *testing.F) {
	fuzzStore(f, agent.Cursor, cursorChatStore(f, cursorMeter(28_484), cursorMessages...), "ac437fdf")
}

// TestRecordsOfAChatOfCursorsProgram checks every part of a message of a chat without a meter.
func TestRecordsOfAChatOfCursorsProgram(t *testing.T) {
	path := cursorChatStore(t, field(rootDirectory, []byte("file:///w/shop")), append(cursorMessages,
		`{"role":"user","content":"Plain."}`, `{"role":"user","content":""}`, `{"role":"other","content":"Nothing."}`, `{"role":"system","content":""}`,
		`{"role":"assistant","content":[{"type":"redacted-reasoning","data":"abcdef"},{"type":"text","text":""},{"type":"image"},{"type":"tool-call","toolCallId":"t2","toolName":"Read"}]}`,
		`{"role":"tool","content":[{"type":"tool-result","toolCallId":"t2","toolName":"Read","experimental_content":[{"type":"text","text":"no"}],"isError":true}]}`)...)
	expect(t, described(t, agent.Cursor, path),
		`ac437fdf of "": "Prices" in "/w/shop", 1764590000000 to 0`)
	expect(t, raw(t, agent.Cursor, path, "ac437fdf"),
		`{"by":"cursor","is":"session","at":1764590000000,"cwd":"/w/shop","title":"Prices","model":"claude-4.5-sonnet"}`,
		`{"by":"cursor","is":"context","kind":"system","parts":[{"label":{"id":"system"},"text":"You are an agent."}]}`,
		`{"by":"cursor","is":"item","kind":"user","key":"1","text":"<user_info>\nOS: linux\n</user_info>"}`,
		`{"by":"cursor","is":"item","kind":"user","key":"2/0","text":"<user_query>\nAdd the tax.\n</user_query>","turn":true}`,
		`{"by":"cursor","is":"item","kind":"reasoning","key":"3/0","text":"I look.","opaque":4}`,
		`{"by":"cursor","is":"item","kind":"assistant","key":"3/1","text":"I look at it."}`,
		`{"by":"cursor","is":"item","kind":"toolCalls","key":"3/2","name":"Shell","call":"t1","text":{"command":"ls"}}`,
		`{"by":"cursor","is":"item","kind":"toolResults","key":"4/0","name":"Shell","call":"t1","text":"a.go"}`,
		`{"by":"cursor","is":"item","kind":"assistant","key":"5","text":"It is added."}`,
		`{"by":"cursor","is":"item","kind":"user","key":"6","text":"Plain.","turn":true}`,
		`{"by":"cursor","is":"item","kind":"reasoning","key":"10/0","opaque":6}`,
		`{"by":"cursor","is":"item","kind":"toolCalls","key":"10/3","name":"Read","call":"t2"}`,
		`{"by":"cursor","is":"item","kind":"toolResults","key":"11/0","name":"Read","call":"t2","text":"no","error":true}`,
		`{"by":"cursor","is":"warning","text":{"id":"cursorNoCount"}}`)
	expect(t, raw(t, agent.Cursor, cursorChatStore(t, cursorMeter(28_484), cursorMessages...), "ac437fdf"),
		`{"by":"cursor","is":"session","at":1764590000000,"title":"Prices","model":"claude-4.5-sonnet","window":200000}`,
		`{"by":"cursor","is":"context","kind":"system","parts":[{"label":{"id":"byCursorCount","args":[{"id":"system"}]},"tokens":480}]}`,
		`{"by":"cursor","is":"context","kind":"tools","parts":[{"label":{"id":"byCursorCount","args":[{"id":"tools"}]},"tokens":11592}]}`,
		`{"by":"cursor","is":"context","kind":"memory","parts":[{"label":{"id":"byCursorCount","args":[{"id":"cursorRules"}]},"tokens":9257}]}`,
		`{"by":"cursor","is":"item","kind":"user","key":"1","text":"<user_info>\nOS: linux\n</user_info>"}`,
		`{"by":"cursor","is":"item","kind":"user","key":"2/0","text":"<user_query>\nAdd the tax.\n</user_query>","turn":true}`,
		`{"by":"cursor","is":"item","kind":"reasoning","key":"3/0","text":"I look.","opaque":4}`,
		`{"by":"cursor","is":"item","kind":"assistant","key":"3/1","text":"I look at it."}`,
		`{"by":"cursor","is":"item","kind":"toolCalls","key":"3/2","name":"Shell","call":"t1","text":{"command":"ls"}}`,
		`{"by":"cursor","is":"item","kind":"toolResults","key":"4/0","name":"Shell","call":"t1","text":"a.go"}`,
		`{"by":"cursor","is":"item","kind":"assistant","key":"5","text":"It is added."}`,
		`{"by":"cursor","is":"usage","id":"after 2/0","note":{"id":"cursorMeter"},"in":28484,"out":0,"own":true}`)
}

// TestAMeterInsideAnotherMessageIsFound checks a small meter up to three messages deep, and that its smallest category
// is shown. An id of another length names no message.
func TestAMeterInsideAnotherMessageIsFound(t *testing.T) {
	meter := fields(field(meterTotal, 1), category("tools", 1), category("rules", 0))
	for range 4 {
		path := cursorChatStore(t, fields(field(rootMessage, "abc"), field(rootMeter, meter)), cursorMessages...)
		got := strings.Join(raw(t, agent.Cursor, path, "ac437fdf"), "\n")
		if !strings.Contains(got, `"in":1,`) || !strings.Contains(got, `"tokens":1}`) || strings.Contains(got, "memory") || strings.Contains(got, "cursorMissing") {
			t.Errorf("%s", got)
		}
		meter = field(1, meter)
	}
}

// TestTheNameOfAChatIsItsFolderOrItsOwn checks chats whose name or model cannot be used.
func TestTheNameOfAChatIsItsFolderOrItsOwn(t *testing.T) {
	long := strings.Repeat("x", 199)
	for meta, want := range map[string]string{
		`"agentId":"a-1","lastUsedModel":"default"`: "a-1 ", `"agentId":"../..","lastUsedModel":"gpt-6"`: "ac437fdf gpt-6", `"agentId":"` + long + `"`: long + " ",
		`"agentId":"` + long + `y","lastUsedModel":"` + long + `"`: "ac437fdf " + long, `"agentId":"a","lastUsedModel":"` + long + `y"`: "a ",
	} {
		path := cursorChatStore(t, nil, cursorMessages...)
		root := rootOf(t, path)
		made(t, path, do(`UPDATE meta SET value=?1`, `{"latestRootBlobId":"`+root+`",`+meta+`}`))
		found := list(t, agent.Cursor, path)
		if len(found) != 1 {
			t.Fatalf("%s: %+v", meta, found)
		}
		v, _ := json.Parse([]byte(raw(t, agent.Cursor, path, "x")[0]))
		if got := found[0].ID + " " + v.Get("model").String(); got != want {
			t.Errorf("%s: %q, want %q", meta, got, want)
		}
	}
}

// rootOf returns the id of the root of a chat.
func rootOf(t *testing.T, path string) (id string) {
	t.Helper()
	err := opened(context.Background(), path, func(q *query) error {
		meta, err := cursorChatMeta(q)
		id = meta.Get("latestRootBlobId").String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}
