// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// sessionOf applies events to a new session, with the rule and the window of its agent.
func sessionOf(events []core.Event) *core.Session {
	s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
	for _, e := range events {
		s.Apply(e)
	}
	of := agent.Installation{Agent: s.Agent, Version: s.AgentVersion, Model: s.Model}
	if l, ok := agent.Window(of); ok {
		s.Apply(core.LimitsKnown{Limits: l, Source: core.FromAgentTable})
	}
	rule, _ := agent.Rule(of)
	s.Apply(core.RuleSet{Rule: rule})
	return s
}

// TestAFunctionResponseIsNoTurn checks that a user record with only a function's response starts no turn: Gemini CLI
// has written one after each call since June 2026.
func TestAFunctionResponseIsNoTurn(t *testing.T) {
	events := eventsOf(t, agent.GeminiCLI,
		`{"sessionId":"s","projectHash":"p","startTime":"2026-06-20T10:00:00.000Z","kind":"main"}`,
		`{"id":"1","type":"user","timestamp":"2026-06-20T10:00:00.000Z","content":[{"text":"What is in it?"}]}`,
		`{"id":"2","type":"gemini","model":"gemini-3.1-pro-preview","timestamp":"2026-06-20T10:00:09.000Z","content":"","tokens":{"input":9000,"output":20},`+
			`"toolCalls":[{"id":"c","name":"read_file","args":{"file_path":"a.md"},"result":[{"functionResponse":{"id":"c","name":"read_file","response":{"output":"A list."}}}],"status":"success"}]}`,
		`{"id":"3","type":"user","timestamp":"2026-06-20T10:00:10.000Z","content":[{"functionResponse":{"id":"c","name":"read_file","response":{"output":"A list."}}}]}`,
		`{"id":"4","type":"gemini","model":"gemini-3.1-pro-preview","timestamp":"2026-06-20T10:00:19.000Z","content":"A list.","tokens":{"input":9100,"output":4}}`,
		`{"id":"5","type":"user","timestamp":"2026-06-20T10:01:00.000Z","content":[{"text":"And then?"}]}`)
	if turns := len(of[core.TurnStarted](events)); turns != 2 {
		t.Errorf("%d turns, want 2", turns)
	}
	results := 0
	for _, e := range of[core.Appended](events) {
		if e.Item.Kind == core.ToolResults {
			results++
		}
	}
	if results != 1 {
		t.Errorf("%d results, want 1", results)
	}
}

// TestDefinitionsHaveSizes checks the sizes of deferred tools by version and model, and that a definition on record
// replaces the one that was assumed.
func TestDefinitionsHaveSizes(t *testing.T) {
	for _, c := range []struct {
		version, model, tool string
		least, most          int64
	}{
		{"2.1.226", "claude-opus-5", "WebFetch", 286, 360},
		{"2.1.226", "claude-opus-5", "WebSearch", 291, 370},
		{"2.1.226", "claude-opus-5", "TaskStop", 293, 370},
		{"2.1.170", "claude-opus-4-8", "TaskStop", 200, 270},
		{"2.1.226", "claude-opus-5", "ExitPlanMode", 861, 930},
		{"2.1.209", "claude-sonnet-5", "WebFetch", 679, 820},
		{"2.1.161", "claude-sonnet-4-6", "TaskCreate", 681, 750},
		{"2.1.400", "claude-opus-5", "SendMessage", 2116, 2180},
		{"2.1.226", "claude-opus-5", "mcp__db__query", 650, 650},
	} {
		f := claudeFile{version: c.version}
		f.says("Look it up.")
		f.calls(1, 20_000, 1, "ToolSearch", `{"query":"select"}`)
		model := strings.Replace(f.records[len(f.records)-1], "claude-opus-4-6", c.model, 1)
		f.records[len(f.records)-1] = model
		f.add("", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"`+c.tool+`"}]}]}`)
		items := of[core.Appended](f.events(t))
		if got := items[len(items)-1].Item.Tokens; got < c.least || got > c.most {
			t.Errorf("%s of %s with %s has %d tokens, want %d to %d", c.tool, c.version, c.model, got, c.least, c.most)
		}
	}
}

// TestADefinitionOnRecordReplacesTheAssumedOne checks the record of the definitions that were loaded: it gives the
// size, and the tool is in one row only.
func TestADefinitionOnRecordReplacesTheAssumedOne(t *testing.T) {
	const query = `"name":"mcp__db__query","description":"Runs a query.","input_schema":{"type":"object"},"defer_loading":true`
	f := claudeFile{version: "2.1.332"}
	f.says("Look it up.")
	f.calls(1, 20_000, 1, "ToolSearch", `{"query":"select:mcp__db__query"}`)
	f.add("", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"mcp__db__query"}]}]}`)
	f.records = append(f.records, `{"type":"api-request-shape","sessionId":"s","isSidechain":false,"shape":{"system":[],"tools":[`+
		`{"name":"Read","description":"Reads.","input_schema":{"type":"object"}},{"name":"DeferredToolPlaceholder","description":"None.","input_schema":{},"defer_loading":true},{`+query+`}]}}`)
	f.add("", "attachment", `"attachment":{"type":"deferred_tools_record","entries":[{`+query+`}]}`)
	events := f.events(t)
	replaced := of[core.Replaced](events)
	if len(replaced) == 0 || !strings.Contains(string(replaced[0].Item.Text), "Runs a query.") {
		t.Errorf("replaced are %+v", replaced)
	}
	for _, known := range of[core.PrefixKnown](events) {
		for _, p := range known.Parts {
			if l := p.Label.String(); l == "mcp__db__query" || l == "DeferredToolPlaceholder" {
				t.Errorf("%s is told as part of the prefix", l)
			}
		}
	}
	if skipped := of[core.Skipped](events); len(skipped) > 0 {
		t.Errorf("skipped: %+v", skipped)
	}
	if used := sessionOf(events).Reading().Used; used < 20_020 || used > 20_250 {
		t.Errorf("used is %d, want the prompt, its answer and the definition", used)
	}
}

