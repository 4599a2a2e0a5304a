// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestResultsOfClineAreJSON checks results of tools that ran several operations. The CLI of Cline 3.0 records them as
// objects, indented, and sends them as JSON without spaces, with their images as blocks of their own.
func TestResultsOfClineAreJSON(t *testing.T) {
	got := itemsOf(t, agent.Cline, `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read_files","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[ {
			"query": "a.go:1-2", "result": "package \"a\"\n", "success": true
		}, { "query": "b.png", "result": [{"type": "text", "text": "An image"}, {"type": "image", "data": "AAAA", "mediaType": "image/png"}], "success": true } ]}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"plain"}]}]}`)
	want := []string{
		"toolCalls read_files {}",
		`toolResults read_files [{"query":"a.go:1-2","result":"package \"a\"\n","success":true},{"query":"b.png","result":[{"type":"text","text":"An image"}],"success":true}]`,
		"media  ",
		"toolResults read_files plain",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestLongResultsOfClineAreCut checks each string of a result that is longer than 8,000 UTF-16 units: Cline sends its
// two ends. Strings of a JSON result are cut between escapes.
func TestLongResultsOfClineAreCut(t *testing.T) {
	head := `{"version":1,"updated_at":"2026-11-26T18:45:00.000Z","agent":"lead","sessionId":"s","messages":[`
	ask := `{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"run_commands","input":{"commands":["seq"]}}]},`
	answer := func(content string) []string {
		return itemsOf(t, agent.Cline, head+ask+`{"id":"m2","role":"user","content":[{"type":"tool_result","tool_use_id":"c1","name":"run_commands","content":`+content+`}]}]}`)
	}
	entry := func(result string) string { return `[{"query":"seq","result":"` + result + `","success":true}]` }
	cut := func(half, gap, removed string) string {
		return half + gap + "...[truncated " + removed + " chars]..." + gap + half
	}
	for name, test := range map[string]struct{ content, want string }{
		"the longest that is sent whole": {entry(strings.Repeat("x", 8000)), entry(strings.Repeat("x", 8000))},
		"a longer one":                   {entry(strings.Repeat("x", 21000)), entry(cut(strings.Repeat("x", 3983), `\n\n`, "13034"))},
		"one more":                       {entry(strings.Repeat("x", 8001)), entry(cut(strings.Repeat("x", 3985), `\n\n`, "31"))},
		"characters of two bytes":        {entry(strings.Repeat("é", 9000)), entry(cut(strings.Repeat("é", 3984), `\n\n`, "1032"))},
		"escapes of six bytes":           {entry(strings.Repeat(`\u00e9`, 9000)), entry(cut(strings.Repeat(`\u00e9`, 3984), `\n\n`, "1032"))},
		"escapes":                        {entry(strings.Repeat(`\n`, 9000)), entry(cut(strings.Repeat(`\n`, 3984), `\n\n`, "1032"))},
		"pairs of units":                 {entry(strings.Repeat("😀", 4500)), entry(cut(strings.Repeat("😀", 1992), `\n\n`, "1032"))},
		"characters of three bytes":      {entry(strings.Repeat("漢", 8000)), entry(strings.Repeat("漢", 8000))},
		"a text":                         {`"` + strings.Repeat(`\n`, 9000) + `"`, cut(strings.Repeat("\n", 3984), "\n\n", "1032")},
	} {
		if got := answer(test.content); len(got) != 2 || got[1] != "toolResults run_commands "+test.want {
			t.Errorf("%s: %.200q", name, got)
		}
	}
}

// TestResultsThatQwenCodeKeepsAreCounted checks calls and results in the history that a compression leaves.
func TestResultsThatQwenCodeKeepsAreCounted(t *testing.T) {
	got := itemsOf(t, agent.QwenCode, `{"uuid":"q8","parentUuid":"q7","sessionId":"s","timestamp":"2026-11-20T10:08:00.000Z","type":"system","cwd":"/home/ada/shop","version":"0.24.4","subtype":"chat_compression","systemPayload":{"info":{"originalTokenCount":74330,"newTokenCount":25000,"compressionStatus":1},"compressedHistory":[
		{"role":"user","parts":[{"text":"Summary: rounded twice."}]},{"role":"model","parts":[{"text":"Got it."}]},
		{"role":"model","parts":[{"functionCall":{"id":"c1","name":"read_file","args":{"file_path":"a.go"}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"package a"}}}]}]}}`)
	want := []string{"summary  Summary: rounded twice.", "assistant  Got it.", `toolCalls read_file {"file_path":"a.go"}`, "toolResults read_file package a"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestAResumedSessionOfGeminiCLIKeepsItsSize checks the size after a resume, which writes all messages again with calls
// and results as their parts, after masked outputs, and after a compression.
func TestAResumedSessionOfGeminiCLIKeepsItsSize(t *testing.T) {
	records := recordsOf(t, "../../testdata/sessions/gemini-cli/resumed.jsonl")
	const resumed, masked, compressed = 14, 17, 18
	sizes, leaving := map[int]int64{}, map[int]int64{}
	for _, until := range []int{resumed - 1, resumed, masked - 1, masked, compressed} {
		var lines []string
		for _, record := range records[:until] {
			lines = append(lines, string(record))
		}
		reading := sessionOf(eventsOf(t, agent.GeminiCLI, lines...)).Reading()
		sizes[until], leaving[until] = reading.Used, reading.Leaving.Tokens
	}
	if before, after := sizes[resumed-1], sizes[resumed]; before < 9200 || after < before+10 || after > before+100 {
		t.Errorf("%d after a resume, %d before it: both results are sent twice", after, before)
	}
	if before, after := sizes[masked-1], sizes[masked]; after < before-50 || after > before+50 || leaving[masked] == leaving[masked-1] {
		t.Errorf("%d after outputs were masked, %d before", after, before)
	}
	if after := sizes[compressed]; after < 7000 || after >= sizes[masked] {
		t.Errorf("%d after a compression, %d before", after, sizes[masked])
	}
}

// TestGeminiCLIWritesMessagesWithNewIDs checks that a resume which writes all messages again with new ids compacts
// nothing, and that a list without the oldest content still does.
func TestGeminiCLIWritesMessagesWithNewIDs(t *testing.T) {
	message := func(id string, i int, text string) string {
		if i%2 == 0 {
			return fmt.Sprintf(`{"id":"%s%d","timestamp":"2026-11-03T10:00:%02dZ","type":"user","content":[{"text":%q}]}`, id, i, i, text)
		}
		return fmt.Sprintf(`{"id":"%s%d","timestamp":"2026-11-03T10:00:%02dZ","type":"gemini","content":%q,"model":"gemini-3-pro-preview","tokens":{"input":%d,"output":20,"cached":0,"thoughts":0,"total":%d}}`, id, i, i, text, 9_000+100*i, 9_020+100*i)
	}
	list := func(id string, from int) (messages []string) {
		for i := from; i < 8; i++ {
			messages = append(messages, message(id, i, fmt.Sprintf("Text %d about rivers and stones.", i)))
		}
		return messages
	}
	head := `{"sessionId":"s","projectHash":"h","startTime":"2026-11-03T10:00:00Z","lastUpdated":"2026-11-03T10:00:00Z","kind":"main"}`
	lines := append([]string{head}, list("a", 0)...)
	set := func(messages []string) string { return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}` }
	before := sessionOf(eventsOf(t, agent.GeminiCLI, lines...)).Reading()
	again := sessionOf(eventsOf(t, agent.GeminiCLI, append(lines, set(list("b", 0)))...)).Reading()
	if again.Compaction.Count != 0 || again.Used != before.Used {
		t.Errorf("%d compactions, %d tokens; before the resume %d", again.Compaction.Count, again.Used, before.Used)
	}
	summary := message("b", 0, "<state_snapshot>The goal.</state_snapshot>")
	if after := sessionOf(eventsOf(t, agent.GeminiCLI, append(lines, set(append([]string{summary}, list("b", 6)...)))...)).Reading(); after.Compaction.Count != 1 {
		t.Errorf("%d compactions after a summary", after.Compaction.Count)
	}
}

// TestBaseInstructionsAreCountedForTheirModel checks the instructions of Codex, which are recorded before the model is.
func TestBaseInstructionsAreCountedForTheirModel(t *testing.T) {
	text := strings.Repeat("You are a coding agent, and you share a workspace with the user. ", 40)
	meta := codexRecord("session_meta", `{"id":"s","cwd":"/w","cli_version":"0.169.0","history_mode":"paginated","base_instructions":{"text":"`+text+`"}}`)
	turn := codexRecord("turn_context", `{"cwd":"/w","model":"gpt-5.5"}`)
	size := func(records ...string) (tokens int64, basis core.Basis) {
		for _, row := range sessionOf(eventsOf(t, agent.Codex, records...)).Reading().Breakdown {
			if row.Kind == core.System {
				return row.Tokens, row.Basis
			}
		}
		t.Fatal("no row of the instructions")
		return 0, 0
	}
	got, basis := size(meta, turn)
	want, _ := size(turn, meta)
	if got != want || basis != core.Counted {
		t.Errorf("%d tokens, %v; %d if the model is known before", got, basis, want)
	}
}

// TestASkillOfCopilotCLIIsCountedAtItsDelivery checks what Copilot CLI 1.0.102 records of a skill: its text, and then
// what surrounds it in the message to the model. Its own count at a shutdown does not replace the last measured usage.
func TestASkillOfCopilotCLIIsCountedAtItsDelivery(t *testing.T) {
	event := func(kind, data string) string {
		return `{"type":"` + kind + `","id":"e","parentId":null,"timestamp":"2026-11-26T18:44:16.113Z","data":` + data + `}`
	}
	start := event("session.start", `{"copilotVersion":"1.0.102","selectedModel":"gpt-5.5","context":{"cwd":"/w"}}`)
	invoked := event("skill.invoked", `{"name":"rounding","path":"/w/.agents/skills/rounding/SKILL.md","content":"Sum first."}`)
	delivered := event("skill.context_delivered_ref", `{"source":"skill-rounding","contentId":"sha256:1","prefix":"<skill-context name=\"rounding\">\n","suffix":"\n</skill-context>"}`)
	usage := event("session.usage_record", `{"usage":{"model":"gpt-5.5","apiCallId":"c1","inputTokens":17628,"outputTokens":79,"cacheReadTokens":0,"cacheWriteTokens":0}}`)
	answer := event("assistant.message", `{"apiCallId":"c1","content":"Done."}`)
	shutdown := event("session.shutdown", `{"currentTokens":18849,"systemTokens":6938,"conversationTokens":3765,"toolDefinitionsTokens":8143}`)
	if got, want := itemsOf(t, agent.CopilotCLI, start, invoked, delivered), []string{"skills  <skill-context name=\"rounding\">\nSum first.\n</skill-context>"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r := sessionOf(eventsOf(t, agent.CopilotCLI, start, usage, answer, shutdown)).Reading(); r.Used != 17_707 || r.LastRequest.In != 17_628 {
		t.Errorf("used %d after a request of %d", r.Used, r.LastRequest.In)
	}
}

// TestTheReminderOfQwenCodeReturnsAfterACompression checks what Qwen Code 0.24.4 was seen to send: its first message
// has a reminder that no record shows. The request after a compression is without it, and the next one has it again.
func TestTheReminderOfQwenCodeReturnsAfterACompression(t *testing.T) {
	record := func(id, parent, rest string) string {
		return `{"uuid":"` + id + `","parentUuid":` + parent + `,"sessionId":"s","timestamp":"2026-11-26T18:57:36.000Z","cwd":"/w","version":"0.24.4",` + rest + `}`
	}
	answer := func(id, parent string, in string) string {
		return record(id, parent, `"type":"assistant","model":"qwen3-coder-plus","message":{"role":"model","parts":[{"text":"Done."}]},"usageMetadata":{"promptTokenCount":`+in+`,"candidatesTokenCount":20,"totalTokenCount":0}`)
	}
	question := record("q1", "null", `"type":"user","message":{"role":"user","parts":[{"text":"Why is the total off?"}]}`)
	records := func(first, second, third string) []string {
		return []string{
			question, answer("q2", `"q1"`, first),
			record("q3", `"q2"`, `"type":"system","subtype":"chat_compression","systemPayload":{"info":{"originalTokenCount":49148,"newTokenCount":22234},"compressedHistory":[{"role":"user","parts":[{"text":"Rounded twice."}]}]}`),
			answer("q4", `"q3"`, second), answer("q5", `"q4"`, third),
		}
	}
	session := func(records ...string) *core.Session { return sessionOf(eventsOf(t, agent.QwenCode, records...)) }
	const reminder = 3_600 // more than the table has, because an MCP server adds to it
	table := session(question, answer("q2", `"q1"`, "20000"))
	known := table.TokensFrom(core.FromTable, core.System) + table.TokensFrom(core.FromTable, core.Tools)
	with, without := known+reminder+15, known+15
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	all := records(number(with), number(without), number(with))
	for i, want := range []int64{with + 20, without + 20, with + 20, with + 20} {
		if got := session(all[:2+i]...).Reading().Used; got < want-40 || got > want+40 {
			t.Errorf("%d after %d records, want %d", got, 2+i, want)
		}
	}
	for _, row := range session(all...).Reading().Breakdown {
		if row.Kind == core.Unattributed && row.Tokens > 100 || row.Kind == core.System && row.Label.Phrase.ID == phrase.System && row.Tokens < 5_700 {
			t.Errorf("row %v of %d tokens", row.Label, row.Tokens)
		}
	}
	// The second request shows how much it was without, even if there is a memory file that is not read yet.
	if got := session(records(number(with+1_000), number(without+1_000), "")[:4]...).Reading().Used; got < with+1_010 || got > with+1_030 {
		t.Errorf("%d after a compression with an unread memory file, want %d", got, with+1_020)
	}
	another := records(number(with), number(without), number(without+reminder+900))
	if got := session(append(another, record("q6", `"q5"`, `"type":"system","subtype":"chat_compression","systemPayload":{"info":{},"compressedHistory":[]}`))...).Reading().Used; got > with-reminder || got < with-reminder-1_000 {
		t.Errorf("%d after another compression", got)
	}
}

// TestTheContextOfGeminiCLIIsNotTheUsers checks the first message that Gemini CLI 0.61 records: the environment, and
// the memory files of the workspace.
func TestTheContextOfGeminiCLIIsNotTheUsers(t *testing.T) {
	message := func(text string) string {
		return `{"$set":{"messages":[{"id":"d0","timestamp":"2026-11-20T10:00:00.000Z","type":"user","content":[{"text":"` + text + `"}]}]}}`
	}
	environment, memory := `<session_context>\nToday is Friday.\n`, `<loaded_context>\nRound once.\n</loaded_context>\n</session_context>`
	for text, want := range map[string][]string{
		environment + memory:               {"system  <session_context>\nToday is Friday.\n", "memory  <loaded_context>\nRound once.\n</loaded_context>\n</session_context>"},
		environment + `</session_context>`: {"system  <session_context>\nToday is Friday.\n</session_context>"},
		`What is <session_context>?`:       {"user  What is <session_context>?"},
	} {
		if got := itemsOf(t, agent.GeminiCLI, message(text)); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
