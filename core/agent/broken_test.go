// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// codexUsage is the count of a request with a response of 40 tokens besides its reasoning.
func codexUsage(second, in, reasoning int) string {
	return codexLine(second, "event_msg", fmt.Sprintf(`"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":%d,"reasoning_output_tokens":%d}}`, in*1000+second, in, 40+reasoning, reasoning))
}

// codexReasoning is encrypted reasoning of this many tokens.
func codexReasoning(second, tokens int) string {
	return codexLine(second, "response_item", fmt.Sprintf(`"type":"reasoning","summary":[],"encrypted_content":%q`, strings.Repeat("A", (650+4*tokens)*4/3)))
}

// codexStep is a call with its output.
func codexStep(second int) []string {
	return []string{
		codexLine(second, "response_item", `"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"c"`),
		codexLine(second, "response_item", `"type":"function_call_output","call_id":"c","output":"ok"`),
	}
}

// TestReasoningOfABrokenResponseIsSentAgain checks that the reasoning of a response that broke off, which Codex sends
// again with the retry, is in the next number with a mark and a range before the retry, is no error of the retry, and
// leaves with its turn.
func TestReasoningOfABrokenResponseIsSentAgain(t *testing.T) {
	lines := []string{
		codexLine(1, "turn_context", `"model":"gpt-5.5"`), codexLine(1, "event_msg", `"type":"task_started"`),
		codexLine(1, "response_item", `"type":"message","role":"user","content":[{"type":"input_text","text":"Work."}]`),
	}
	lines = append(append(lines, codexStep(2)...), codexUsage(2, 9000, 0))
	lines = append(append(lines, codexStep(3)...), codexUsage(3, 9057, 0))
	steady := sessionOf(eventsOf(t, agent.Codex, lines...)).Reading()
	lines = append(lines, codexReasoning(4, 700)) // the response breaks off
	broken := sessionOf(eventsOf(t, agent.Codex, lines...)).Reading()
	if more := broken.Used - steady.Used; more < 690 || more > 710 {
		t.Errorf("the number grows by %d, want about 700", more)
	}
	if broken.Basis != core.MeasuredEstimated || broken.RangeCause.Empty() || broken.Low > steady.Used || broken.High < steady.Used+1300 {
		t.Errorf("%v %d to %d: %q", broken.Basis, broken.Low, broken.High, broken.RangeCause)
	}
	retried := int(steady.Used) + 703
	lines = append(append(append(lines, codexReasoning(5, 500)), codexStep(5)...), codexUsage(5, retried, 500))
	s := sessionOf(eventsOf(t, agent.Codex, lines...))
	r := s.Reading()
	if !r.RangeCause.Empty() || r.LastRequest.In != int64(retried) {
		t.Errorf("after the retry %d: %q", r.LastRequest.In, r.RangeCause)
	}
	lines = append(lines, codexLine(6, "event_msg", `"type":"task_complete"`))
	ended := sessionOf(eventsOf(t, agent.Codex, lines...)).Reading()
	if left := r.Used - ended.Used; left < 1190 || left > 1210 {
		t.Errorf("%d tokens of reasoning leave with the turn, want about 1200", left)
	}
}

// TestTwoReasoningsOfOneResponse checks that reasoning which the prompt did not contain belongs to the response.
func TestTwoReasoningsOfOneResponse(t *testing.T) {
	lines := []string{codexLine(1, "turn_context", `"model":"gpt-5.5"`), codexLine(1, "event_msg", `"type":"task_started"`)}
	lines = append(append(lines, codexStep(2)...), codexUsage(2, 9000, 0))
	steady := int(sessionOf(eventsOf(t, agent.Codex, lines...)).Reading().Used)
	lines = append(append(append(lines, codexReasoning(3, 700), codexReasoning(3, 500)), codexStep(3)...), codexUsage(3, steady, 1200))
	s := sessionOf(eventsOf(t, agent.Codex, lines...))
	if r := s.Reading(); r.Used < int64(steady)+1200 || r.Basis.String() == core.Estimated.String() {
		t.Errorf("used %d (%v)", r.Used, r.Basis)
	}
	lines = append(lines, codexLine(6, "event_msg", `"type":"task_complete"`))
	if left := s.Reading().Used - sessionOf(eventsOf(t, agent.Codex, lines...)).Reading().Used; left < 1190 || left > 1210 {
		t.Errorf("%d tokens of reasoning leave with the turn", left)
	}
}

