// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

const zedThread = `{"version":"0.3.0","title":"Prices with tax","model":{"provider":"anthropic","model":"claude-sonnet-4-5"},"messages":[
	{"User":{"id":"u1","content":[{"Text":"Add the tax."}]}},
	{"Agent":{"content":[{"Thinking":{"text":"I look.","signature":"abc"}},{"ToolUse":{"id":"t1","name":"read_file","input":{"path":"a.go"}}}],"tool_results":{"t1":{"tool_use_id":"t1","tool_name":"read_file","is_error":false,"content":{"Text":"package a"}}}}},
	{"Agent":{"content":[{"Text":"There is none."}],"tool_results":{}}},
	"Resume",
	{"User":{"id":"u2","content":[{"Text":"Then add one."}]}}],
	"request_token_usage":{"u1":{"input_tokens":4,"output_tokens":50,"cache_creation_input_tokens":100,"cache_read_input_tokens":800}}}`

func zedStore(t testing.TB, kind string, data []byte) string {
	return made(t, filepath.Join(t.TempDir(), "threads.db"),
		do(`CREATE TABLE threads (id TEXT PRIMARY KEY, parent_id TEXT, folder_paths TEXT, summary TEXT NOT NULL, updated_at TEXT NOT NULL, created_at TEXT, data_type TEXT NOT NULL, data BLOB NOT NULL)`),
		do(`INSERT INTO threads VALUES ('z1', NULL, '/w/shop', 'Prices', '2026-06-01T10:00:00.123+00:00', '2026-06-01T09:00:00Z', ?1, ?2)`, kind, data))
}

func TestZed(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for kind, data := range map[string][]byte{"json": []byte(zedThread), "zstd": encoder.EncodeAll([]byte(zedThread), nil)} {
		path := zedStore(t, kind, data)
		found := list(t, agent.Zed, path)
		if len(found) != 1 || found[0].Workspace != "/w/shop" || found[0].Label != "Prices" || found[0].Modified.IsZero() {
			t.Errorf("%+v", found)
		}
		expect(t, events(t, agent.Zed, path, "z1"),
			"title Prices with tax", "model claude-sonnet-4-5 of anthropic",
			"turn", `user  "Add the tax."`, `reasoning  "I look."`, `toolCalls read_file "{\"path\":\"a.go\"}"`, `toolResults read_file "package a" for 2`, `assistant  "There is none."`,
			"used in 904 out 50 reasoning -1 read 800 write 100 through 4 by claude-sonnet-4-5",
			"over", "turn", `user  "Then add one."`)
	}
	hostile(t, agent.Zed, zedStore(t, "json", []byte(zedThread)), "z1")
}

// TestZedThreadsThatCannotBeUnpacked say so.
func TestZedThreadsThatCannotBeUnpacked(t *testing.T) {
	path := zedStore(t, "zstd", []byte("no zstd"))
	if _, err := storeRecords(context.Background(), agent.Zed, path, "z1"); err == nil || !strings.Contains(err.Error(), "cannot be unpacked") {
		t.Error(err)
	}
}

// TestOldZedThreads: the first agent of Zed kept roles and segments.
func TestOldZedThreads(t *testing.T) {
	path := zedStore(t, "json", []byte(`{"version":"0.2.0","messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"Hello."}]},{"id":1,"role":"assistant","segments":[{"type":"text","text":"Hi."}]}]}`))
	expect(t, events(t, agent.Zed, path, "z1"), "title Prices", "turn", `user  "Hello."`, `assistant  "Hi."`)
}

