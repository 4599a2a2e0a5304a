// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// fuzzStore reads any rows as those of an agent's database: nothing panics, and all that is told can be read. A query
// that the rows end before has none. A reader that stops at a row leaves the rest of the tape to the next query, so the
// seeds are not the only conversations that are found.
func fuzzStore(f *testing.F, of, path, id string) {
	f.Cleanup(func() { openDatabase = sqlite.Open })
	recorded := &tape{recording: true}
	openDatabase = recorded.open
	records, err := storeRecords(context.Background(), of, path, id)
	if err != nil || len(records) == 0 {
		f.Fatalf("the seed tells %d records: %v", len(records), err)
	}
	f.Add(recorded.bytes)
	played := &tape{bytes: recorded.bytes}
	openDatabase = played.open
	if again, err := storeRecords(context.Background(), of, path, id); err != nil || len(again) != len(records) {
		f.Fatalf("the tape tells %d records and its database %d: %v", len(again), len(records), err)
	}
	recorded = &tape{recording: true}
	openDatabase = recorded.open
	if _, err := storeOf(of).List(context.Background(), path); err != nil {
		f.Fatal(err)
	}
	f.Add(recorded.bytes)
	f.Fuzz(func(t *testing.T, rows []byte) {
		ctx := context.Background()
		play := &tape{bytes: rows}
		openDatabase = play.open
		to := transcript.StoreWriter{By: of}
		if storeOf(of).Write(ctx, "state.db", id, &to) == nil { // an error is an answer
			readable(t, of, to.Records)
		}
		play.bytes = rows
		_, _ = storeOf(of).List(ctx, "state.db")
	})
}

// readable fails where a record is no JSON, or makes numbers that cannot be.
func readable(t *testing.T, of string, records []transcript.StoreRecord) {
	t.Helper()
	reader := agent.New(of)
	for _, r := range records {
		v, err := json.Parse(r.JSON)
		if err != nil {
			t.Fatalf("%s: %v", r.JSON, err)
		}
		reader.Record(v, func(e core.Event) {
			if m, ok := e.(core.Metered); ok && (m.In > 1<<53 || m.Out > 1<<53 || m.Through < 0) {
				t.Errorf("%+v", m)
			}
		})
	}
}

func FuzzCrush(f *testing.F)       { fuzzStore(f, agent.Crush, crushStore(f), "s1") }
func FuzzCursor(f *testing.F)      { fuzzStore(f, agent.Cursor, cursorStore(f), "c1") }
func FuzzGoose(f *testing.F)       { fuzzStore(f, agent.Goose, gooseStore(f), "g1") }
func FuzzHermes(f *testing.F)      { fuzzStore(f, agent.Hermes, hermesStore(f), "h1") }
func FuzzKiro(f *testing.F)        { fuzzStore(f, agent.Kiro, kiroStore(f), "k1") }
func FuzzAntigravity(f *testing.F) { fuzzStore(f, agent.Antigravity, antigravityStore(f), "a1") }
func FuzzZed(f *testing.F)         { fuzzStore(f, agent.Zed, zedStore(f, "json", []byte(zedThread)), "z1") }

// FuzzCopilotRequests reads any rows as those of Copilot CLI's session store.
func FuzzCopilotRequests(f *testing.F) {
	f.Cleanup(func() { openDatabase = sqlite.Open })
	path := made(f, f.TempDir()+"/session-store.db",
		do(`CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, model TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, finish_reason TEXT, initiator TEXT)`),
		do(`INSERT INTO assistant_usage_events VALUES (1, 's1', 0, 'gpt-6-luna', 13413, 60, 0, 'tool_calls', NULL), (2, 's1', 0, 'gpt-6-luna', 13658, 60, 13410, 'stop', '')`))
	recorded := &tape{recording: true}
	openDatabase = recorded.open
	if found, known, err := copilotRequests(context.Background(), path, "s1"); len(found) != 2 || !known || err != nil {
		f.Fatal(found, known, err)
	}
	f.Add(recorded.bytes)
	f.Fuzz(func(t *testing.T, rows []byte) {
		openDatabase = (&tape{bytes: rows}).open
		found, _, _ := copilotRequests(context.Background(), "session-store.db", "s1")
		for _, r := range found {
			if r.In <= 0 {
				t.Errorf("%+v", r)
			}
		}
	})
}

// FuzzCopilotChat reads anything as a chat of VS Code, a log or a document.
func FuzzCopilotChat(f *testing.F) {
	path := chatFile(f, "c1.jsonl", joined(chatLog))
	f.Add([]byte(joined(chatLog)))
	f.Add([]byte(`{"version":3,"creationDate":1764590000000,"requests":[{"requestId":"r1","message":{"text":"hi"},"response":[{"value":"Done."}],"result":{"metadata":{"promptTokens":5,"toolCallRounds":[{"id":"a","summary":"s","toolCalls":[]}]}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		to := transcript.StoreWriter{By: agent.Copilot}
		if writeCopilotChat(context.Background(), path, "c1", &to) == nil {
			readable(t, agent.Copilot, to.Records)
		}
		_, _ = listCopilotChat(context.Background(), path)
	})
}

// FuzzZedThread unpacks anything as a thread.
func FuzzZedThread(f *testing.F) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encoder.EncodeAll([]byte(zedThread), nil))
	f.Fuzz(func(t *testing.T, packed []byte) {
		text, err := unpacked(packed)
		if err == nil && len(text) > mostThread {
			t.Errorf("%d bytes", len(text))
		}
		if !bytes.Equal(text, nil) {
			to := transcript.StoreWriter{By: agent.Zed}
			tellThread(parsed(text), "", &to)
			readable(t, agent.Zed, to.Records)
		}
	})
}
