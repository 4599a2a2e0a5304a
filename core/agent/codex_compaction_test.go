// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestTheHiddenSummaryIsWhatCodexBelievesToBeLeft checks that Codex's own estimate after a compaction gives the size of
// the encrypted summary.
func TestTheHiddenSummaryIsWhatCodexBelievesToBeLeft(t *testing.T) {
	instructions := strings.Repeat("base ", 800) // 4000 bytes, by Codex's count 1000 tokens
	message := `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + strings.Repeat("kept ", 600) + `"}]}`
	believed := func(second, total int) string {
		return codexLine(second, "event_msg", fmt.Sprintf(`"type":"token_count","info":{"last_token_usage":{"input_tokens":0,"total_tokens":%d}}`, total))
	}
	visible := (len(message) + len(instructions)) / 4
	for _, c := range []struct {
		name, history, after string
		shown                []int64
		unknown              bool // the base instructions are not recorded
	}{
		{"encrypted", message + `,{"type":"compaction","encrypted_content":"gAAA"}`, believed(5, visible+1867), []int64{2200, 1915}, false},
		{"not in the file", message, believed(5, visible+609), []int64{2200, 717}, false},
		{"hardly more than its envelope", message, believed(5, visible+100), []int64{2200, 0}, false},
		{"a short one", message, believed(5, visible+101), []int64{2200, 233}, false},
		{"the longest one", message, believed(5, visible+8000), []int64{2200, 7756}, false},
		{"longer than the longest", message, believed(5, visible+8001), []int64{2200}, false},
		{"among what is recorded", message, believed(5, visible+40), []int64{2200, 0}, false},
		{"nothing was said of what is left", message, codexCount(5, 9000, 9300), []int64{2200}, false},
		{"more than a summary takes", message, believed(5, visible+9000), []int64{2200}, false},
		{"the base instructions are not recorded", message, believed(5, visible+609), []int64{2200}, true},
		{"said a second time", message, believed(5, visible+609) + "\n" + believed(6, visible+5000), []int64{2200, 717}, false},
	} {
		records := []string{
			codexLine(0, "session_meta", `"cli_version":"0.142.0","base_instructions":{"text":"`+instructions+`"}`),
			codexLine(1, "turn_context", `"model":"gpt-5.5"`), codexCount(3, 90_000, 90_300),
			codexLine(4, "compacted", `"message":"","replacement_history":[`+c.history+`]`),
		}
		if c.unknown {
			records[0] = codexLine(0, "session_meta", `"cli_version":"0.142.0"`)
		}
		events := eventsOf(t, agent.Codex, append(records, strings.Split(c.after, "\n")...)...)
		var shown []int64
		for _, e := range events {
			switch e := e.(type) {
			case core.Appended:
				if e.Item.Kind == core.Summary {
					shown = append(shown, e.Item.Tokens)
				}
			case core.Replaced:
				if e.Index != 1 || !e.Item.Hidden {
					t.Errorf("%s: %+v replaces the item %d", c.name, e.Item, e.Index)
				}
				shown = append(shown, e.Item.Tokens)
			}
		}
		if fmt.Sprint(shown) != fmt.Sprint(c.shown) {
			t.Errorf("%s: summaries of %v tokens, want %v", c.name, shown, c.shown)
		}
	}
}
