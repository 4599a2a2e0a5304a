// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// eventsOf returns the events that an agent's reader emits for records.
func eventsOf(t *testing.T, id string, records ...string) []core.Event {
	t.Helper()
	var events []core.Event
	reader := agent.New(id)
	for _, record := range records {
		reader.Record(parse(t, []byte(record)), func(e core.Event) {
			if a, ok := e.(core.Appended); ok {
				a.Item.Text = append([]byte(nil), a.Item.Text...)
				e = a
			}
			events = append(events, e)
		})
	}
	return events
}

// tally counts events that reveal merged records.
type tally struct{ items, requests, replaced, truncated, warned int }

func tallied(events []core.Event) (n tally) {
	requests := map[string]bool{}
	for _, e := range events {
		switch e := e.(type) {
		case core.Appended:
			n.items++
		case core.Metered:
			if e.Request == "" || !requests[e.Request] {
				n.requests++
			}
			requests[e.Request] = true
		case core.Replaced:
			n.replaced++
		case core.Truncated:
			n.truncated++
		case core.Warned:
			if e.Sentence.Is(phrase.SameID) {
				n.warned++
			}
		}
	}
	return n
}

// openCodeExport returns an export of two steps with the given ids.
func openCodeExport(user, first, second, partA, partB, partC, partD string) string {
	answer := func(id, created, in, parts string) string {
		return `{"info":{"id":"` + id + `","role":"assistant","time":{"created":` + created + `},"tokens":{"input":` + in + `,"output":20,"reasoning":0,"cache":{"read":0,"write":0}},"modelID":"gpt-5.4","providerID":"openai","finish":"tool-calls"},"parts":[` + parts + `]}`
	}
	tool := func(id, output string) string {
		return `{"id":"` + id + `","type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"` + output + `"}}`
	}
	return `{"info":{"id":"ses_1","slug":"s","projectID":"p","directory":"/w","version":"1.18.2"},"messages":[` +
		`{"info":{"id":"` + user + `","role":"user","time":{"created":1772452800000}},"parts":[{"id":"` + partA + `","type":"text","text":"List them."}]},` +
		answer(first, "1772452801000", "1000", tool(partB, "one")+","+tool(partC, "two")) + `,` +
		answer(second, "1772452802000", "1100", tool(partD, "three")) + `]}`
}

