// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// fuzzFile reads any bytes as one kind of file that contains an agent's sessions.
func fuzzFile(f *testing.F, name string, of transcript.Form, seed []byte) {
	f.Add(seed)
	path := filepath.Join(f.TempDir(), name)
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		if of == transcript.Database {
			_, _ = agents.DatabaseSessions(ctx, "opencode", path) // an error is a valid result
		}
		_, _ = At(path)
		tail := agents.OpenTail(transcript.Session{Key: "a", ID: "a", Path: path, Form: of})
		var b transcript.Batch
		for calls := 0; ; calls++ {
			if err := tail.Next(ctx, &b); err != nil || b.Count == 0 {
				return
			}
			if calls > len(content)+10 {
				t.Fatalf("it gives batches without end: %d of %d bytes", calls, len(content))
			}
			if len(b.Body) > transcript.MaxBatch+64 {
				t.Errorf("a batch has %d bytes", len(b.Body))
			}
			for i := range b.Count {
				// A line is cut at its braces; the engine decides whether it is JSON.
				if record := b.Record(i); of == transcript.Lines || of == transcript.Compressed {
					if json.ContainerEnd(record) != len(record) {
						t.Errorf("%q is no whole value", record)
					}
				} else if _, err := json.Parse(record); err != nil && of == transcript.Database {
					t.Errorf("%q is no JSON: %v", record, err)
				}
			}
		}
	})
}

const someLines = `{"type":"user","sessionId":"s","message":{"content":"hi"}}` + "\n" + `{"a":[1,2,{"b":null}]}` + "\n{\"broken\":"

func FuzzLineFile(f *testing.F) { fuzzFile(f, "s.jsonl", transcript.Lines, []byte(someLines)) }

func FuzzCompressedFile(f *testing.F) {
	encoder, _ := zstd.NewWriter(nil)
	fuzzFile(f, "s.jsonl.zst", transcript.Compressed, encoder.EncodeAll([]byte(someLines), nil))
}

func FuzzDocumentFile(f *testing.F) {
	fuzzFile(f, "session.json", transcript.Document, []byte(`{"sessionId":"s","messages":[{"id":"1","content":"a"},{"id":"2"}],"lastUpdated":1}`))
}

func FuzzTask(f *testing.F) {
	fuzzFile(f, "ui_messages.json", transcript.Task, []byte(`[{"ts":1,"type":"say","say":"text","text":"hi"},{"ts":2,"type":"say","say":"api_req_started","text":"{\"tokensIn\":5}"}]`))
}

func FuzzOpenCodeDatabase(f *testing.F) {
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
	fuzzFile(f, "opencode.db", transcript.Database, seed)
}