// TestAttachmentsAreSentOrSilent checks what Claude Code sends of attachments that have no text of their own, and that
// records without a meaning for the context raise no warning.
func TestAttachmentsAreSentOrSilent(t *testing.T) {
	for attachment, want := range map[string]int64{
		`{"type":"directory","path":"/home/ada/shop","content":"a.md\nb.md","displayPath":"shop"}`:                                  90,
		`{"type":"plan_mode_reentry","planFilePath":"/home/ada/plan.md"}`:                                                           320,
		`{"type":"workflow_keyword_request"}`:                                                                                       61,
		`{"type":"ultra_effort_enter","reminderType":"full"}`:                                                                       117,
		`{"type":"ultra_effort_enter","reminderType":"sparse"}`:                                                                     43,
		`{"type":"ultra_effort_exit"}`:                                                                                              44,
		`{"type":"read_truncation_notice","banner":"Only the first 200 of 4,000 lines are shown."}`:                                 25,
		`{"type":"opened_file_in_ide","filename":"/home/ada/shop/a.md"}`:                                                            45,
		`{"type":"async_hook_response","response":{"hookSpecificOutput":{"additionalContext":"Lint passed on all of the files."}}}`: 20,
		`{"type":"async_hook_response","response":{},"stderr":"no"}`:                                                                0,
	} {
		f := claudeFile{version: "2.1.226"}
		f.says("Hello.")
		before := len(of[core.Appended](f.events(t)))
		f.add("", "attachment", `"attachment":`+attachment)
		f.records = append(f.records, `{"type":"bridge-session","sessionId":"s"}`, `{"type":"frame-link","sessionId":"s"}`, `{"type":"tools-used","sessionId":"s"}`)
		events := f.events(t)
		if skipped := of[core.Skipped](events); len(skipped) > 0 {
			t.Errorf("%s: skipped %+v", attachment, skipped)
		}
		tokens := int64(0)
		for _, e := range of[core.Appended](events)[before:] {
			if tokens += max(e.Item.Tokens, 0) + e.Item.Wrapping; e.Item.Tokens == core.Unknown {
				tokens += int64(len(e.Item.Text)) / 4
			}
		}
		if tokens < want*8/10 || tokens > want*14/10 {
			t.Errorf("%s: %d tokens, want about %d", attachment, tokens, want)
		}
	}
}

func codexRecord(kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-07-20T10:00:00.000Z","type":%q,"payload":%s}`, kind, payload)
}

