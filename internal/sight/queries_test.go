// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// TestSeveralResultsOfACallAreRead checks calls that read several files or run several commands, in Cline's form, by
// the steps that they become.
func TestSeveralResultsOfACallAreRead(t *testing.T) {
	for _, c := range []struct{ name, tool, call, result, want string }{
		{
			"two files, of one a part", "read_files",
			`{"files": [{"path": "/w/a.go"}, {"path": "/w/b.go", "start_line": 3, "end_line": 4}]}`,
			`[{"query":"/w/a.go","result":" 1 | x\n 2 | \ty\n","success":true},{"query":"/w/b.go:3-4","result":" 3 | u\n 4 | v","success":true}]`,
			"/w/a.go 1 x|\ty end; /w/b.go 3 u|v",
		},
		{
			"a file that does not exist beside another", "read_files", `{"files": [{"path": "/w/a.go"}, {"path": "/w/b.go"}]}`,
			`[{"query":"/w/a.go","result":"","error":"no such file","success":false},{"query":"/w/b.go","result":"1 | u\n2 | v"}]`,
			"/w/b.go 1 u|v end",
		},
		{
			"two commands", "run_commands", `{"commands": ["cat a.go", "sed -n '3,4p' b.go"]}`,
			`[{"query":"cat a.go","result":"x\ny\n"},{"query":"sed -n '3,4p' b.go","result":"u\nv\n"}]`,
			"/w/a.go 1 x|y end; /w/b.go 3 u|v",
		},
		{
			"a patch", "apply_patch", `{"input": "*** Begin Patch\n*** Add File: a.go\n+x\n*** End Patch"}`,
			`{"query":"apply_patch","result":"done","success":true}`, "/w/a.go 1 x end",
		},
		{
			"a patch that failed", "apply_patch", `{"input": "*** Begin Patch\n*** Add File: a.go\n+x\n*** End Patch"}`,
			`{"query":"apply_patch","result":"","error":"it failed","success":false}`, "",
		},
	} {
		conv := &conversation.Conversation{Items: []conversation.Item{
			{Kind: core.ToolCalls, Tool: c.tool, Text: c.call, Call: -1}, {Kind: core.ToolResults, Text: c.result, Call: 0},
		}}
		s := &Session{c: conv, files: inMemory{}, steps: map[string][]step{}}
		x := &extractor{s: s, folder: "/w"}
		x.item(1)
		var got []string
		for _, path := range []string{"/w/a.go", "/w/b.go"} {
			for _, st := range s.steps[path] {
				b := st.block
				if st.text != "" {
					b = block{start: st.number, lines: linesOf(st.text), eof: st.eof}
				}
				text := fmt.Sprintf("%s %d %s", path, b.start, strings.Join(b.lines, "|"))
				if b.eof {
					text += " end"
				}
				got = append(got, text)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
