// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestAnInterruptedResponseOfGPTMeIsKept checks that a response without a usage, which gptme sends again after an
// interrupt, is not taken for a part of the response measured before, however long that one was.
func TestAnInterruptedResponseOfGPTMeIsKept(t *testing.T) {
	message := func(role, content, more string) string {
		return fmt.Sprintf(`{"role":%q,"content":%q,"timestamp":"2026-11-03T10:00:00Z"%s}`, role, content, more)
	}
	records := []string{
		message("system", "You are gptme v0.35.1, a helper.", ""), message("user", "Work.", ""),
		message("assistant", strings.Repeat("I think about the files. ", 180)+"\n@shell(call_1): {\"command\":\"ls\"}",
			`,"metadata":{"model":"local/gpt-5.5","usage":{"input_tokens":14000,"output_tokens":940,"cache_read_tokens":0,"reasoning_tokens":0}}`),
		message("system", "Ran command: `ls`", `,"call_id":"call_1"`),
	}
	before := sessionOf(eventsOf(t, agent.GPTMe, records...)).Reading().Used
	records = append(records, message("assistant", strings.Repeat("river stone light window carry north paper copper quiet seven ", 140)+"... ^C Interrupted", `,"metadata":{"model":"local/gpt-5.5"}`))
	if more := sessionOf(eventsOf(t, agent.GPTMe, records...)).Reading().Used - before; more < 1_300 || more > 2_400 {
		t.Errorf("the next prompt is longer by %d, want the interrupted response's 1,410 or its estimate", more)
	}
}