// TestALongOutputIsSentShorter checks that Codex sends at most 12,000 tokens of four bytes of an output: the record of
// wait has all of it.
func TestALongOutputIsSentShorter(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 5_000) // 80,000 bytes
	for name, c := range map[string]struct {
		output      string
		least, most int
	}{
		"a text":           {`"` + long + `"`, 48_000, 48_100},
		"a list":           {`[{"type":"input_text","text":"Done."},{"type":"input_text","text":"` + long + `"},{"type":"input_text","text":"` + long + `"}]`, 48_000, 48_100},
		"a text that fits": {`"` + long[:48_000] + `"`, 48_000, 48_000},
	} {
		events := eventsOf(t, agent.Codex,
			codexRecord("session_meta", `{"id":"s","cli_version":"0.146.0","cwd":"/home/ada"}`),
			codexRecord("response_item", `{"type":"function_call","name":"wait","arguments":"{\"max_tokens\":30000}","call_id":"c"}`),
			codexRecord("response_item", `{"type":"function_call_output","call_id":"c","output":`+c.output+`}`))
		items := of[core.Appended](events)
		if n := len(items[len(items)-1].Item.Text); n < c.least || n > c.most {
			t.Errorf("%s: %d bytes are counted, want %d to %d", name, n, c.least, c.most)
		}
	}
}

