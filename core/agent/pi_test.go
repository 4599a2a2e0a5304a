// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// TestPiRecordsItsThinkingLevel checks that a change of the level is the cause of the break that follows it. The level
// before it is in the session's first entry, or in an earlier change.
func TestPiRecordsItsThinkingLevel(t *testing.T) {
	message := func(n int, role, rest string) string {
		return fmt.Sprintf(`{"type":"message","id":"m%d","timestamp":"2026-01-05T10:00:%02d.000Z","message":{"role":%q,%s}}`, n, n, role, rest)
	}
	answer := func(n, read, wrote int) string {
		return message(n, "assistant", fmt.Sprintf(`"model":"claude-opus-4-5","provider":"anthropic","api":"anthropic-messages","stopReason":"stop",`+
			`"content":[{"type":"text","text":"so"}],"usage":{"input":1,"output":5,"cacheRead":%d,"cacheWrite":%d}`, read, wrote))
	}
	level := func(level string) string {
		return fmt.Sprintf(`{"type":"thinking_level_change","timestamp":"2026-01-05T10:00:20.000Z","thinkingLevel":%q}`, level)
	}
	for name, c := range map[string]struct {
		first  string
		change string
		want   core.BreakCause
	}{
		"in the first entry": {`,"thinkingLevel":"off"`, level("high"), core.BreakEffort},
		"in a change":        {`}` + "\n" + strings.TrimSuffix(level("low"), "}"), level("high"), core.BreakEffort},
		"the same":           {`,"thinkingLevel":"high"`, level("high"), core.BreakUnknown},
		"not at all":         {"", `{"type":"label"}`, core.BreakUnknown},
	} {
		session := strings.Join([]string{
			`{"type":"session","id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/w","provider":"anthropic","modelId":"claude-opus-4-5"` + c.first + `}`,
			message(1, "user", `"content":"go"`), answer(2, 0, 40_000), message(3, "user", `"content":"on"`), answer(4, 40_000, 500),
			c.change, message(21, "user", `"content":"on"`), answer(22, 0, 41_000),
		}, "\n")
		s := core.New(core.Identity{ID: "test"}, count.NewVocabularies())
		for _, e := range eventsOf(t, agent.Pi, strings.Split(session, "\n")...) {
			s.Apply(e)
		}
		if _, _, list := s.CacheBreaks(); len(list) != 1 || list[0].Cause != c.want {
			t.Errorf("%s: %+v, want %s", name, list, c.want)
		}
	}
}
