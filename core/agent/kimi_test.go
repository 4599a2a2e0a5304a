// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

func kimiRecord(kind, members string) string {
	return `{"type":"` + kind + `",` + members + `,"time":1795719621739}`
}

func kimiMessage(text, origin string) string {
	return kimiRecord("context.append_message", `"message":{"role":"user","content":[{"type":"text","text":"`+text+`"}],"origin":{"kind":"`+origin+`"}}`)
}

func kimiRequest(tools string) string {
	return kimiRecord("llm.request", `"kind":"loop","provider":"openai","model":"gpt-5.5","toolsHash":"`+tools+`"`)
}

func kimiTable(hash string, names ...string) string {
	var tools []string
	for _, name := range names {
		tools = append(tools, `{"name":"`+name+`","description":"`+strings.Repeat(name+" handles a file of the shop. ", 20)+`","parameters":{"type":"object"}}`)
	}
	return kimiRecord("llm.tools_snapshot", `"hash":"`+hash+`","tools":[`+strings.Join(tools, ",")+`]`)
}

func kimiEvent(event string) string {
	return kimiRecord("context.append_loop_event", `"event":{`+event+`}`)
}

const kimiEnd = `"type":"step.end","usage":{"inputOther":9000,"output":40,"inputCacheRead":0,"inputCacheCreation":0},"finishReason":"tool_use"`

// TestResultsOfKimiCodeAreAsItSendsThem checks what Kimi Code adds to a result when it sends it: the wall time of some
// tools, a status if the call failed or returned nothing, and its note on a line of its own.
func TestResultsOfKimiCodeAreAsItSendsThem(t *testing.T) {
	for _, test := range []struct{ tool, result, want string }{
		{"Bash", `"output":"a\n","durationMs":1052`, "Wall time: 1.052 seconds\na\n"},
		{"mcp__shop__teas", `"output":"a","durationMs":7`, "Wall time: 0.007 seconds\na"},
		{"Read", `"output":"a","durationMs":7,"note":"1 line."`, "a\n1 line."},
		{"Bash", `"output":"gone","isError":true,"durationMs":90`, "Wall time: 0.090 seconds\n<system>ERROR: Tool execution failed.</system>\ngone"},
		{"Write", `"output":" \n"`, "<system>Tool output is empty.</system>"},
		{"Write", `"output":"","isError":true`, "<system>ERROR: Tool execution failed. Tool output is empty.</system>"},
	} {
		got := itemsOf(t, agent.KimiCode, kimiEvent(`"type":"tool.call","toolCallId":"c1","name":"`+test.tool+`","args":{}`),
			kimiEvent(`"type":"tool.result","toolCallId":"c1","result":{`+test.result+`}`))
		if want := "toolResults " + test.tool + " " + test.want; len(got) != 2 || got[1] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	old := itemsOf(t, agent.KimiCLI, `{"timestamp":1.5,"message":{"type":"ToolResult","payload":{"tool_call_id":"c1","return_value":{"is_error":true,"output":"gone"}}}}`)
	if !slices.Equal(old, []string{"toolResults  gone"}) {
		t.Errorf("Kimi CLI: %q", old)
	}
}

// TestTheFixedContextOfKimiCodeIsCountedForItsModel checks the system prompt, the tools and the messages that Kimi Code
// records before it names the model.
func TestTheFixedContextOfKimiCodeIsCountedForItsModel(t *testing.T) {
	prompt := kimiRecord("profile.bind", `"systemPrompt":"`+strings.Repeat("assam_2026-11-26T18:44:16.113Z;", 60)+`"`)
	records := []string{prompt, kimiMessage(strings.Repeat("Which teas are listed? ", 30), "user"), kimiTable("aa", "Read", "mcp__shop__teas")}
	early := sessionOf(eventsOf(t, agent.KimiCode, append(slices.Clone(records), kimiRequest("aa"))...)).Reading()
	late := sessionOf(eventsOf(t, agent.KimiCode, append([]string{kimiRequest("")}, records...)...)).Reading()
	if !reflect.DeepEqual(early.Breakdown, late.Breakdown) || early.Breakdown[1].Basis != core.Counted {
		t.Errorf("%+v\n%+v if the model is known before", early.Breakdown, late.Breakdown)
	}
}

// TestToolsOfKimiCodeComeBack checks the size of a request whose tools differ from those of the request before it. Kimi
// Code records each table once, and names it in later requests.
func TestToolsOfKimiCodeComeBack(t *testing.T) {
	records := []string{
		kimiRecord("profile.bind", `"systemPrompt":"You work in a shop of teas."`), kimiMessage("Which teas are listed?", "user"),
		kimiTable("aa", "Read", "Watch", "mcp__shop__teas"), kimiRequest("aa"), kimiEvent(kimiEnd),
	}
	sizeAfter := func(more ...string) int64 {
		return sessionOf(eventsOf(t, agent.KimiCode, append(slices.Clone(records), more...)...)).Reading().Used
	}
	same := sizeAfter(kimiRequest("aa"))
	fewer := sizeAfter(kimiTable("bb", "Read"), kimiRequest("bb"))
	if fewer > same-200 {
		t.Errorf("%d with a tool less, %d before", fewer, same)
	}
	measured := []string{kimiTable("bb", "Read"), kimiRequest("bb"), kimiEvent(strings.Replace(kimiEnd, "9000", "8700", 1))}
	lower := sizeAfter(measured...)
	if back := sizeAfter(append(measured, kimiRequest("aa"))...); back-lower != same-fewer {
		t.Errorf("%d more when two tools are back, %d less when they were gone", back-lower, same-fewer)
	}
	if again := sizeAfter(append(measured, kimiRequest("bb"))...); again != lower {
		t.Errorf("%d with the same tools, %d before", again, lower)
	}
}

// TestACompactionOfKimiCodeKeepsMessagesOfTheUser checks what remains after a compaction of version 2: user messages,
// the summary, and a message to continue.
func TestACompactionOfKimiCodeKeepsMessagesOfTheUser(t *testing.T) {
	long := strings.Repeat("Sum the list of teas first, then round. ", 50)
	records := []string{
		kimiRequest(""), kimiMessage(long+"One.", "user"), kimiMessage(strings.Repeat("It is Friday. ", 300), "injection"), kimiEvent(kimiEnd),
		kimiMessage(long+"Two.", "user"), kimiMessage(long+"Three.", "user"),
	}
	compaction := func(kept, head string) string {
		return kimiRecord("context.apply_compaction", `"summary":"Two teas.","contextSummary":"So far: two teas.","compactedCount":5,"keptUserMessageCount":`+kept+head)
	}
	used := func(more ...string) int64 {
		s := sessionOf(eventsOf(t, agent.KimiCode, append(slices.Clone(records), more...)...))
		return s.Reading().Used
	}
	none, three := used(compaction("0", "")), used(compaction("3", ""))
	if one := used(compaction("1", "")); one <= none || 3*(one-none)-(three-none) > 6 || (three-none)-3*(one-none) > 6 {
		t.Errorf("%d, %d and %d tokens with no message, one and three", none, one, three)
	}
	if two, ends := used(compaction("2", "")), used(compaction("2", `,"keptHeadUserMessageCount":1`)); two != ends {
		t.Errorf("%d tokens with the last two messages, %d with the first and the last", two, ends)
	}
	if again := used(compaction("3", ""), compaction("3", "")); again != three {
		t.Errorf("%d tokens after a second compaction, %d after the first", again, three)
	}
}