// TestAMessageOfAnotherAgentIsSent checks messages between Codex's agents. One that comes while the model reasons is
// part of the request that is measured next.
func TestAMessageOfAnotherAgentIsSent(t *testing.T) {
	message := codexRecord("response_item", `{"type":"agent_message","author":"/root/review","recipient":"/root","content":[{"type":"input_text","text":"Nothing to mend."}]}`)
	for name, c := range map[string]struct {
		before  string
		through int
	}{
		"after reasoning":   {codexRecord("response_item", `{"type":"reasoning","encrypted_content":"abcdefgh"}`), 2},
		"after its results": {codexRecord("response_item", `{"type":"function_call","name":"exec","arguments":"{}","call_id":"c"}`), 0},
	} {
		events := eventsOf(t, agent.Codex,
			codexRecord("session_meta", `{"id":"s","cli_version":"0.146.0","cwd":"/home/ada"}`), c.before, message,
			codexRecord("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Good."}]}`),
			codexRecord("event_msg", `{"type":"token_count","info":{"last_token_usage":{"input_tokens":9000,"output_tokens":5},"total_token_usage":{"total_tokens":9005}}}`))
		if skipped := of[core.Skipped](events); len(skipped) > 0 {
			t.Errorf("%s: skipped %+v", name, skipped)
		}
		if m := of[core.Metered](events); len(m) != 1 || m[0].Through != c.through {
			t.Errorf("%s: measured are %+v, want one through %d", name, m, c.through)
		}
	}
}

// TestCopilotBeforeItsFirstRecord checks that what is recorded of a session of Copilot CLI before 1.0.102 is marked as
// a part, because the system prompt and the tools are not on record.
func TestCopilotBeforeItsFirstRecord(t *testing.T) {
	start := copilotEvent("session.start", `{"sessionId":"s","copilotVersion":"1.0.60","selectedModel":"claude-sonnet-4.6","context":{"cwd":"/home/ada/shop"}}`)
	user := copilotEvent("user.message", `{"content":"Why does it fail, and where?"}`)
	s := sessionOf(eventsOf(t, agent.CopilotCLI, start, user))
	s.Apply(core.LimitsKnown{Limits: core.Limits{Window: 200_000, Input: core.Unknown, Output: core.Unknown}, Source: core.FromAgent})
	r := s.Reading()
	if r.Display.Mark != "≥" || !strings.HasPrefix(r.Display.Number, "≥") || r.High < 200_000 || r.Low > r.Used {
		t.Errorf("shown is %q: %d, %d to %d", r.Display.Number, r.Used, r.Low, r.High)
	}
	s = sessionOf(eventsOf(t, agent.CopilotCLI, start, copilotEvent("system.message", `{"content":"`+strings.Repeat("You help. ", 800)+`"}`), user))
	r = s.Reading()
	if r.Display.Mark != "~" || r.Used < 5_000 || r.High > 30_000 {
		t.Errorf("with its system prompt shown is %q: %d, %d to %d", r.Display.Number, r.Used, r.Low, r.High)
	}
	s = sessionOf(eventsOf(t, agent.CopilotCLI, start, user, copilotEvent("session.shutdown", `{"currentTokens":11468,"systemTokens":6657,"conversationTokens":90,"toolDefinitionsTokens":4721}`)))
	if r = s.Reading(); r.Display.Mark == "≥" || r.Used != 11_468 {
		t.Errorf("after its own count shown is %q: %d", r.Display.Number, r.Used)
	}
}

// TestToolsWithoutARecordAreMissing checks that a first number without the tools is marked as a part, and that one with
// the recorded tools is an estimate, with a range around their unrecorded parameters.
func TestToolsWithoutARecordAreMissing(t *testing.T) {
	const missing = "the tools of the first prompt are not recorded"
	for _, of := range []string{agent.OpenHands, agent.Hermes} {
		session := `{"by":"` + of + `","is":"session","window":200000}`
		system := `{"by":"` + of + `","is":"context","kind":"system","parts":[{"label":"System prompt","text":"` + strings.Repeat("You help. ", 800) + `"}]}`
		user := `{"by":"` + of + `","is":"item","kind":"user","key":"1","text":"Which teas?","turn":true}`
		r := sessionOf(eventsOf(t, of, session, system, user)).Reading()
		if r.Display.Mark != "≥" || r.RangeCause.String() != missing || r.High < 200_000 || r.Low > r.Used {
			t.Errorf("%s: shown is %q: %d, %d to %d, because %q", of, r.Display.Number, r.Used, r.Low, r.High, r.RangeCause)
		}
		if d := r.Display; d.Free != "≤198k" || !strings.HasPrefix(d.PercentLeft, "≤9") || d.Left != "" && !strings.HasPrefix(d.Left, "≤") {
			t.Errorf("%s: left are %q, %q and %q", of, d.Free, d.PercentLeft, d.Left)
		}
		tools := `{"by":"` + of + `","is":"context","kind":"tools","parts":[{"label":"terminal","tool":{"name":"terminal","description":"` + strings.Repeat("It runs. ", 400) + `"}},
			{"label":"Parameters","tokens":1200,"reference":true}]}`
		with := sessionOf(eventsOf(t, of, session, system, tools, user)).Reading()
		if with.Display.Mark != "~" || with.Used < r.Used+2_000 || with.High < with.Used+100 || with.Low > with.Used-100 || with.High > 2*with.Used {
			t.Errorf("%s with tools: shown is %q: %d, %d to %d; without %d", of, with.Display.Number, with.Used, with.Low, with.High, r.Used)
		}
		measured := sessionOf(eventsOf(t, of, session, system, user, `{"by":"`+of+`","is":"usage","id":"a","in":9000,"out":10}`)).Reading()
		if measured.Display.Mark == "≥" {
			t.Errorf("%s: a measured number is marked as a part", of)
		}
	}
	for format, want := range map[string]bool{"": true, "tool": true, "markdown": false, "xml": false} {
		rule, _ := agent.Rule(agent.Installation{Agent: agent.GPTMe, Setting: func(name string) string {
			if name == "chat.tool_format" {
				return format
			}
			return ""
		}})
		if rule.First.ToolsHidden != want {
			t.Errorf("gptme with the format %q: its tools are hidden: %v", format, !want)
		}
	}
}

// TestATableMakesTheFirstNumber checks that before the first measurement the sizes of the table are part of the number,
// whether the model is known or not, and that they change nothing afterwards.
func TestATableMakesTheFirstNumber(t *testing.T) {
	f := claudeFile{version: "2.1.217"}
	f.says("Hello.")
	r := sessionOf(f.events(t)).Reading()
	if r.Basis != core.Estimated || r.Used < 25_000 || r.Used > 55_000 || r.Low >= r.Used || r.High <= r.Used {
		t.Errorf("before the first request %d is shown, %d to %d, %v", r.Used, r.Low, r.High, r.Basis)
	}
	sum := int64(0)
	for _, row := range r.Breakdown {
		sum += row.Tokens
	}
	if sum != r.Used {
		t.Errorf("rows sum to %d, used is %d", sum, r.Used)
	}
	f.calls(1, 12_345, 1, "Read", `{"file_path":"/a"}`)
	if r = sessionOf(f.events(t)).Reading(); r.LastRequest.In != 12_345 || r.Used > 12_500 {
		t.Errorf("after it %d is shown", r.Used)
	}
}

// TestACompressedRangeIsNotSent checks the tool by which a plugin of OpenCode lets the model replace messages by a
// summary.
func TestACompressedRangeIsNotSent(t *testing.T) {
	long := strings.Repeat("A line of a long file that nobody needs again. ", 400)
	message := func(n int, role, rest, parts string) string {
		return fmt.Sprintf(`{"info":{"id":"msg_%d","role":%q,"time":{"created":17779090731%02d}%s},"parts":[%s]}`, n, role, n, rest, parts)
	}
	answer := func(n, in int, parts string) string {
		return message(n, "assistant", fmt.Sprintf(`,"modelID":"gpt-5.4","providerID":"openai","agent":"build","tokens":{"input":%d,"output":20,"reasoning":0,"cache":{"read":0,"write":0}}`, in), parts)
	}
	call := func(n int, tool, input, output string) string {
		return fmt.Sprintf(`{"id":"prt_%d","messageID":"msg_%d","type":"tool","tool":%q,"callID":"c%d","state":{"status":"completed","input":%s,"output":%q,"time":{"start":1,"end":2}}}`, n, n, tool, n, input, output)
	}
	text := func(n int, words string) string {
		return fmt.Sprintf(`{"id":"prt_%d","messageID":"msg_%d","type":"text","text":%q}`, n, n, words)
	}
	export := func(input string) string {
		return `{"info":{"id":"ses_1","version":"1.18.34","directory":"/home/ada"},"messages":[` + strings.Join([]string{
			message(1, "user", "", text(1, "Read it.")),
			answer(2, 8000, call(2, "read", `{"filePath":"a.md"}`, long)),
			answer(3, 12_500, call(3, "read", `{"filePath":"b.md"}`, long)),
			answer(4, 17_000, call(4, "compress", `{"topic":"Reading","content":`+input+`}`, "Compressed.")),
			message(5, "user", "", text(5, "And now?")),
		}, ",") + `]}`
	}
	content := func(start, end, summary string) string {
		return `{"startId":"` + start + `","endId":"` + end + `","summary":"` + summary + `"}`
	}
	const summary = "Both files have long lines."
	type sizes struct{ least, most int64 }
	whole, later, none := sizes{7_900, 8_400}, sizes{11_500, 13_500}, sizes{17_000, 17_400}
	for input, want := range map[string]sizes{
		"[" + content("m0001", "m0003", summary) + "]":                                            whole,
		"[" + content("m0003", "m0003", summary) + "]":                                            later,
		"[" + content("m0009", "m0003", summary) + "]":                                            none,
		"[" + content("x", "m0003", summary) + "]":                                                none,
		content("m0001", "m0003", summary):                                                        whole,
		content("b1", "m0003", summary):                                                           whole,
		content("m0003", "m0002", summary):                                                        none,
		content("m0001", "m0004", summary):                                                        none,
		content("m0001", "m0003", ""):                                                             none,
		"[" + content("m0001", "m0002", summary) + "," + content("m0003", "m0003", summary) + "]": {8_000, 13_500},
	} {
		if used := sessionOf(eventsOf(t, agent.OpenCode, export(input))).Reading().Used; used < want.least || used > want.most {
			t.Errorf("after %s used is %d, want %d to %d", input, used, want.least, want.most)
		}
	}
}

// TestAChangedSkillListsSkillsAgain checks that versions before 2.1.100 are expected to send the list of skills again
// after one of them was written. Its length is not recorded, so the range covers short and long lists.
func TestAChangedSkillListsSkillsAgain(t *testing.T) {
	edit := `{"file_path":"/home/ada/.claude/skills/cook/SKILL.md","old_string":"a","new_string":"b"}`
	f := claudeFile{version: "2.1.79"}
	f.says("Mend the skill.")
	f.result(f.calls(1, 20_000, 1, "Edit", edit), 1)
	f.result(f.calls(2, 22_350, 2, "Edit", edit), 2)
	s := sessionOf(f.events(t))
	r := s.Reading()
	if left := r.Used - 22_350; left < 1_500 || left > 2_450 || r.Low > 22_350+500 || r.High < 22_350+2_300 {
		t.Errorf("after a second change %d more tokens are expected, %d to %d", left, r.Low, r.High)
	}
	f.version = "2.1.226"
	f.records = nil
	f.says("Mend the skill.")
	f.result(f.calls(1, 20_000, 1, "Edit", edit), 1)
	if used := sessionOf(f.events(t)).Reading().Used; used > 20_200 {
		t.Errorf("a version that records the list expects %d", used)
	}
}

// TestTheModelIsKnownBeforeItsResponse checks the attachments that name the model: the table and the window are then
// those of the model, and memory files are on record.
func TestTheModelIsKnownBeforeItsResponse(t *testing.T) {
	for attachment, version := range map[string]string{
		`{"type":"model","identity":{"modelId":"claude-sonnet-5"},"text":"You are."}`: "2.1.332",
		`{"type":"command_permissions","allowedTools":[],"model":"claude-sonnet-5"}`:  "2.1.224",
		`{"type":"command_permissions","allowedTools":[],"model":"sonnet"}`:           "2.1.225",
	} {
		f := claudeFile{version: version}
		f.says("Hello.")
		f.add("", "attachment", `"attachment":`+attachment)
		s := sessionOf(f.events(t))
		want := "claude-sonnet-5"
		if version == "2.1.225" {
			want = ""
		}
		if s.Model != want {
			t.Errorf("%s: the model is %q, want %q", attachment, s.Model, want)
		}
		if r := s.Reading(); want != "" && (r.Limit != 1_000_000 || r.Used < 30_000) {
			t.Errorf("%s: shown is %d of %d", attachment, r.Used, r.Limit)
		}
	}
}

// TestTokensInMayIncludeTheCache checks the prompt of a request of Cline and its relatives: tokensIn includes what the
// cache read since Roo Code 3.29.5 and Kilo Code 4.119.0, and for the providers that report everything.
func TestTokensInMayIncludeTheCache(t *testing.T) {
	const before, between, after = 1_761_955_199_999, 1_762_905_599_999, 1_762_905_600_000
	for _, c := range []struct {
		agent, provider, protocol string
		at, tokensIn, want        int64
	}{
		{agent.Cline, "anthropic", "", after, 5000, 6000},
		{agent.Cline, "openai", "", before, 5000, 5000},
		{agent.Cline, "openai", "", before, 400, 1400}, // the cache cannot be larger than the prompt
		{agent.RooCode, "anthropic", "anthropic", before, 5000, 6000},
		{agent.RooCode, "openai", "openai", before, 5000, 5000},
		{agent.RooCode, "anthropic", "anthropic", between, 5000, 5000},
		{agent.RooCode, "anthropic", "anthropic", after, 400, 1400},
		{agent.KiloCode, "anthropic", "anthropic", between, 5000, 6000},
		{agent.KiloCode, "anthropic", "anthropic", after, 5000, 5000},
	} {
		protocol := ""
		if c.protocol != "" {
			protocol = `,\"apiProtocol\":\"` + c.protocol + `\"`
		}
		events := eventsOf(t, c.agent,
			fmt.Sprintf(`{"table":"task","id":"1","workspace":"/home/ada","sent":false,"model":"m","provider":%q}`, c.provider),
			fmt.Sprintf(`{"ts":%d,"type":"say","say":"api_req_started","text":"{\"tokensIn\":%d,\"tokensOut\":9,\"cacheReads\":1000,\"cacheWrites\":0%s}"}`, c.at, c.tokensIn, protocol))
		if m := of[core.Metered](events); len(m) != 1 || m[0].In != c.want {
			t.Errorf("%s of %s at %d: %d tokens are told as %+v, want %d", c.agent, c.provider, c.at, c.tokensIn, m, c.want)
		}
	}
}

