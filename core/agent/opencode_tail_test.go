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

// openCodeTail returns the rows of a session of OpenCode 1.18.33 that was compacted, with the messages from tail on
// kept. Each of its responses but the first reads a file of about 4,000 tokens.
func openCodeTail(tail string) (rows []string) {
	message := func(n int, data string) {
		rows = append(rows, fmt.Sprintf(`{"table":"message","id":"msg_2195a%02d","session_id":"ses_1","time_created":17957217%02d000,"data":{"time":{"created":17957217%02d000,"completed":17957217%02d900},%s}}`, n, n, n, n, data))
	}
	part := func(n int, data string) {
		rows = append(rows, fmt.Sprintf(`{"table":"part","id":"prt_2195a%02d","message_id":"msg_2195a%02d","session_id":"ses_1","data":%s}`, n, n, data))
	}
	says := func(n int, text string) {
		message(n, `"role":"user","agent":"build","model":{"providerID":"lab","modelID":"gpt-5.5"},"summary":{"diffs":[]}`)
		part(n, fmt.Sprintf(`{"type":"text","text":%q}`, text))
	}
	answer := func(n, asked, input, read, output int, as string) {
		message(n, fmt.Sprintf(`"parentID":"msg_2195a%02d","role":"assistant","mode":%q,"agent":%[2]q,"summary":%t,"path":{"cwd":"/home/ada","root":"/home/ada"},"cost":0,`+
			`"tokens":{"total":%d,"input":%d,"output":%d,"reasoning":0,"cache":{"write":0,"read":%d}},"modelID":"gpt-5.5","providerID":"lab","finish":"stop"`,
			asked, as, as == "compaction", input+read+output, input, output, read))
	}
	rows = append(rows, `{"table":"session","id":"ses_1","directory":"/home/ada","version":"1.18.33"}`)
	says(1, "Read the log.")
	for i := range 9 {
		answer(2+i, 1, 4000, 6000+i*4000, 40, "build")
		part(2+i, fmt.Sprintf(`{"type":"tool","tool":"bash","callID":"call_%d","state":{"status":"completed","input":{"command":"head big.txt"},"output":%q,"title":"","metadata":{},"time":{"start":1,"end":2}}}`,
			i, strings.Repeat("a request was served and then another one ", 375)))
	}
	message(11, `"role":"user","agent":"build","model":{"providerID":"lab","modelID":"gpt-5.5"},"summary":{"diffs":[]}`)
	part(11, `{"type":"compaction","auto":true,"overflow":false`+tail+`}`)
	answer(12, 11, 8827, 0, 276, "compaction")
	part(12, fmt.Sprintf(`{"type":"text","text":%q}`, strings.Repeat("The log has requests. ", 50)))
	message(13, `"role":"user","agent":"build","model":{"providerID":"lab","modelID":"gpt-5.5"}`)
	part(13, `{"type":"text","metadata":{"compaction_continue":true},"synthetic":true,"text":"Continue if you have next steps."}`)
	return rows
}

// TestOpenCodesTailIsKept checks what is left after a compaction that keeps the newest messages.
func TestOpenCodesTailIsKept(t *testing.T) {
	for _, c := range []struct {
		name, tail  string
		least, most int64
	}{
		{"no tail", ``, 10_000, 10_600},
		{"two answers", `,"tail_start_id":"msg_2195a09"`, 17_800, 18_900},
		{"a message that is not there", `,"tail_start_id":"msg_2195b99"`, 10_000, 10_600},
	} {
		events := eventsOf(t, agent.OpenCode, openCodeTail(c.tail)...)
		s := sessionOf(events)
		s.Apply(core.LimitsKnown{Limits: core.Limits{Window: 60_000, Input: core.Unknown, Output: 16_000}, Source: core.FromAgentTable})
		if used := s.Reading().Used; used < c.least || used > c.most {
			t.Errorf("%s: used is %d, want %d to %d", c.name, used, c.least, c.most)
		}
		if compacted := of[core.Compacted](events); len(compacted) != 1 {
			t.Errorf("%s: %d compactions", c.name, len(compacted))
		}
	}
}

// TestASummarysRequestTeachesNoThreshold checks that OpenCode's threshold stays where the window puts it: the request
// of a summary is small, because it has no system prompt and no tools.
func TestASummarysRequestTeachesNoThreshold(t *testing.T) {
	window := core.LimitsKnown{Limits: core.Limits{Window: 60_000, Input: core.Unknown, Output: 16_000}, Source: core.FromAgentTable}
	s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
	events := eventsOf(t, agent.OpenCode, openCodeTail(`,"tail_start_id":"msg_2195a09"`)...)
	for i, e := range events {
		s.Apply(e)
		if i == 0 {
			rule, _ := agent.Rule(agent.Installation{Agent: agent.OpenCode, Version: "1.18.33"})
			s.Apply(core.RuleSet{Rule: rule})
			s.Apply(window)
		}
	}
	if at := s.Reading().Compaction.Threshold; at != 44_000 {
		t.Errorf("the threshold is %d, want 44,000", at)
	}
}