// TestRecordsOfZed checks every part of a thread, compactions, and threads of Zed's first agent.
func TestRecordsOfZed(t *testing.T) {
	path := zedStore(t, "json", []byte(`{"model":{"provider":"p","model":"m"},"messages":[
		{"User":{"id":"u1","content":[{"Text":"See "},{"Mention":{"content":"a.go"}},{"other":"x"}]}},
		{"Agent":{"content":[{"RedactedThinking":"abcdef"},{"other":1},{"Thinking":{"text":"I look.","signature":"abc"}},{"Text":"Yes."},{"ToolUse":{"id":"t1","name":"ls","input":{}}}],"tool_results":{"t1":{"tool_name":"ls","is_error":true,"content":[{"Text":"no"}]}}}},
		{"Agent":{"content":[],"tool_results":{}}},
		{"Compaction":{"summary":"Short."}},
		{"User":{"id":"u2","content":[{"Text":"More."}]}},
		{"Summary":"A summary."},
		{"User":{"id":"u3","content":[{"Text":"A"}]}},
		{"Agent":{"content":[{"Text":"Done."}]}},
		{"role":"system","segments":[{"text":"Old."}]},
		{"role":"assistant","segments":[{"text":"Old answer."}],"tool_results":[{"tool_use_id":"t9","content":"old result"}]}],
		"request_token_usage":{"u1":{"input_tokens":4,"output_tokens":50,"cache_creation_input_tokens":100,"cache_read_input_tokens":800},"u2":{"input_tokens":0},"u3":{"input_tokens":1},"":{"input_tokens":77}}}`))
	expect(t, described(t, agent.Zed, path),
		`z1 of "": "Prices" in "/w/shop", 1780304400000 to 1780308000123`)
	expect(t, raw(t, agent.Zed, path, "z1"),
		`{"by":"zed","is":"session","title":"Prices","model":"m","provider":"p"}`,
		`{"by":"zed","is":"item","kind":"user","key":"0","text":"See a.go","turn":true}`,
		`{"by":"zed","is":"item","kind":"reasoning","key":"1/0","opaque":6}`,
		`{"by":"zed","is":"item","kind":"reasoning","key":"1/2","text":"I look.","opaque":3}`,
		`{"by":"zed","is":"item","kind":"assistant","key":"1/3","text":"Yes."}`,
		`{"by":"zed","is":"item","kind":"toolCalls","key":"1/4","name":"ls","call":"t1","text":{}}`,
		`{"by":"zed","is":"item","kind":"toolResults","key":"1/result/t1","name":"ls","call":"t1","text":"no","error":true}`,
		`{"by":"zed","is":"compacted","text":"Short.","auto":true}`,
		`{"by":"zed","is":"usage","id":"u1","model":"m","provider":"p","in":904,"out":50,"read":800,"write":100}`,
		`{"by":"zed","is":"item","kind":"user","key":"4","text":"More.","turn":true}`,
		`{"by":"zed","is":"compacted","text":"A summary.","auto":true}`,
		`{"by":"zed","is":"item","kind":"user","key":"6","text":"A","turn":true}`,
		`{"by":"zed","is":"item","kind":"assistant","key":"7/0","text":"Done."}`,
		`{"by":"zed","is":"item","kind":"user","key":"8","text":"Old.","turn":true}`,
		`{"by":"zed","is":"item","kind":"assistant","key":"9","text":"Old answer."}`,
		`{"by":"zed","is":"item","kind":"toolResults","key":"9/t9","call":"t9","text":"old result"}`,
		`{"by":"zed","is":"usage","id":"u3","model":"m","provider":"p","before":"9","in":1}`)
	expect(t, raw(t, agent.Zed, path, "none"))
	for n, want := range map[int]string{32: "x", 33: ""} {
		for begin, end := range map[string]string{"[": "]", `{"content":`: "}"} {
			if got := zedText(parsed([]byte(strings.Repeat(begin, n) + `"x"` + strings.Repeat(end, n)))); got != want {
				t.Errorf("%d of %s: %q", n, begin, got)
			}
		}
	}
	made(t, path, do(`INSERT INTO threads VALUES ('z2', 'z1', '/w/a'||char(10)||'/w/b', 'Sub', '2026-06-01T10:00:00Z', NULL, 'json', '{"title":"T"}')`))
	expect(t, described(t, agent.Zed, path),
		`z1 of "": "Prices" in "/w/shop", 1780304400000 to 1780308000123`,
		`z2 of "z1": "Sub" in "/w/a", 0 to 1780308000000`)
	expect(t, raw(t, agent.Zed, path, "z2"), `{"by":"zed","is":"session","title":"T"}`)
}
