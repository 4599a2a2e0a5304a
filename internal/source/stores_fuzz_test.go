// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// FuzzStores reads any bytes as each kind of file that an agent keeps sessions in: lines, compressed lines, a document,
// a task of two files, and a database.
func FuzzStores(f *testing.F) {
	names := []string{"s.jsonl", "s.jsonl.zst", "session.json", "ui_messages.json", "opencode.db"}
	kinds := []kind{kindLines, kindZstd, kindDocument, kindTask, kindDatabase}
	lines := []byte(`{"type":"user","sessionId":"s","message":{"content":"hi"}}` + "\n" + `{"a":[1,2,{"b":null}]}` + "\n{\"broken\":")
	f.Add(byte(0), lines)
	encoder, _ := zstd.NewWriter(nil)
	f.Add(byte(1), encoder.EncodeAll(lines, nil))
	f.Add(byte(2), []byte(`{"sessionId":"s","messages":[{"id":"1","content":"a"},{"id":"2"}],"lastUpdated":1}`))
	f.Add(byte(3), []byte(`[{"ts":1,"type":"say","say":"text","text":"hi"},{"ts":2,"type":"say","say":"api_req_started","text":"{\"tokensIn\":5}"}]`))
	path := filepath.Join(f.TempDir(), "seed.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		f.Fatal(err)
	}
	for _, statement := range []string{
		"PRAGMA page_size=512",
		"CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INT, time_updated INT)",
		"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INT, time_updated INT, data TEXT)",
		"CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INT, time_updated INT, data TEXT)",
		"INSERT INTO session VALUES ('a', NULL, '/w', 't', '1', 1, 2)",
		`INSERT INTO message VALUES ('m', 'a', 1, 2, '{"role":"user"}')`,
		`INSERT INTO part VALUES ('p', 'm', 'a', 1, 2, '{"type":"text","text":"hi"}')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			f.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		f.Fatal(err)
	}
	seed, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(byte(4), seed)
	f.Fuzz(func(t *testing.T, which byte, content []byte) {
		n := int(which) % len(kinds)
		path := filepath.Join(t.TempDir(), names[n])
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		if kinds[n] == kindDatabase {
			_, _ = databaseSessions(ctx, "opencode", path) // an error is an answer
		}
		_, _ = At(path)
		tail := OpenTail(Session{Key: "a", ID: "a", Path: path, kind: kinds[n]})
		var b Batch
		for calls := 0; ; calls++ {
			if err := tail.Next(ctx, &b); err != nil || b.Count == 0 {
				return
			}
			if calls > len(content)+10 {
				t.Fatalf("it gives batches without end: %d of %d bytes", calls, len(content))
			}
			if len(b.body) > MaxBatch+64 {
				t.Errorf("a batch has %d bytes", len(b.body))
			}
			for i := range b.Count {
				// What a line holds is cut at its braces; whether it is JSON is for the engine to say.
				if record := b.record(i); kinds[n] == kindLines || kinds[n] == kindZstd {
					if json.ContainerEnd(record) != len(record) {
						t.Errorf("%q is no whole value", record)
					}
				} else if _, err := json.Parse(record); err != nil && kinds[n] == kindDatabase {
					t.Errorf("%q is no JSON: %v", record, err)
				}
			}
		}
	})
}
