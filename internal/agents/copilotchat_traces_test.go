// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestTracesMeasureEachRound protects the requests that Copilot traces: each round of a turn is measured where there is
// one for each, and else the turn is as the chat has it.
func TestTracesMeasureEachRound(t *testing.T) {
	path := chatFile(t, "c1.jsonl", joined(chatLog))
	database := filepath.Join(filepath.Dir(path), "..", "..", "..", "globalStorage", "github.copilot-chat", "agent-traces.db")
	span := func(id, chat, operation string, turn, in, at any) []any {
		return do(`INSERT INTO spans VALUES (?1, ?2, ?3, 'gpt-5', 'gpt-5-2025-08-07', ?4, 40, 1000, 30, ?5, ?6)`, id, chat, operation, in, turn, at)
	}
	made(t, database,
		do(`CREATE TABLE spans (span_id TEXT PRIMARY KEY, chat_session_id TEXT, operation_name TEXT, request_model TEXT, response_model TEXT, input_tokens INTEGER, output_tokens INTEGER, cached_tokens INTEGER, reasoning_tokens INTEGER, turn_index INTEGER, start_time_ms INTEGER)`),
		span("b", "c1", "chat", 0, 18212, 200), span("a", "c1", "chat", 0, 18000, 100), span("t", "c1", "execute_tool", 0, 99, 150),
		span("o", "other", "chat", 0, 77, 1), span("x", "c1", "chat", 1, 5, 300), span("y", "c1", "chat", 1, 6, 400), span("z", "c1", "chat", "no", "none", 400))
	got := strings.Join(events(t, agent.Copilot, path, "c1"), "\n")
	for _, want := range []string{
		"used in 18000 out 40 reasoning 30 read 1000 write -1 through 1 by gpt-5-2025-08-07\nreasoning", "used in 18212 out 40 reasoning 30 read 1000 write -1 through 5 by gpt-5-2025-08-07\nassistant",
		"used in 20000 out 9 reasoning -1 read -1 write -1", // the second turn has two requests for one answer
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "out 121") || strings.Contains(got, "used in 5 ") {
		t.Errorf("more than each round is measured:\n%s", got)
	}
	made(t, database, do(`DROP TABLE spans`), do(`CREATE TABLE spans (other TEXT)`))
	if got := strings.Join(events(t, agent.Copilot, path, "c1"), "\n"); !strings.Contains(got, "used in 18212 out 121") {
		t.Errorf("without traces:\n%s", got)
	}
}
