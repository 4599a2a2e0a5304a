// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

func copilotEvent(kind, data string) string {
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e","timestamp":"2026-11-03T10:00:00.000Z","parentId":"p"}`, kind, data)
}

const copilotUsed = `{"usage":{"model":"claude-opus-5","inputTokens":20000,"outputTokens":300,"cacheReadTokens":12000,"cacheWriteTokens":0,` +
	`"maxPromptTokens":168000,"maxOutputTokens":32000,"toolTokenCount":5400,"apiCallId":"c1"},"accounting":{"sequence":1}}`

// TestCopilotRecordsWhatTheProviderMeasured checks that from 1.0.102 on every request is measured, whether its record
// comes before or after its response. Another request's usage, such as a summary's, is not in the window.
func TestCopilotRecordsWhatTheProviderMeasured(t *testing.T) {
	start := copilotEvent("session.start", `{"sessionId":"s","copilotVersion":"1.0.102","context":{"cwd":"/home/ada/shop"}}`)
	user := copilotEvent("user.message", `{"content":"Why?"}`)
	answer := copilotEvent("assistant.message", `{"messageId":"m1","model":"claude-opus-5","content":"I will look.","toolRequests":[],"apiCallId":"c1"}`)
	usage := copilotEvent("session.usage_record", copilotUsed)
	for name, records := range map[string][]string{
		"behind": {start, user, answer, usage}, "before": {start, user, usage, answer},
	} {
		events := eventsOf(t, agent.CopilotCLI, records...)
		m := of[core.Metered](events)
		if len(m) != 1 || m[0].In != 20_000 || m[0].Out != 300 || m[0].CacheRead != 12_000 || m[0].Own {
			t.Errorf("%s: measured are %+v", name, m)
		}
		if w := of[core.Warned](events); len(w) > 0 {
			t.Errorf("%s: %+v", name, w)
		}
		if k := of[core.PrefixKnown](events); len(k) != 1 || k[0].Kind != core.Tools || k[0].Parts[0].Tokens != 5400 {
			t.Errorf("%s: known of the prefix is %+v", name, k)
		}
		s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
		for _, e := range events {
			s.Apply(e)
		}
		if r := s.Reading(); r.Used != 20_300 || r.LastRequest == nil {
			t.Errorf("%s: used is %d, want the prompt and its answer", name, r.Used)
		}
	}
	if m := of[core.Metered](eventsOf(t, agent.CopilotCLI, start, user, usage)); len(m) != 0 {
		t.Errorf("the usage of a request without an answer is in the window: %+v", m)
	}
}

// TestTheInputOfCopilotIncludesItsCache checks prompts of which some, all or more than all tokens were cached: only the
// last kind was recorded without the cache.
func TestTheInputOfCopilotIncludesItsCache(t *testing.T) {
	for _, c := range []struct {
		usage string
		want  int64
	}{
		{`"inputTokens":20000,"cacheReadTokens":12000,"cacheWriteTokens":7999`, 20_000},
		{`"inputTokens":20000,"cacheReadTokens":12000,"cacheWriteTokens":8000`, 20_000},
		{`"inputTokens":20000,"cacheReadTokens":12000,"cacheWriteTokens":8001`, 40_001},
		{`"inputTokens":0,"cacheReadTokens":12000`, 12_000},
		{`"inputTokens":20000`, 20_000},
		{`"inputTokens":1`, 1},
		{`"inputTokens":0`, 0},
	} {
		in := int64(0)
		for _, m := range of[core.Metered](eventsOf(t, agent.CopilotCLI, copilotEvent("session.usage_record", `{"usage":{`+c.usage+`}}`))) {
			in = m.In
		}
		if in != c.want {
			t.Errorf("%s: the prompt has %d tokens, want %d", c.usage, in, c.want)
		}
	}
}

