// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"errors"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
)

// A copilotRequest is the measured usage of one request of Copilot CLI. The prompt includes cached tokens.
type copilotRequest struct {
	Turn                               int64
	Model, Finish                      string
	In, Out, Read, Write, ReasoningOut int64
}

// copilotRequests reads the requests of a session from Copilot CLI's session store, in order, without those that
// compacted the conversation and those of sub-agents. Stores from before the middle of 2026 contain no requests of any
// session; known is false for them.
func copilotRequests(ctx context.Context, path, session string) (found []copilotRequest, known bool, err error) {
	for tries := 0; ; tries++ {
		found = nil
		err = opened(ctx, path, func(q *query) error {
			has, err := q.columns("assistant_usage_events")
			if err != nil || !has["session_id"] || !has["input_tokens"] {
				return err
			}
			known = true
			wanted := sqlite.Pick(has, "turn_index", "model", "finish_reason", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens", "initiator", "agent_id", "parent_tool_call_id")
			return q.each(`SELECT `+wanted+` FROM assistant_usage_events WHERE session_id=?1 ORDER BY id`, []any{session}, func(r row) bool {
				if r.text(8) != "compaction" && r.text(9) == "" && r.text(10) == "" && r.number(3) > 0 {
					found = append(found, copilotRequest{
						Turn: r.number(0), Model: nameIn(r.text(1)), Finish: r.text(2), In: r.number(3), Out: r.number(4),
						Read: r.number(5), Write: r.number(6), ReasoningOut: r.number(7),
					})
				}
				return true
			})
		})
		if !errors.Is(err, errChanged) || tries == 3 {
			return found, known, err
		}
	}
}