// TestRecordsWithOneIDAreKept checks that records that a secret remover gave one id stay separate, like those that
// really share one: nothing that was sent is missing from the sum.
func TestRecordsWithOneIDAreKept(t *testing.T) {
	claude := func(uuid, parent, message, request, in, text string) string {
		return `{"parentUuid":"` + parent + `","isSidechain":false,"type":"assistant","version":"2.1.200","uuid":"` + uuid + `","requestId":"` + request + `","timestamp":"2026-03-02T09:00:14.000Z","message":{"id":"` + message +
			`","role":"assistant","model":"claude-opus-4-8","stop_reason":"end_turn","content":[{"type":"text","text":"` + text + `"}],"usage":{"input_tokens":` + in + `,"output_tokens":5}}}`
	}
	codex := func(kind, rest string) string {
		return `{"timestamp":"2026-06-26T12:24:23.646Z","type":"response_item","payload":{"type":"` + kind + `","call_id":"REDACTED",` + rest + `}}`
	}
	gemini := func(id, at, in string) string {
		return `{"id":"` + id + `","timestamp":"2026-04-14T15:31:` + at + `Z","type":"gemini","content":"done","model":"gemini-3-pro","tokens":{"input":` + in + `,"output":5,"cached":0,"thoughts":0}}`
	}
	for _, c := range []struct {
		about, agent string
		records      []string
		want         tally
	}{
		{"OpenCode, ids of its own", agent.OpenCode, []string{openCodeExport("msg_1a", "msg_2a", "msg_3a", "prt_1a", "prt_2a", "prt_3a", "prt_4a")}, tally{items: 7, requests: 2}},
		{"OpenCode, a scrubber's word", agent.OpenCode, []string{openCodeExport("REDACTED", "REDACTED", "REDACTED", "REDACTED", "REDACTED", "REDACTED", "REDACTED")}, tally{items: 7, requests: 2}},
		{"OpenCode, parts of one message", agent.OpenCode, []string{openCodeExport("msg_1a", "msg_2a", "msg_3a", "prt_1a", "prt_2a", "prt_2a", "prt_2a")}, tally{items: 7, requests: 2, warned: 1}},
		{"OpenCode, messages", agent.OpenCode, []string{openCodeExport("msg_1a", "msg_2a", "msg_2a", "prt_1a", "prt_2a", "prt_3a", "prt_2a")}, tally{items: 7, requests: 2, warned: 1}},
		{"OpenCode, the same export once more", agent.OpenCode, []string{
			openCodeExport("[REDACTED]", "msg_2a", "REDACTED", "prt_1a", "REDACTED", "REDACTED", "prt_4a"),
			openCodeExport("[REDACTED]", "msg_2a", "REDACTED", "prt_1a", "REDACTED", "REDACTED", "prt_4a"),
		}, tally{items: 7, requests: 2}},
		{"Claude Code, ids of its own", agent.ClaudeCode, []string{
			claude("u1", "", "msg_1", "req_1", "100", "a"), claude("u2", "u1", "msg_1", "req_1", "100", "b"), claude("u3", "u2", "msg_2", "req_2", "120", "c"),
		}, tally{items: 3, requests: 2}},
		{"Claude Code, a scrubber's word", agent.ClaudeCode, []string{
			claude("REDACTED", "REDACTED", "REDACTED", "REDACTED", "100", "a"), claude("REDACTED", "REDACTED", "REDACTED", "REDACTED", "100", "b"),
			claude("REDACTED", "REDACTED", "REDACTED", "REDACTED", "120", "c"),
		}, tally{items: 3, requests: 2}},
		{"Claude Code, messages", agent.ClaudeCode, []string{claude("u1", "", "msg_1", "req_1", "100", "a"), claude("u2", "u1", "msg_1", "req_2", "120", "b")}, tally{items: 2, requests: 2, warned: 1}},
		{"Claude Code, records", agent.ClaudeCode, []string{claude("u1", "u0", "msg_1", "req_1", "100", "a"), claude("u1", "u9", "msg_2", "req_2", "120", "b")}, tally{items: 2, requests: 2, warned: 1}},
		{"Claude Code, a line written twice", agent.ClaudeCode, []string{claude("u1", "u0", "msg_1", "req_1", "100", "a"), claude("u1", "u0", "msg_1", "req_1", "100", "a")}, tally{items: 1, requests: 1}},
		{"Codex, calls", agent.Codex, []string{
			codex("function_call", `"name":"shell","arguments":"{}"`), codex("function_call", `"name":"shell","arguments":"{}"`),
			codex("function_call_output", `"output":"one"`), codex("function_call_output", `"output":"two"`), codex("function_call_output", `"output":"two"`),
		}, tally{items: 4, warned: 1}},
		{"Gemini CLI, a scrubber's word", agent.GeminiCLI, []string{gemini("REDACTED", "19.875", "100"), gemini("REDACTED", "20.875", "120"), gemini("REDACTED", "20.875", "120")}, tally{items: 2, requests: 2}},
		{"Gemini CLI, messages", agent.GeminiCLI, []string{gemini("a1b2", "19.875", "100"), gemini("a1b2", "20.875", "120")}, tally{items: 2, requests: 2, warned: 1}},
	} {
		if got := tallied(eventsOf(t, c.agent, c.records...)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.about, got, c.want)
		}
	}
}

// TestCopilotsSystemPromptIsSentOnce checks that only the last system prompt is used, because Copilot records it again
// in every turn.
func TestCopilotsSystemPromptIsSentOnce(t *testing.T) {
	prompt := `{"type":"system.message","id":"e%","parentId":null,"timestamp":"2026-07-24T16:40:49.681Z","data":{"role":"system","content":"` + strings.Repeat("word ", 400) + `"}}`
	said := `{"type":"user.message","id":"f%","parentId":null,"timestamp":"2026-07-24T16:41:49.681Z","data":{"content":"Go on."}}`
	s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
	used := func(records ...string) int64 {
		for _, e := range eventsOf(t, agent.CopilotCLI, records...) {
			s.Apply(e)
		}
		return s.Reading().Used
	}
	once := used(prompt, said)
	if again := used(prompt); again != once {
		t.Errorf("after the same prompt once more %d are used, before it %d", again, once)
	}
	if once < 400 {
		t.Errorf("%d tokens hold no prompt of 400 words", once)
	}
}