// TestCopilotsEstimateIsExplainedOnce checks the warning about versions that record no usage, which a host's usages
// replace.
func TestCopilotsEstimateIsExplainedOnce(t *testing.T) {
	begins := func(kind, version string) string {
		return copilotEvent("session."+kind, `{"copilotVersion":"`+version+`"}`)
	}
	store := copilotEvent("session.usage_store", `{}`)
	for _, c := range []struct {
		records []string
		want    int
	}{
		{[]string{begins("start", "1.0.101")}, 1},
		{[]string{begins("start", "1.0.101"), begins("resume", "1.0.101")}, 1},
		{[]string{begins("start", "1.0.102"), begins("resume", "1.0.102")}, 0},
		{[]string{store, begins("start", "1.0.101")}, 0},
	} {
		n := 0
		for _, w := range of[core.Warned](eventsOf(t, agent.CopilotCLI, c.records...)) {
			if w.Sentence.Is(phrase.CopilotEstimate) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%v: %d warnings, want %d", c.records, n, c.want)
		}
	}
}

// TestCopilotsCountOfASystemPromptNobodyRecorded checks 1.0.12 to 1.0.20, which record only the size of the system
// prompt.
func TestCopilotsCountOfASystemPromptNobodyRecorded(t *testing.T) {
	end := copilotEvent("session.shutdown", `{"currentTokens":12500,"systemTokens":4000,"conversationTokens":3000,"toolDefinitionsTokens":5500}`)
	said := copilotEvent("system.message", `{"role":"system","content":"You are."}`)
	for want, records := range map[string][]string{
		"system 4000; tools 5500; ": {end}, "tools 5500; ": {said, end},
	} {
		got := ""
		for _, k := range of[core.PrefixKnown](eventsOf(t, agent.CopilotCLI, records...)) {
			got += fmt.Sprintf("%s %d; ", k.Kind, k.Parts[0].Tokens)
		}
		if got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
}

// TestToolsOfOpenAIsModelsAreSmallerThanCopilotCounts checks the size of tools next to measured prompts: Copilot CLI
// counts their JSON.
func TestToolsOfOpenAIsModelsAreSmallerThanCopilotCounts(t *testing.T) {
	end := copilotEvent("session.shutdown", `{"currentTokens":15896,"systemTokens":11332,"conversationTokens":80,"toolDefinitionsTokens":4481}`)
	for _, test := range []struct {
		version, model string
		want           int64
	}{{"1.0.102", "gpt-5.4-mini", 4100}, {"1.0.102", "claude-opus-5", 4481}, {"1.0.68", "gpt-5.4-mini", 4481}} {
		start := copilotEvent("session.start", `{"sessionId":"s","copilotVersion":"`+test.version+`","selectedModel":"`+test.model+`","context":{"cwd":"/home/ada/shop"}}`)
		k := of[core.PrefixKnown](eventsOf(t, agent.CopilotCLI, start, end))
		if tools := k[len(k)-1]; tools.Kind != core.Tools || tools.Parts[0].Tokens != test.want {
			t.Errorf("%v: %+v", test, tools)
		}
	}
}

// TestToolsThatCopilotDefersAreCountedWhenTheyAreFound checks the definitions that the provider's search found.
func TestToolsThatCopilotDefersAreCountedWhenTheyAreFound(t *testing.T) {
	answer := copilotEvent("assistant.message", `{"content":"","apiCallId":"c1","toolRequests":[{"toolCallId":"t1","name":"shop-teas","arguments":{"text":"assam"}}],`+
		`"serverTools":{"provider":"openai-responses","items":[{"type":"tool_search_call","arguments":{}},{"type":"tool_search_output","tools":[{"type":"namespace","name":"shop","tools":[`+
		`{"type":"function","name":"shop-teas","description":"Lists teas.","parameters":{"type":"object","properties":{"text":{"type":"string"}}}}]}]}]}}`)
	got := itemsOf(t, agent.CopilotCLI, answer)
	if len(got) != 2 || !strings.HasPrefix(got[0], "mcpTools  ") || !strings.Contains(got[0], "// Lists teas.\ntype shop-teas") || !strings.HasPrefix(got[1], "toolCalls shop-teas") {
		t.Errorf("%q", got)
	}
}

// TestCopilotsOwnCountReplacesNoMeasuredPrompt checks the count that Copilot CLI writes when a compaction begins, and
// that a resume keeps the limits of measured requests.
func TestCopilotsOwnCountReplacesNoMeasuredPrompt(t *testing.T) {
	start := copilotEvent("session.start", `{"sessionId":"s","copilotVersion":"1.0.102","selectedModel":"claude-opus-5","contextTier":null,"context":{"cwd":"/home/ada/shop"}}`)
	usage := copilotEvent("session.usage_record", copilotUsed)
	answer := copilotEvent("assistant.message", `{"messageId":"m1","model":"claude-opus-5","content":"I will look.","toolRequests":[],"apiCallId":"c1"}`)
	begins := copilotEvent("session.compaction_start", `{"systemTokens":6900,"conversationTokens":12000,"toolDefinitionsTokens":5662}`)
	resume := copilotEvent("session.resume", `{"sessionId":"s","copilotVersion":"1.0.102","selectedModel":"claude-opus-5","contextTier":null,"context":{"cwd":"/home/ada/shop"}}`)
	s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
	for _, e := range eventsOf(t, agent.CopilotCLI, start, usage, answer, begins, resume) {
		s.Apply(e)
	}
	if r := s.Reading(); r.Used != 20_300 || r.Limit != 168_000 {
		t.Errorf("used %d of %d", r.Used, r.Limit)
	}
}

// TestUsageOfCopilotBelongsToItsResponse checks the prompt, the response and the number of items before it (- if it is
// not set) of usages that come before, after or long after their responses.
func TestUsageOfCopilotBelongsToItsResponse(t *testing.T) {
	start := copilotEvent("session.start", `{"sessionId":"s","copilotVersion":"1.0.102","context":{"cwd":"/home/ada/shop"}}`)
	user := copilotEvent("user.message", `{"content":"Why?"}`)
	answer := func(call, rest string) string {
		return copilotEvent("assistant.message", `{"model":"claude-opus-5","content":"I will look.","toolRequests":[],"apiCallId":"`+call+`"`+rest+`}`)
	}
	usage := func(call string) string {
		return copilotEvent("session.usage_record", `{"usage":{"model":"claude-opus-5","inputTokens":20000,"outputTokens":300,"apiCallId":"`+call+`"}}`)
	}
	compaction := copilotEvent("session.compaction_complete", `{"success":true,"postCompactionTokens":900}`)
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"after its response":                  {[]string{user, answer("c1", ""), usage("c1")}, "20000/300/-"},
		"before its response":                 {[]string{user, usage("c1"), answer("c1", "")}, "20000/300/1"},
		"after another message":               {[]string{user, answer("c1", ""), user, usage("c1")}, "20000/300/1"},
		"after another, with its own size":    {[]string{user, answer("c1", `,"outputTokens":40`), user, usage("c1")}, "20000/-1/1"},
		"without the id of a request":         {[]string{user, answer("c1", ""), usage("")}, "20000/300/-"},
		"of another request":                  {[]string{user, answer("c1", ""), usage("c2")}, ""},
		"of the newest of several responses":  {[]string{user, answer("c1", ""), answer("c2", ""), usage("c2")}, "20000/300/-"},
		"of the summary of a compaction":      {[]string{user, answer("c1", ""), compaction, usage("c1")}, ""},
		"of a response that four others left": {[]string{user, usage("c1"), usage("c2"), usage("c3"), usage("c4"), answer("c1", "")}, "20000/300/1"},
		"of a response that is long awaited":  {[]string{user, usage("c1"), usage("c2"), usage("c3"), usage("c4"), usage("c5"), answer("c1", "")}, ""},
		"of a response that is written twice": {[]string{user, usage("c1"), answer("c1", ""), answer("c1", "")}, "20000/300/1"},
	} {
		got := ""
		for _, m := range of[core.Metered](eventsOf(t, agent.CopilotCLI, append([]string{start}, c.records...)...)) {
			if got += fmt.Sprintf("%d/%d/", m.In, m.Out); m.ThroughSet {
				got += fmt.Sprint(m.Through)
			} else {
				got += "-"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestTheTokensOfAResponseOfCopilotAreDivided checks the parts of a response, which has one number of tokens, by their
// lengths: 30, 10 and 70 bytes.
func TestTheTokensOfAResponseOfCopilotAreDivided(t *testing.T) {
	const call = `{"toolCallId":"t1","name":"view","arguments":{"path":"aaaaaaaaaaaaa"}}`
	for tokens, want := range map[string]string{"110": "30 10 70", "11": "3 1 7", "1": "0 0 1", "0": "-1 -1 -1", "null": "-1 -1 -1"} {
		var got []string
		for _, e := range of[core.Appended](eventsOf(t, agent.CopilotCLI, copilotEvent("assistant.message", `{"reasoningText":"`+strings.Repeat("r", 30)+`","content":"`+strings.Repeat("c", 10)+`","toolRequests":[`+call+`],"outputTokens":`+tokens+`}`))) {
			got = append(got, fmt.Sprint(e.Item.Tokens))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s tokens are divided into %v, want %s", tokens, got, want)
		}
	}
}

// TestCopilotSendsEncryptedReasoningAgain checks that the first step after reasoning that is recorded with its
// encrypted content carries it, and that it leaves with its turn.
func TestCopilotSendsEncryptedReasoningAgain(t *testing.T) {
	usage := func(call string, in, out, reasoning int) string {
		return copilotEvent("session.usage_record", fmt.Sprintf(`{"usage":{"model":"gpt-5.5","inputTokens":%d,"outputTokens":%d,"reasoningTokens":%d,"cacheReadTokens":0,"cacheWriteTokens":0,"apiCallId":%q}}`, in, out, reasoning, call))
	}
	answer := func(call, more string) string {
		return copilotEvent("assistant.message", fmt.Sprintf(`{"messageId":"m","model":"gpt-5.5","content":"I look.","apiCallId":%q,%s"toolRequests":[{"toolCallId":"t%s","name":"bash","arguments":{"command":"date"}}]}`, call, more, call))
	}
	result := func(call string) string {
		return copilotEvent("tool.execution_complete", fmt.Sprintf(`{"toolCallId":"t%s","success":true,"result":{"content":"ok"}}`, call))
	}
	records := func(encrypted string) []string {
		return []string{
			copilotEvent("session.start", `{"sessionId":"s","copilotVersion":"1.0.102","context":{"cwd":"/home/ada/shop"}}`),
			copilotEvent("user.message", `{"content":"Why?"}`),
			usage("c1", 12_000, 40, 0), answer("c1", ""), result("c1"),
			usage("c2", 12_100, 1_030, 990), answer("c2", encrypted), result("c2"),
		}
	}
	plain := sessionOf(eventsOf(t, agent.CopilotCLI, records("")...)).Reading().Used
	kept := records(fmt.Sprintf(`"reasoningOpaque":"rs_1","encryptedContent":%q,`, strings.Repeat("A", 6_000)))
	if more := sessionOf(eventsOf(t, agent.CopilotCLI, kept...)).Reading().Used - plain; more != 990 {
		t.Errorf("the next prompt is longer by %d, want the reasoning", more)
	}
	next := sessionOf(eventsOf(t, agent.CopilotCLI, append(kept, copilotEvent("session.shutdown", `{}`), copilotEvent("user.message", `{"content":"And now?"}`))...)).Reading().Used
	if next > plain+100 {
		t.Errorf("%d in the next turn, and %d without reasoning", next, plain)
	}
}