// TestOpenCodesBrokenResponseIsSentAgain checks that the reasoning of a response that broke off, which OpenCode records
// as a step without an end in the message of the retry, is in the next request, with a mark, and leaves with its turn.
func TestOpenCodesBrokenResponseIsSentAgain(t *testing.T) {
	reasoning := strings.Repeat("river stone light window carry north paper copper quiet seven ", 60)
	session := func(broken, ended bool) *core.Session {
		part := func(n int, data string) string {
			return fmt.Sprintf(`{"table":"part","id":"prt_%02d","message_id":"msg_2","session_id":"ses_1","data":%s}`, n, data)
		}
		rows := []string{
			`{"table":"session","id":"ses_1","directory":"/home/ada","version":"1.18.33"}`,
			`{"table":"message","id":"msg_1","session_id":"ses_1","data":{"role":"user","time":{"created":1795721701000},"agent":"build","model":{"providerID":"lab","modelID":"gpt-5.5"}}}`,
			`{"table":"part","id":"prt_00","message_id":"msg_1","session_id":"ses_1","data":{"type":"text","text":"Work."}}`,
			`{"table":"message","id":"msg_2","session_id":"ses_1","data":{"role":"assistant","time":{"created":1795721702000,"completed":1795721703000},"mode":"build","agent":"build",` +
				`"tokens":{"total":10700,"input":10000,"output":40,"reasoning":660,"cache":{"write":0,"read":0}},"modelID":"gpt-5.5","providerID":"lab","finish":"tool-calls"}}`,
		}
		if broken {
			rows = append(rows, part(1, `{"type":"step-start"}`), part(2, fmt.Sprintf(`{"type":"reasoning","text":%q}`, reasoning)), part(3, `{"type":"text","text":""}`))
		}
		rows = append(rows, part(4, `{"type":"step-start"}`), part(5, fmt.Sprintf(`{"type":"reasoning","text":%q}`, reasoning)),
			part(6, `{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"ok","title":"","metadata":{},"time":{"start":1,"end":2}}}`),
			part(7, `{"type":"step-finish"}`))
		if ended {
			rows = append(rows, `{"table":"message","id":"msg_3","session_id":"ses_1","data":{"role":"user","time":{"created":1795721709000},"agent":"build","model":{"providerID":"lab","modelID":"gpt-5.5"}}}`)
		}
		return sessionOf(eventsOf(t, agent.OpenCode, rows...))
	}
	whole, broken := session(false, false).Reading(), session(true, false).Reading()
	if more := broken.Used - whole.Used; more < 590 || more > 1000 {
		t.Errorf("the number grows by %d, want that of its text", more)
	}
	if whole.RangeCause.String() != "" || broken.RangeCause.Empty() || broken.Basis != core.MeasuredEstimated {
		t.Errorf("%v: %q, and without a break %q", broken.Basis, broken.RangeCause, whole.RangeCause)
	}
	if ended, same := session(true, true).Reading(), session(false, true).Reading(); ended.Used != same.Used {
		t.Errorf("after the turn %d, and without a break %d", ended.Used, same.Used)
	}
}

