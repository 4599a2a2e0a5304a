// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"strings"
	"testing"
)

// TestResultsOfIFlowAreTexts protects the texts that iFlow's tools have answered, which stand in the form of Gemini CLI
// in records of Claude Code's form.
func TestResultsOfIFlowAreTexts(t *testing.T) {
	m := newMachine(t)
	call := `{"uuid":"u2","parentUuid":"u1","sessionId":"s","type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read_file","input":{}}]}}`
	result := `{"uuid":"u3","parentUuid":"u2","sessionId":"s","type":"user","message":{"role":"user","content":[{"tool_use_id":"c1","type":"tool_result","content":CONTENT}]}}`
	path := m.put("s.jsonl", call+"\n"+
		strings.Replace(result, "CONTENT", `{"callId":"c1","responseParts":{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"# \"Shop\"\n"}}},"resultDisplay":"shown"}`, 1)+"\n"+
		strings.Replace(result, "CONTENT", `{"callId":"c1","responseParts":[{"functionResponse":{"response":{"error":"none"}}},{"text":" more"}]}`, 1)+"\n"+
		strings.Replace(result, "CONTENT", `"plain"`, 1)+"\n"+`{"responseParts":`+"\n")
	tail := OpenTail(Session{Agent: "iflow", Path: path, kind: kindLines})
	var b Batch
	if err := tail.Next(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	want := []string{call, strings.Replace(result, "CONTENT", `"# \"Shop\"\n"`, 1), strings.Replace(result, "CONTENT", `"none more"`, 1), strings.Replace(result, "CONTENT", `"plain"`, 1)}
	for i, w := range want {
		if got := string(b.record(i)); got != w {
			t.Errorf("%d: %s", i, got)
		}
	}
}

// TestCallsOfIFlowCountOnce protects calls that iFlow writes again in the record of the next call.
func TestCallsOfIFlowCountOnce(t *testing.T) {
	m := newMachine(t)
	record := func(uuid, content string) string {
		return `{"uuid":"` + uuid + `","parentUuid":"u1","sessionId":"s","type":"assistant","message":{"role":"assistant","content":[` + content + `]}}`
	}
	const one, two, nameless = `{"type":"tool_use","id":"c1","name":"read_file","input":{"path":"a"}}`, `{"type":"tool_use","id":"c2","name":"read_file","input":{"path":"b"}}`, `{"type":"tool_use","name":"x","input":{}}`
	const left = `{"type":"text","text":""}`
	path := m.put("s.jsonl", strings.Join([]string{
		record("u2", `{"type":"text","text":"I look."},`+one), record("u3", one+","+two), record("u4", two), record("u5", nameless+","+nameless),
	}, "\n")+"\n")
	tail := OpenTail(Session{Agent: "iflow", Path: path, kind: kindLines})
	var b Batch
	if err := tail.Next(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		record("u2", `{"type":"text","text":"I look."},`+one), record("u3", left+","+two), record("u4", left), record("u5", nameless+","+nameless),
	} {
		if got := string(b.record(i)); got != want {
			t.Errorf("%d: %s\nwant %s", i, got, want)
		}
	}
}
