// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestTablesThatAreNotReadAreNoticed checks for each agent with a database that a further table of sessions, with the
// columns of the one that is read, is noticed with the time of its last change, and that today's tables are not.
func TestTablesThatAreNotReadAreNoticed(t *testing.T) {
	const newer, older = "2026-11-20 10:00:00", "2026-11-01 10:00:00"
	at, _ := time.Parse(time.DateTime, newer)
	for _, c := range []struct {
		agent, path, table string
		more               [][]any
	}{
		{agent.Goose, gooseStore(t), "sessions_v2", [][]any{
			do(`CREATE TABLE sessions_v2 (id TEXT PRIMARY KEY, working_dir TEXT, updated_at TIMESTAMP)`),
			do(`INSERT INTO sessions_v2 VALUES ('a', '/w/shop', ?), ('b', '/w/shop', ?)`, newer, older),
		}},
		{agent.Hermes, hermesStore(t), "session_threads", [][]any{
			do(`CREATE TABLE session_threads (id TEXT PRIMARY KEY, cwd TEXT, last_updated REAL)`),
			do(`INSERT INTO session_threads VALUES ('a', '/w/shop', ?)`, float64(at.Unix())),
		}},
		{agent.Zed, zedStore(t, "json", []byte("{}")), "threads_2", [][]any{
			do(`CREATE TABLE threads_2 (id TEXT PRIMARY KEY, folder_paths TEXT, updated_at TEXT)`),
			do(`INSERT INTO threads_2 VALUES ('a', ?, ?)`, "/w/shop\n/w/other", at.Format(time.RFC3339)),
		}},
		{agent.Kiro, kiroStore(t), "conversations_v3", [][]any{
			do(`CREATE TABLE conversations_v3 (key TEXT, conversation_id TEXT, value TEXT, updated_at INTEGER)`),
			do(`INSERT INTO conversations_v3 VALUES ('/w/shop', 'a', '', ?)`, at.UnixMilli()),
		}},
		{agent.Crush, crushStore(t), "sessions_v2", [][]any{
			do(`CREATE TABLE sessions_v2 (id TEXT PRIMARY KEY, title TEXT, updated_at INTEGER)`),
			do(`CREATE TABLE session_messages (id TEXT PRIMARY KEY, session_id TEXT, updated_at INTEGER)`),
			do(`INSERT INTO sessions_v2 VALUES ('a', 'A title', ?)`, at.Unix()),
		}},
	} {
		a := ByID(c.agent)
		if unread, err := a.UnreadOf(context.Background(), c.path); err != nil || len(unread.Tables) > 0 || !unread.Since("/w/shop").IsZero() {
			t.Errorf("%s: of today's tables %v are not read (%v)", c.agent, unread.Tables, err)
		}
		made(t, c.path, c.more...)
		unread, err := a.UnreadOf(context.Background(), c.path)
		if err != nil || !slices.Contains(unread.Tables, c.table) || !unread.Since("/w/shop").Equal(at) {
			t.Errorf("%s: %v, newest %v (%v)", c.agent, unread.Tables, unread.Since("/w/shop"), err)
		}
		if elsewhere := unread.Since("/elsewhere"); unread.OneProject != (c.agent == agent.Crush) || elsewhere.IsZero() == unread.OneProject {
			t.Errorf("%s: elsewhere %v", c.agent, elsewhere)
		}
	}
}
