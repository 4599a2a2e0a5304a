// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// TestAServerThatLeavesTakesItsTools checks the prediction when Claude Code records that an MCP server has left or came
// back: its tools are in every request, unless they are only listed. If their size is unknown, the range is wide.
func TestAServerThatLeavesTakesItsTools(t *testing.T) {
	tool := func(name string) string {
		return `{"name":"` + name + `","description":"` + strings.Repeat("It reads rivers and stones. ", 40) + `","input_schema":{"type":"object"}}`
	}
	const left, came = `{"type":"mcp_instructions_delta","addedNames":[],"addedBlocks":[],"removedNames":["my docs"]}`, `{"type":"mcp_instructions_delta","addedNames":["my docs"],"addedBlocks":["## docs"],"removedNames":[]}`
	for name, c := range map[string]struct {
		snapshot bool
		deltas   []string
		shorter  bool // by the tools
		caused   bool
	}{
		"nothing":        {true, nil, false, false},
		"left":           {true, []string{left}, true, true},
		"left, and came": {true, []string{left, came}, false, true},
		"another left":   {true, []string{strings.ReplaceAll(left, "docs", "notes")}, false, true},
		"unknown tools":  {false, []string{left}, false, true},
		"only listed":    {false, []string{`{"type":"deferred_tools_delta","addedNames":["mcp__my_docs__read"],"removedNames":[]}`, left}, false, false},
	} {
		f := claudeFile{version: "2.1.285"}
		f.says("Hello.")
		if c.snapshot {
			f.attaches(`{"type":"prompt_snapshot","systemPrompt":["You work."],"tools":[` + tool("Read") + `,` + tool("mcp__my_docs__read") + `,` + tool("mcp__my_docs__write") + `]}`)
		}
		f.answers("1", cachedAnswer{write: 20_000})
		f.says("on")
		for _, delta := range c.deltas {
			f.attaches(delta)
		}
		s := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
		for _, e := range f.events(t) {
			s.Apply(e)
		}
		r := s.Reading()
		if shorter := r.Used < 19_800; shorter != c.shorter || r.Used < 18_000 {
			t.Errorf("%s: used %d", name, r.Used)
		}
		if caused := strings.Contains(r.RangeCause.String(), "servers"); caused != c.caused {
			t.Errorf("%s: the range %d to %d has the cause %q", name, r.Low, r.High, r.RangeCause.String())
		}
		if c.caused && r.High-r.Low < 60 || !c.snapshot && c.caused && r.Low > 18_000 {
			t.Errorf("%s: the range is %d to %d", name, r.Low, r.High)
		}
	}
}
