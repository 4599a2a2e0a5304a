// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestClaudeCodeRecordsWhyTheCacheMissed checks the field in which the provider's comparison of two prompts is kept.
func TestClaudeCodeRecordsWhyTheCacheMissed(t *testing.T) {
	for diagnostics, want := range map[string]core.CacheMiss{
		``:                       core.MissUnrecorded,
		`"diagnostics":null,`:    core.MissUnrecorded,
		`"diagnostics":[{}],`:    core.MissUnrecorded,
		`"diagnostics":{},`:      core.MissNone,
		`"diagnostics":{"a":1},`: core.MissNone,
		`"diagnostics":{"cache_miss_reason":null},`:                                                      core.MissNone,
		`"diagnostics":{"cache_miss_reason":{"type":"previous_message_not_found"}},`:                     core.MissNotFound,
		`"diagnostics":{"cache_miss_reason":{"type":"messages_changed","cache_missed_input_tokens":7}},`: core.MissMessages,
		`"diagnostics":{"cache_miss_reason":{"type":"system_changed"}},`:                                 core.MissSystem,
		`"diagnostics":{"cache_miss_reason":{"type":"tools_changed"}},`:                                  core.MissTools,
		`"diagnostics":{"cache_miss_reason":{"type":"model_changed"}},`:                                  core.MissModel,
		`"diagnostics":{"cache_miss_reason":{"type":"unavailable"}},`:                                    core.MissUnavailable,
		`"diagnostics":{"cache_miss_reason":{"type":"another"}},`:                                        core.MissUnavailable,
	} {
		f := claudeFile{version: "2.1.300"}
		f.says("go")
		f.add("", "assistant", fmt.Sprintf(`"message":{"id":"msg_1","role":"assistant","model":"claude-opus-4-6",%s"content":[],"usage":{"input_tokens":9,"output_tokens":20}}`, diagnostics))
		got := -1
		for _, e := range f.events(t) {
			if m, ok := e.(core.Metered); ok {
				got = int(m.CacheMiss)
			}
		}
		if got != int(want) {
			t.Errorf("%s is read as %d, want %d", diagnostics, got, want)
		}
	}
}

// TestRecordsThatTouchThePrompt checks which records of Claude Code announce that tools, memory or skills of the next
// prompt may have changed.
func TestRecordsThatTouchThePrompt(t *testing.T) {
	write := func(path string) string {
		return fmt.Sprintf(`"type":"assistant","message":{"id":"msg_1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"Write","input":{"file_path":%q,"content":"x"}}]}`, path)
	}
	touched := func(kind core.Kind, name string) []core.PromptTouched {
		return []core.PromptTouched{{Kind: kind, Name: name}}
	}
	for record, want := range map[string][]core.PromptTouched{
		write("/w/a.go"):                             nil,
		write("/w/memory/a.md"):                      nil,
		write("/w/CLAUDE.md"):                        touched(core.Memory, "CLAUDE.md"),
		write("/w/.claude/rules/go.md"):              touched(core.Memory, "go.md"),
		write("/w/.claude/skills/a/SKILL.md"):        touched(core.Memory, "SKILL.md"),
		write("/h/.claude/projects/-w/memory/a.md"):  touched(core.Memory, "a.md"),
		write(`C:\h\.claude\projects\w\memory\a.md`): touched(core.Memory, "a.md"),
		`"type":"system","subtype":"bridge_status"`:  touched(core.Tools, ""),
		`"type":"system","subtype":"turn_duration"`:  nil,
		`"type":"system","subtype":"local_command","content":"<command-name>/remote-control</command-name>"`:                                                        touched(core.Tools, ""),
		`"type":"system","subtype":"local_command","content":"<command-name>/cost</command-name>"`:                                                                  nil,
		`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"tool_reference","tool_name":"WebFetch"}]}]}`: touched(core.Tools, "WebFetch"),
	} {
		var got []core.PromptTouched
		for _, e := range eventsOf(t, agent.ClaudeCode, `{"uuid":"u","isSidechain":false,"version":"2.1.300",`+record+`}`) {
			if touched, ok := e.(core.PromptTouched); ok {
				got = append(got, touched)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s touches %v, want %v", record, got, want)
		}
	}
}

// TestRecordsOfATurnThatBreaksTheCache checks the effort of a response, a turn that a background task began, and a
// server whose instructions came after the first request.
func TestRecordsOfATurnThatBreaksTheCache(t *testing.T) {
	answer := func(f *claudeFile, id, effort string) {
		f.add("", "assistant", fmt.Sprintf(`%s"message":{"id":%q,"role":"assistant","model":"claude-opus-4-6","content":[],"usage":{"input_tokens":9,"output_tokens":20}}`, effort, id))
	}
	server := func(f *claudeFile) {
		f.add("", "attachment", `"attachment":{"type":"mcp_instructions_delta","addedNames":["docs"],"addedBlocks":["## docs"],"removedNames":[]}`)
	}
	f := claudeFile{version: "2.1.300"}
	f.says("go")
	server(&f)
	answer(&f, "msg_1", `"effort":"high",`)
	f.add("", "user", `"origin":{"kind":"task-notification"},"message":{"role":"user","content":"done"}`)
	answer(&f, "msg_2", "")
	f.add("", "user", `"message":{"role":"user","content":"<task-notification>\n<task-id>a</task-id>"}`)
	server(&f)
	answer(&f, "msg_3", `"effort":"low",`)
	var got []string
	for _, e := range f.events(t) {
		switch e := e.(type) {
		case core.TurnStarted, core.BegunByAgent, core.EffortSet, core.PromptTouched:
			got = append(got, fmt.Sprintf("%T%v", e, e))
		}
	}
	want := []string{
		"core.TurnStarted{}", "core.EffortSet{high}", "core.TurnStarted{}", "core.BegunByAgent{}", "core.TurnStarted{}",
		"core.BegunByAgent{}", "core.PromptTouched{system docs}", "core.EffortSet{low}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are %q, want %q", got, want)
	}
}
