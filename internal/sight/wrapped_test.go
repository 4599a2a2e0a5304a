// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"reflect"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// TestResultsInObjectsAreUnwrapped checks results as Hermes records them, and objects that are a file's own text.
func TestResultsInObjectsAreUnwrapped(t *testing.T) {
	for _, each := range []struct {
		shown, text string
		cut         bool
	}{
		{`{"content": "7|\ta\n8|b\n9|", "total_lines": 8, "truncated": false}`, "7|\ta\n8|b", false},
		{`{"content": "1|a\n2|", "total_lines": 30, "truncated": true, "hint": "Use offset=2"}`, "1|a", true},
		{`{"output": "a\nb", "exit_code": 0, "error": null}`, "a\nb", false},
		{`{"content": "a"}`, `{"content": "a"}`, false},
		{`{"output": "a"}`, `{"output": "a"}`, false},
		{`{"a": `, `{"a": `, false},
		{"a\nb", "a\nb", false},
	} {
		if text, cut := unwrapped(each.shown); text != each.text || cut != each.cut {
			t.Errorf("%s: %q, cut %v", each.shown, text, cut)
		}
	}
}

// TestFencedOutputs checks outputs of commands as gptme records them.
func TestFencedOutputs(t *testing.T) {
	for _, each := range []struct {
		text, output string
		ok           bool
	}{
		{"Ran allowlisted command: `cat a`\n\n```stdout\n\ta\n```\n\n", "\ta", true},
		{"Ran command: `cat a.md`\n\n```stdout\n```\nb\n```\nc\n```\n\n", "```\nb\n```\nc", true},
		{"Ran command: `x`\n\n```stdout\na\n```\n\n```stderr\nb\n```\n\nReturn code: 1\n", "a", true},
		{"Ran command: `x`\n\n`bash: x: command not found`\n\nReturn code: 127\n", "", false},
		{"Run it: `x`\n\n```stdout\na\n```\n", "", false},
	} {
		if output, ok := fenced(each.text); output != each.output || ok != each.ok {
			t.Errorf("%q: %q, %v", each.text, output, ok)
		}
	}
}

// TestPatchesOfConflicts checks patches as gptme's model writes them.
func TestPatchesOfConflicts(t *testing.T) {
	two := "<<<<<<< ORIGINAL\na\nb\n=======\nc\n>>>>>>> UPDATED\n<<<<<<< ORIGINAL\nd\n=======\n>>>>>>> UPDATED"
	want := []change{{old: "a\nb", new: "c", lines: true}, {old: "d", new: "", lines: true}}
	if got := conflicts(two); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for _, broken := range []string{"", "a", "<<<<<<< ORIGINAL\na\n>>>>>>> UPDATED", "<<<<<<< ORIGINAL\na\n=======\nb"} {
		if got := conflicts(broken); got != nil {
			t.Errorf("%q: %+v", broken, got)
		}
	}
}

// TestTabsThatATerminalHasExpanded checks that lines of OpenHands are compared by their words, and those of others are
// not.
func TestTabsThatATerminalHasExpanded(t *testing.T) {
	for agent, want := range map[string]bool{"openhands": true, "claude-code": false} {
		s := New(&conversation.Conversation{Agent: agent}, nil)
		if same := s.comparable("\t\tx := 1\n}") == s.comparable("                x := 1\n}"); same != want {
			t.Errorf("%s: the same %v", agent, same)
		}
	}
	numbered := spacedNumber().ReplaceAllString("    91          a\n   100  }\n2024 b", "$1\t")
	if blocks := numberedBlocks(linesOf(numbered)[:2], false); len(blocks) != 2 || blocks[0].start != 91 || blocks[1].lines[0] != "}" {
		t.Errorf("%q: %+v", numbered, blocks)
	}
}
