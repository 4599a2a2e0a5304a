// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestASessionOfCodexWithRecordedTools checks a session of Codex 0.171 with a model that gets its instructions and
// tools inside the conversation: both are counted once and belong to the fixed context, before and after a compaction.
// The compaction's own request is not a step.
func TestASessionOfCodexWithRecordedTools(t *testing.T) {
	var lines []string
	for _, record := range recordsOf(t, "../../testdata/sessions/codex/paginated.jsonl") {
		lines = append(lines, string(record))
	}
	rows := func(until int) (of map[core.Kind]int64, r core.Reading) {
		s := sessionOf(eventsOf(t, agent.Codex, lines[:until]...))
		r = s.Reading()
		of = map[core.Kind]int64{}
		for _, row := range r.Breakdown {
			of[row.Kind] += row.Tokens
		}
		return of, r
	}
	const answered, asked, compacted, again = 22, 25, 30, 42
	before, r := rows(answered)
	if before[core.Tools] < 200 || before[core.System] > 400 || before[core.Unattributed]+before[core.Prefix] > 60 || len(r.Warnings) > 0 {
		t.Errorf("%v, %v", before, r.Warnings)
	}
	steps := r.Accuracy.Steps
	if after, r := rows(compacted); after[core.Tools] != before[core.Tools] || after[core.System] != before[core.System] || after[core.Summary] == 0 || r.Accuracy.Steps != steps {
		t.Errorf("after a compaction %v, %d steps; before it %v, %d steps", after, r.Accuracy.Steps, before, steps)
	}
	if _, r := rows(again); r.LastRequest.In != 668 || r.Compaction.Count != 1 || r.Accuracy.Steps != steps+1 {
		t.Errorf("%+v, %d compactions, %d steps", r.LastRequest, r.Compaction.Count, r.Accuracy.Steps)
	}
	if first, _ := rows(asked); first[core.Summary] != 0 {
		t.Errorf("%v", first)
	}
}

// TestEarlyItemsAreCountedByTheModel checks that items from before the model is known are counted again when it is.
func TestEarlyItemsAreCountedByTheModel(t *testing.T) {
	early := `{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"Keep each change small, and say why it is made."}]}}`
	meta, model := `{"type":"session_meta","payload":{"id":"a","cli_version":"0.171.0","history_mode":"paginated"}}`, `{"type":"turn_context","payload":{"model":"gpt-5.5"}}`
	last := sessionOf(eventsOf(t, agent.Codex, meta, early, model)).Reading()
	first := sessionOf(eventsOf(t, agent.Codex, meta, model, early)).Reading()
	if last.Used != first.Used || last.Basis != first.Basis {
		t.Errorf("%d %v if the model comes last, %d %v if it comes first", last.Used, last.Basis, first.Used, first.Basis)
	}
}