// TestARewindOfPiRemovesTheItemsBehindItsParent checks from which item a prompt removes the others, by its parent.
func TestARewindOfPiRemovesTheItemsBehindItsParent(t *testing.T) {
	record := func(kind, id, parent, rest string) string {
		return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%q,"timestamp":"2026-03-02T09:00:00.000Z"%s}`, kind, id, parent, rest)
	}
	records := []string{
		`{"type":"session","version":3,"id":"s","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/ada/shop"}`,
		record("model_change", "a", "", `,"provider":"openai","modelId":"gpt-5.5"`),
		record("thinking_level_change", "b", "a", `,"thinkingLevel":"high"`),
	}
	said := func(id, parent, role string) string {
		return record("message", id, parent, `,"message":{"role":"`+role+`","content":[{"type":"text","text":"Teas."}]}`)
	}
	talk := append(slices.Clone(records), said("c", "b", "user"), said("d", "c", "assistant"))
	for _, c := range []struct {
		name    string
		records []string
		want    string
	}{
		{"after the last item", append(slices.Clone(talk), said("e", "d", "user")), "[]"},
		{"after the first item", append(slices.Clone(talk), said("e", "c", "user")), "[{1}]"},
		{"before the first item", append(slices.Clone(talk), said("e", "b", "user")), "[{0}]"},
		{"before there is an item", append(slices.Clone(records), said("e", "a", "user")), "[]"},
	} {
		if got := fmt.Sprint(of[core.Truncated](eventsOf(t, agent.Pi, c.records...))); got != c.want {
			t.Errorf("%s: removed are the items from %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGptmesPromptNamesVersionModelAndWindow checks what is read of the parts of gptme's system prompt.
func TestGptmesPromptNamesVersionModelAndWindow(t *testing.T) {
	const head = "You are gptme v0.31.0, a general-purpose assistant.\\n"
	for content, want := range map[string]string{
		head: "gptme 0.31.0; ",
		head + "Currently using model: gpt-5.5\\nMore":                         "gptme 0.31.0; model gpt-5.5 of ; ",
		head + "Currently using model: openai/gpt-5.5\\nMore":                  "gptme 0.31.0; model gpt-5.5 of openai; ",
		head + "Currently using model: openrouter/anthropic/claude-sonnet-5":   "gptme 0.31.0; model claude-sonnet-5 of openrouter; ",
		head + "Currently using model: local/qwen3":                            "gptme 0.31.0; model qwen3 of ; ",
		head + "Currently using model: none of them/at all":                    "gptme 0.31.0; ",
		head + strings.Repeat("x", 1000) + "Currently using model: gpt-5.5\\n": "gptme 0.31.0; ",
		"You are gptme v" + strings.Repeat("1", 70) + ", an assistant.":        "",
		"You are an assistant.":                                                "",
		"<budget:token_budget>200000</budget:token_budget>":                    "window 200000; ",
		"<budget:token_budget>200k":                                            "window 200000; ",
		"<budget:token_budget>all</budget:token_budget>":                       "",
	} {
		got := ""
		for _, e := range eventsOf(t, agent.GPTMe, `{"role":"system","content":"`+content+`","timestamp":"2026-06-01T09:00:00"}`) {
			switch e := e.(type) {
			case core.AgentSeen:
				if e.Version != "" {
					got += fmt.Sprintf("%s %s; ", e.Agent, e.Version)
				}
			case core.ModelSet:
				got += fmt.Sprintf("model %s of %s; ", e.Model, e.Provider)
			case core.LimitsKnown:
				got += fmt.Sprintf("window %d; ", e.Limits.Window)
			}
		}
		if got != want {
			t.Errorf("%.60q: %q, want %q", content, got, want)
		}
	}
}

// TestToolsOfServersAreNamedByTheirServer checks the definitions of tools that Codex records.
func TestToolsOfServersAreNamedByTheirServer(t *testing.T) {
	tools := codexRecord("response_item", `{"type":"additional_tools","tools":[{"name":"shell","description":"Runs."},{"name":"mcp__git","tools":[{"name":"log","description":"Logs."}]},{"name":"web","tools":[{"name":"run","description":"Opens."}]}]}`)
	got := ""
	for _, e := range of[core.ContextSet](eventsOf(t, agent.Codex, codexRecord("turn_context", `{"cwd":"/w","model":"gpt-5.5"}`), tools)) {
		for _, p := range e.Parts {
			got += fmt.Sprintf("%s %s; ", e.Kind, p.Label)
		}
	}
	if got != "tools shell; tools run; mcpTools mcp__git.log; " {
		t.Errorf("found %s", got)
	}
}

// TestRareRecordsBecomeItems checks records that the fixtures of the agents lack.
func TestRareRecordsBecomeItems(t *testing.T) {
	pi := func(message string) string {
		return `{"type":"message","id":"a","parentId":null,"message":{` + message + `}}`
	}
	qwen := func(parts string) string {
		return `{"uuid":"q1","parentUuid":null,"sessionId":"s","timestamp":"2026-05-02T10:02:00.000Z","type":"user","cwd":"/w","version":"0.24.4","message":{"role":"user","parts":[` + parts + `]}}`
	}
	row := func(kind, data string) []string {
		return []string{`{"table":"session_message","id":"msg_01","session_id":"s","type":"` + kind + `","seq":0,"data":{"time":{"created":1791500531000},` + data + `}}`}
	}
	result := func(state string) []string {
		return row("assistant", `"model":{"id":"gpt-5.4","providerID":"openai"},"content":[{"type":"tool","id":"c","name":"bash","state":{`+state+`,"input":{"command":"ls"}}}]`)
	}
	const bash = `toolCalls bash {"command":"ls"}`
	for _, c := range []struct {
		agent   string
		records []string
		want    []string
	}{
		{
			agent.OpenCode, row("user", `"text":"Look.","skills":[{"name":"sums","text":"Sum first."},{"name":"empty","text":""}],"files":[{"name":"a.md","mime":"text/plain","data":"VHdvIHRlYXMu"},`+
				`{"name":"shop","mime":"application/x-directory","data":"YS5tZA=="},{"name":"b.png","mime":"image/png","data":"AAAA"},{"name":"c.pdf","mime":"application/pdf","data":"AAAA"},{"name":"d.zip","mime":"application/zip","data":"AAAA"}]`),
			[]string{"skills  Sum first.", "user  Look.", "user  a.md\nTwo teas.", "user  shop\na.md", "media  ", "media  "},
		},
		{agent.OpenCode, row("synthetic", `"text":"Continue."`), []string{"user  Continue."}},
		{agent.OpenCode, row("system", `"text":"You are."`), []string{"system  You are."}},
		{agent.OpenCode, row("skill", `"text":"Sum first."`), []string{"skills  Sum first."}},
		{agent.OpenCode, row("location-switched", `"location":{"directory":"/w"}`), []string{"user  /w"}},
		{agent.OpenCode, row("shell", `"command":"ls","output":{"output":"a.md"}`), []string{"toolResults  ls\na.md"}},
		{agent.OpenCode, result(`"status":"completed","content":[{"type":"text","text":"a.md "},{"type":"text","text":"b.md"}],"output":"kept"`), []string{bash, "toolResults bash a.md b.md"}},
		{agent.OpenCode, result(`"status":"completed","content":[],"output":"kept"`), []string{bash, "toolResults bash "}},
		{agent.OpenCode, result(`"status":"completed","output":"a.md"`), []string{bash, "toolResults bash a.md"}},
		{agent.OpenCode, result(`"status":"error","error":{"message":"No. "},"output":"a.md"`), []string{bash, "toolResults bash No. a.md"}},
		{agent.OpenCode, result(`"status":"error","error":{"message":"No. "},"content":[{"type":"text","text":"a.md"}]`), []string{bash, "toolResults bash No. a.md"}},
		{agent.OpenCode, result(`"status":"streaming"`), nil},
		{agent.Codex, []string{codexRecord("response_item", `{"type":"agent_message","author":"tester","content":[{"type":"input_text","text":"Done."}]}`)}, []string{"user  Done."}},
		{agent.Codex, []string{codexRecord("response_item", `{"type":"agent_message","author":"tester","content":[{"encrypted_content":"AAAA"}]}`)}, []string{"user  "}},
		{agent.Codex, []string{codexRecord("response_item", `{"type":"agent_message","author":"tester","content":[]}`)}, nil},
		{agent.Codex, []string{codexRecord("response_item", `{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}`)}, []string{"media  "}},
		{agent.Codex, []string{codexRecord("response_item", `{"type":"web_search_call","action":{"query":"teas"}}`)}, []string{`toolCalls web_search_call {"query":"teas"}`}},
		{agent.Codex, []string{codexRecord("compacted", `{"message":"","replacement_history":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two."}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"Which teas?"}]},{"type":"compaction","encrypted_content":"AAAA"}]}`)}, []string{"user  Which teas?", "summary  "}},
		{agent.Pi, []string{pi(`"role":"custom","content":[{"type":"text","text":"Lint passed."}]`)}, []string{"user  Lint passed."}},
		{agent.Pi, []string{pi(`"role":"hookMessage","content":"Lint passed."`)}, []string{"user  Lint passed."}},
		{agent.Pi, []string{pi(`"role":"branchSummary","summary":"Two teas."`)}, []string{"summary  Two teas."}},
		{agent.Pi, []string{pi(`"role":"compactionSummary","summary":"Two teas."`)}, []string{"summary  Two teas."}},
		{agent.Pi, []string{pi(`"role":"bashExecution","command":"ls","output":"a.md"`)}, []string{"toolResults  ls\na.md"}},
		{agent.Pi, []string{pi(`"role":"bashExecution","command":"ls","output":"a.md","excludeFromContext":true`)}, nil},
		{agent.QwenCode, []string{qwen(`{"text":"Look."},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`)}, []string{"user  Look.", "media  "}},
		{agent.QwenCode, []string{qwen(`{"functionResponse":{"id":"c","name":"ls","response":{"output":["a.md",1],"error":"none"}}}`)}, []string{`toolResults ls ["a.md",1]none`}},
		{
			agent.GeminiCLI,
			[]string{`{"sessionId":"s","projectHash":"p","startTime":"2026-05-02T10:00:00.000Z","messages":[{"id":"m1","timestamp":"2026-05-02T10:00:01.000Z","type":"user","content":[{"text":"Look."},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}]}`},
			[]string{"user  Look.", "media  "},
		},
		{
			agent.MiniSWEAgent,
			[]string{
				`{"object":"response","id":"r","model":"gpt-5.4","created_at":1773512674,"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},{"type":"function_call","call_id":"c","name":"bash","arguments":"{}"}],"usage":{"input_tokens":400,"output_tokens":20},"extra":{}}`,
				`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"a.md "},{"type":"input_text","text":"b.md"}],"extra":{}}`,
			},
			[]string{"assistant  I look.", "toolCalls bash {}", "toolResults bash a.md b.md"},
		},
	} {
		if got := itemsOf(t, c.agent, c.records...); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.records, c.agent, got, c.want)
		}
	}
}
