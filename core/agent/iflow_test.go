// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// itemsOf returns the kind, the name and the text of each item of records.
func itemsOf(t *testing.T, by string, records ...string) (items []string) {
	t.Helper()
	reader := agent.New(by)
	for _, record := range records {
		reader.Record(parse(t, []byte(record)), func(e core.Event) {
			if a, ok := e.(core.Appended); ok {
				items = append(items, fmt.Sprintf("%v %s %s", a.Item.Kind, a.Item.Name, a.Item.Text))
			}
		})
	}
	return items
}

// TestResultsOfIFlowAreTexts checks the texts of iFlow's results, which have the form of Gemini CLI in records of
// Claude Code's form.
func TestResultsOfIFlowAreTexts(t *testing.T) {
	result := func(uuid, content string) string {
		return `{"uuid":"` + uuid + `","parentUuid":"u2","sessionId":"s","type":"user","message":{"role":"user","content":[{"tool_use_id":"c1","type":"tool_result","content":` + content + `}]}}`
	}
	got := itemsOf(t, agent.IFlow,
		`{"uuid":"u2","parentUuid":"u1","sessionId":"s","type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read_file","input":{}}]}}`,
		result("u3", `{"callId":"c1","responseParts":{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"# \"Shop\"\n"}}},"resultDisplay":"shown"}`),
		result("u4", `{"callId":"c1","responseParts":[{"functionResponse":{"response":{"error":"none"}}},{"text":" more"}]}`),
		result("u5", `"plain"`))
	want := []string{"toolCalls read_file ", "toolResults read_file # \"Shop\"\n", "toolResults read_file none more", "toolResults read_file plain"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestCallsOfIFlowCountOnce checks that a call is read once, although iFlow writes it again in the record of the next
// call. Claude Code does not.
func TestCallsOfIFlowCountOnce(t *testing.T) {
	record := func(uuid, content string) string {
		return `{"uuid":"` + uuid + `","parentUuid":"u1","sessionId":"s","type":"assistant","message":{"role":"assistant","content":[` + content + `]}}`
	}
	const one, two, unnamed = `{"type":"tool_use","id":"c1","name":"read_file","input":{"path":"a"}}`, `{"type":"tool_use","id":"c2","name":"read_file","input":{"path":"b"}}`, `{"type":"tool_use","name":"x","input":{}}`
	records := []string{
		record("u2", `{"type":"text","text":"I look."},`+one), record("u3", one+","+two), record("u4", two), record("u5", unnamed+","+unnamed),
	}
	want := []string{"assistant  I look.", "toolCalls read_file patha\n", "toolCalls read_file pathb\n", "toolCalls x ", "toolCalls x "}
	if got := itemsOf(t, agent.IFlow, records...); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := itemsOf(t, agent.ClaudeCode, records...); len(got) != len(want)+2 {
		t.Errorf("of Claude Code: %q", got)
	}
}
