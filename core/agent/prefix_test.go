// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// TestASnapshotTellsWhatSurroundsTheConversation checks that system prompt, tools, tools of servers and memory files
// are read from their texts, and that no item is added.
func TestASnapshotTellsWhatSurroundsTheConversation(t *testing.T) {
	f := claudeFile{version: "2.1.280"}
	f.says("Hello.")
	f.add("", "attachment", `"attachment":{"type":"prompt_snapshot","systemPrompt":["You are.","__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__","In /home/ada."],`+
		`"tools":[{"name":"Read","description":"Reads.","schema":{"type":"object"}},{"name":"mcp__git__log","description":"Logs.","schema":{},"server":"git"}]}`)
	f.add("", "attachment", `"attachment":{"type":"instructions","files":[{"path":"/home/ada/CLAUDE.md","type":"Project","content":"Be brief."}]}`)
	var told []string
	items := 0
	for _, e := range f.events(t) {
		switch e := e.(type) {
		case core.PrefixKnown:
			for _, p := range e.Parts {
				if e.Source == core.FromTable {
					continue // what it was expected to be
				}
				if e.Source != core.FromRecord || len(p.Text) == 0 && p.Tokens != 694 {
					t.Errorf("%+v", e)
				}
				told = append(told, e.Kind.String()+" "+p.Label.String())
			}
		case core.Appended, *core.Appended:
			items++
		}
	}
	const want = "system System prompt, system System prompt, of this workspace, tools Read, tools How tools are called, mcpTools mcp__git__log, memory CLAUDE.md"
	if got := strings.Join(told, ", "); got != want || items != 1 {
		t.Errorf("%d items; told %s", items, got)
	}
}

// TestTheTableIsAskedByVersionAndModel checks that the nearest version that is not newer is used, and marked if it is
// another one, and that only the loaded tools are used if others are deferred.
func TestTheTableIsAskedByVersionAndModel(t *testing.T) {
	for _, c := range []struct {
		version  string
		deferred bool
		tools    int64
		label    string
	}{
		{"2.1.98", true, 8943, "Built-in tools"},
		{"2.1.98", false, 18396, "Built-in tools"},
		{"2.1.100", true, 8943, "Built-in tools"},
		{"2.0.76", false, 15241, "Built-in tools"},
		{"1.0.2", false, 0, ""},
	} {
		f := claudeFile{version: c.version}
		f.says("Hello.")
		if c.deferred {
			f.add("", "attachment", `"attachment":{"type":"deferred_tools_delta","addedNames":["WebFetch"],"addedLines":["WebFetch"]}`)
		}
		f.calls(1, 20_000, 1, "Read", `{"file_path":"/a"}`)
		tools, label := int64(0), ""
		for _, e := range f.events(t) {
			if e, ok := e.(core.PrefixKnown); ok && e.Kind == core.Tools {
				tools, label = e.Parts[0].Tokens, e.Parts[0].Label.String()
			}
		}
		if tools != c.tools || label != c.label {
			t.Errorf("%s: %d %q, want %d %q", c.version, tools, label, c.tools, c.label)
		}
	}
}

// lastKnown returns the last data about the prefix, for each source and kind.
func lastKnown(events []core.Event) (known []core.PrefixKnown) {
	for _, e := range of[core.PrefixKnown](events) {
		known = slices.DeleteFunc(known, func(k core.PrefixKnown) bool { return k.Source == e.Source && k.Kind == e.Kind })
		known = append(known, e)
	}
	return known
}

// TestAnAgentWithAPromptOfItsOwnAsksNoTable checks that the table is not used for OpenCode's sub-agent for searching,
// which has another prompt.
func TestAnAgentWithAPromptOfItsOwnAsksNoTable(t *testing.T) {
	for mode, want := range map[string]int{"build": 2, "general": 2, "explore": 0, "reviewer": 0} {
		export := `{"info":{"id":"ses_1","version":"1.18.34","directory":"/home/ada"},"messages":[{"info":{"id":"msg_1","role":"user","time":{"created":1777909073104}},` +
			`"parts":[{"id":"p1","type":"text","text":"Hello."}]},{"info":{"id":"msg_2","role":"assistant","modelID":"gpt-5.4","providerID":"openai","agent":"` + mode +
			`","tokens":{"input":9000,"output":5,"reasoning":0,"cache":{"read":0,"write":0}}},"parts":[{"id":"p2","type":"text","text":"Hi."}]}]}`
		told := lastKnown(eventsOf(t, agent.OpenCode, export))
		told = slices.DeleteFunc(told, func(k core.PrefixKnown) bool { return len(k.Parts) == 0 })
		if len(told) != want {
			t.Errorf("%s: %+v", mode, told)
		}
	}
}