// TestTheNumberDuringARetryCoversBoth checks that while OpenCode retries a request whose response broke off after its
// reasoning, the range covers the prompt with that reasoning and without it, and the number is marked.
func TestTheNumberDuringARetryCoversBoth(t *testing.T) {
	message := func(id string, tokens string) string {
		return fmt.Sprintf(`{"table":"message","id":%q,"session_id":"ses_1","data":{"role":"assistant","time":{"created":1795721702000},"mode":"build","agent":"build",%s"modelID":"gpt-5.5","providerID":"lab"}}`, id, tokens)
	}
	part := func(n int, message, data string) string {
		return fmt.Sprintf(`{"table":"part","id":"prt_%02d","message_id":%q,"session_id":"ses_1","data":%s}`, n, message, data)
	}
	rows := []string{
		`{"table":"session","id":"ses_1","directory":"/home/ada","version":"1.18.33"}`,
		`{"table":"message","id":"msg_1","session_id":"ses_1","data":{"role":"user","time":{"created":1795721701000},"agent":"build","model":{"providerID":"lab","modelID":"gpt-5.5"}}}`,
		part(0, "msg_1", `{"type":"text","text":"Work."}`),
		message("msg_2", `"tokens":{"total":10037,"input":10000,"output":37,"reasoning":0,"cache":{"write":0,"read":0}},"finish":"tool-calls",`),
		part(1, "msg_2", `{"type":"step-start"}`), part(2, "msg_2", `{"type":"text","text":"I list the files."}`),
		part(3, "msg_2", `{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"ok","title":"","metadata":{},"time":{"start":1,"end":2}}}`),
		part(4, "msg_2", `{"type":"step-finish"}`),
	}
	steady := sessionOf(eventsOf(t, agent.OpenCode, rows...)).Reading()
	reasoning := strings.Repeat("river stone light window carry north paper copper quiet seven ", 60)
	rows = append(rows, message("msg_3", `"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"write":0,"read":0}},`),
		part(5, "msg_3", `{"type":"step-start"}`), part(6, "msg_3", fmt.Sprintf(`{"type":"reasoning","text":%q}`, reasoning)), part(7, "msg_3", `{"type":"text","text":""}`))
	r := sessionOf(eventsOf(t, agent.OpenCode, rows...)).Reading()
	if r.Low > steady.Used || r.High < steady.Used+590 || r.RangeCause.Empty() {
		t.Errorf("%d [%d to %d] (%q), and %d before the retry", r.Used, r.Low, r.High, r.RangeCause, steady.Used)
	}
}

// TestClinesBrokenResponseIsSentAgain checks that the output of a response that broke off, which Cline 4 records in the
// message of the retry, is in the next number besides the measured response, with a mark, and that its reasoning leaves
// with the turn. A message that reasons twice in one measured response is no retry.
func TestClinesBrokenResponseIsSentAgain(t *testing.T) {
	reasoning := strings.Repeat("river stone light window carry north paper copper quiet seven ", 60)
	thinking := fmt.Sprintf(`{"type":"thinking","thinking":%q},{"type":"text","text":"I list the files."}`, reasoning)
	call := `{"type":"tool_use","id":"c","name":"run_commands","input":{"commands":["ls"]}}`
	session := func(out int, content string, more ...string) *core.Session {
		messages := []string{
			`{"id":"u1","role":"user","ts":1795721701000,"content":[{"type":"text","text":"Work."}]}`,
			fmt.Sprintf(`{"id":"a1","role":"assistant","ts":1795721702000,"modelInfo":{"id":"gpt-5.5","provider":"openai-compatible"},"metrics":{"inputTokens":11227,"outputTokens":%d,"cacheReadTokens":0,"cacheWriteTokens":0},"content":[%s]}`, out, content),
			`{"id":"u2","role":"user","ts":1795721703000,"content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}`,
		}
		document := fmt.Sprintf(`{"version":1,"agent":"lead","sessionId":"s","messages":[%s]}`, strings.Join(append(messages, more...), ","))
		return sessionOf(eventsOf(t, agent.Cline, `{"table":"cline-session","version":"3.0.65"}`, document))
	}
	once := session(944, thinking+","+call).Reading()
	broken := session(944, thinking+","+thinking+","+call).Reading()
	if more := broken.Used - once.Used; more < 590 || more > 1_000 {
		t.Errorf("the number grows by %d, want that of the reasoning", more)
	}
	if !once.RangeCause.Empty() || broken.RangeCause.Empty() || broken.Low > once.Used+50 {
		t.Errorf("%d [%d to %d]: %q, and without a break %q", broken.Used, broken.Low, broken.High, broken.RangeCause, once.RangeCause)
	}
	if twice := session(1_880, thinking+","+thinking+","+call).Reading(); !twice.RangeCause.Empty() || twice.Used != once.Used+936 {
		t.Errorf("two thoughts of one response: %d (%q), want %d", twice.Used, twice.RangeCause, once.Used+936)
	}
	end := `{"id":"a2","role":"assistant","ts":1795721704000,"modelInfo":{"id":"gpt-5.5","provider":"openai-compatible"},"metrics":{"inputTokens":12900,"outputTokens":20,"cacheReadTokens":0,"cacheWriteTokens":0},"content":[{"type":"text","text":"Done."}]}`
	if left := session(944, thinking+","+thinking+","+call, end).Reading(); left.Used > 12_920-1_180 {
		t.Errorf("%d after the turn, want it without the reasoning", left.Used)
	}
}
