// Copyright The ctx-lsp authors. MIT licence.

package export_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/export"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestRowsHaveWhatWasReadAgain reads a file twice: the second output is new in the request after it, and carried by
// that one and the next, until a compaction.
func TestRowsHaveWhatWasReadAgain(t *testing.T) {
	var text strings.Builder
	parent, n := "", 0
	record := func(fields map[string]any) {
		n++
		all := map[string]any{"uuid": string(rune('a' + n)), "sessionId": "s", "version": "2.1.200", "cwd": "/w", "isSidechain": false, "timestamp": "2026-11-21T10:00:0" + string(rune('0'+n%10)) + ".000Z"}
		if all["parentUuid"] = parent; parent == "" {
			all["parentUuid"] = nil
		}
		for name, value := range fields {
			all[name] = value
		}
		parent = all["uuid"].(string)
		line, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	answer := func(id string, content any) {
		record(map[string]any{"type": "assistant", "requestId": "r" + id, "message": map[string]any{"id": "m" + id, "role": "assistant", "model": "claude-sonnet-4-5", "content": []any{content},
			"usage": map[string]any{"input_tokens": 10, "cache_read_input_tokens": 15000, "cache_creation_input_tokens": 100, "output_tokens": 5}}})
	}
	said := map[string]any{"type": "text", "text": "Done."}
	user := func(content any) {
		record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": content}})
	}
	user("Look at the box.")
	for _, id := range []string{"1", "2"} {
		answer(id, map[string]any{"type": "tool_use", "id": "t" + id, "name": "Read", "input": map[string]any{"file_path": "/w/box.go"}})
		user([]any{map[string]any{"type": "tool_result", "tool_use_id": "t" + id, "content": "     1\tpackage box\n     2\tvar size = 3\n     3\tvar lid = open\n     4\tvar key = none\n     5\tfunc shut() {\n     6\t}"}})
	}
	answer("3", said)
	user("And now?")
	answer("4", said)
	parent = ""
	record(map[string]any{"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": map[string]any{"trigger": "manual", "preTokens": 15000}})
	record(map[string]any{"type": "user", "isCompactSummary": true, "message": map[string]any{"role": "user", "content": "A box was looked at."}})
	answer("5", said)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sessions.At(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := read(t, s, export.Names{Key: []byte("k")})
	if len(rows) != 5 {
		t.Fatalf("%d rows, expected 5", len(rows))
	}
	again := *rows[2].ReadAgain
	if again < 15 || again > 60 {
		t.Errorf("%d tokens were read again", again)
	}
	for i, want := range [][2]int64{{}, {}, {again, again}, {0, again}, {}} {
		if fresh, carried := *rows[i].ReadAgain, *rows[i].ReadAgainCarried; fresh != want[0] || carried != want[1] {
			t.Errorf("request %d: %d again and %d carried, expected %d", i+1, fresh, carried, want)
		}
	}
}

// TestRequestsOfAConversationAreRows checks on recorded sessions that the numbers of requests which repeats are counted
// by are those of the rows.
func TestRequestsOfAConversationAreRows(t *testing.T) {
	root := os.Getenv("CTX_TRANSCRIPTS")
	if root == "" {
		t.Skip("CTX_TRANSCRIPTS names no folder of recorded sessions")
	}
	var found []transcript.Session
	sessions.Below(root, nil, func(s transcript.Session) { found = append(found, s) }, func(sessions.Problem) {})
	for _, s := range found {
		c, err := conversation.Read(t.Context(), s, nil)
		if err != nil {
			continue
		}
		rows := read(t, s, export.Names{Key: []byte("k")})
		if last := len(rows) - 1; last >= 0 && rows[last].Call != int64(c.Requests()) {
			t.Errorf("%s: %d requests, and the last row is of request %d", s.Path, c.Requests(), rows[last].Call)
		}
	}
}
