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
