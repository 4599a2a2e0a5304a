// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
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
	sizes := map[int]int64{}
	for _, until := range []int{resumed - 1, resumed, masked - 1, masked, compressed} {
		var lines []string
		for _, record := range records[:until] {
			lines = append(lines, string(record))
		}
		sizes[until] = sessionOf(eventsOf(t, agent.GeminiCLI, lines...)).Reading().Used
	}
	if before, after := sizes[resumed-1], sizes[resumed]; before < 9200 || after < before+10 || after > before+100 {
		t.Errorf("%d after a resume, %d before it: both results are sent twice", after, before)
	}
	if before, after := sizes[masked-1], sizes[masked]; after < before-50 || after > before+50 || after == before {
		t.Errorf("%d after outputs were masked, %d before", after, before)
	}
	if after := sizes[compressed]; after < 7000 || after >= sizes[masked] {
		t.Errorf("%d after a compression, %d before", after, sizes[masked])
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
