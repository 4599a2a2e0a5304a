// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
)

const contextPicture = "<local-command-stdout>\x1b[?25l \x1b[1mContext Usage\x1b[22m\n" +
	"\x1b[38;2;136;136;136m⛁ ⛁ ⛁ ⛁ ⛁\x1b[39m   claude-sonnet-4-5-20250929 · 50k/200k tokens (25%)\n" +
	"⛁ ⛁ ⛶ ⛶ ⛶   ⛁ System prompt: 2.7k tokens (1.3%)\n" +
	"⛶ ⛶ ⛶ ⛶ ⛶   \x1b[38;2;1;2;3m⛁\x1b[39m System tools: \x1b[38;2;1;2;3m13.5k tokens (6.8%)\x1b[39m\n" +
	"⛶ ⛶ ⛶ ⛶ ⛶   ⛁ MCP tools: 1.3k tokens (0.6%)\n" +
	"⛶ ⛶ ⛶ ⛶ ⛶   ⛁ Custom agents: 151 tokens (0.1%)\n" +
	"⛶ ⛶ ⛶ ⛶ ⛶   ⛁ Memory files: 3.0k tokens (1.5%)\n" +
	"⛶ ⛶ ⛶ ⛶ ⛶   ⛁ Messages: 30.7k tokens (15.3%)\n" +
	"⛶ ⛶ ⛶ ⛶ ⛶   ⛶ Free space: 150k (75.1%)\n\n" +
	"MCP tools · /mcp\n└ mcp__ide__getDiagnostics (ide): 611 tokens\n└ mcp__ide__executeCode (ide): 682 tokens\n\n" +
	"Memory files · /memory\n└ User (/home/ada/.claude/CLAUDE.md): 897 tokens\n└ Project (/home/ada/yt/CLAUDE.md): 2.1k tokens\n\n" +
	"SlashCommand Tool · 0 commands\n└ Total: 864 tokens\n</local-command-stdout>"

const contextTables = "## Context Usage\n\n**Model:** claude-sonnet-5  \n**Tokens:** 58.1k / 967k (6%)\n\n### Estimated usage by category\n\n" +
	"| Category | Tokens | Percentage |\n|----------|--------|------------|\n| System prompt | 10.7k | 1.1% |\n| System tools | 25.6k | 2.7% |\n" +
	"| MCP tools (deferred) | 9.7k | 1.0% |\n| System tools (deferred) | 17.1k | 1.8% |\n| Memory files | 1.2k | 0.1% |\n| Skills | 2.8k | 0.3% |\n" +
	"| Messages | 19k | 2.0% |\n| Free space | 875.9k | 90.6% |\n| Autocompact buffer | 33k | 3.4% |\n\n" +
	"### MCP Tools\n\n| Tool | Server | Tokens |\n|------|--------|--------|\n| mcp__chrome__computer | chrome | 1.9k |\n\n" +
	"### Memory Files\n\n| Type | Path | Tokens |\n|------|------|--------|\n| Project | C:\\src\\AGENTS.md | 1.2k |\n\n" +
	"### Skills\n\n| Skill | Source | Tokens |\n|-------|--------|--------|\n| obsidian | User | ~90 |\n"

// TestWhatContextPrintedIsRead checks both forms of /context, row by row and item by item. Deferred tools are not in
// the window.
func TestWhatContextPrintedIsRead(t *testing.T) {
	for _, c := range []struct{ version, record, want string }{
		{
			"2.1.4", contextPicture,
			"system System prompt, as /context counted 2700; tools Tools, as /context counted 13500; mcpTools mcp__ide__getDiagnostics 611; " +
				"mcpTools mcp__ide__executeCode 682; agents Agents, as /context counted 151; memory CLAUDE.md 897; memory CLAUDE.md 2100",
		},
		{
			"2.1.209", contextTables,
			"system System prompt, as /context counted 10700; tools Tools, as /context counted 25600; memory AGENTS.md 1200",
		},
		{"2.1.209", "What does ## Context Usage mean? | System prompt | 1k | 1% |\n| System tools | 1k | 1% |", ""},
		{"2.1.4", strings.ReplaceAll(contextPicture, "System prompt", "Sys"), ""},
		{"2.1.4", strings.NewReplacer("13.5k", "9999999999999k", "2.7k", "999999999999999999999999").Replace(contextPicture), ""},
	} {
		f := claudeFile{version: c.version}
		f.says("Hello.")
		text, err := json.Marshal(c.record)
		if err != nil {
			t.Fatal(err)
		}
		f.add("", "user", `"message":{"role":"user","content":`+string(text)+`}`)
		var found []string
		for _, e := range lastKnown(f.events(t)) {
			if e.Source != core.FromTable { // which is told before the agent prints
				for _, p := range e.Parts {
					if e.Source != core.FromPrinted {
						t.Errorf("%+v", e)
					}
					found = append(found, fmt.Sprintf("%s %s %d", e.Kind, p.Label, p.Tokens))
				}
			}
		}
		if got := strings.Join(found, "; "); got != c.want {
			t.Errorf("%s found %s\nwant %s", c.version, got, c.want)
		}
	}
}

// TestARequestIsReadBlockByBlock checks that the newest record of a request replaces a snapshot and the output of
// /context, and that its messages are not counted again.
func TestARequestIsReadBlockByBlock(t *testing.T) {
	f := claudeFile{version: "2.1.310"}
	f.says("Hello.")
	f.records = append(f.records, `{"type":"api-request-shape","sessionId":"s","shapeHash":"a","shape":{"system":[`+
		`{"type":"text","text":"billing"},{"type":"text","text":"You are."},`+
		`{"type":"text","text":"Rules."},{"type":"text","text":"In /home/ada."}],"tools":[{"name":"Read","description":"Reads.","input_schema":{"type":"object"}},`+
		`{"name":"mcp__git__log","description":"Logs.","input_schema":{}}]}}`)
	f.records = append(f.records, `{"type":"api-request-blob","sessionId":"s","hash":"b","message":{"role":"user","content":"Hello."}}`)
	f.records = append(f.records, `{"type":"api-request","sessionId":"s","id":"r","shapeHash":"a","keep":0,"tail":["b"]}`)
	items, skipped := 0, 0
	var found []string
	for _, e := range f.events(t) {
		switch e := e.(type) {
		case core.PrefixKnown:
			for _, p := range e.Parts {
				if e.Source == core.FromTable {
					continue // what it was expected to be
				}
				found = append(found, fmt.Sprintf("%s %s %s", e.Kind, p.Label, p.Text))
			}
		case core.Appended, *core.Appended:
			items++
		case core.Skipped:
			skipped++
		}
	}
	const want = "system System prompt billing\nYou are.\nRules.; system System prompt, of this workspace In /home/ada.; " +
		`tools Read <function>{"description":"Reads.","name":"Read","parameters":{"type":"object"}}</function>` + "\n; tools How tools are called ; " +
		`mcpTools mcp__git__log <function>{"description":"Logs.","name":"mcp__git__log","parameters":{}}</function>` + "\n"
	if got := strings.Join(found, "; "); got != want || items != 1 || skipped != 0 {
		t.Errorf("%d items, %d skipped; found %s", items, skipped, got)
	}
}

// TestThinkingIsMeasured checks that the provider's number is used, and that 0, which the client writes without one, is
// not.
func TestThinkingIsMeasured(t *testing.T) {
	for said, want := range map[int]int64{120: 120, 0: core.Unknown, 999: core.Unknown} {
		f := claudeFile{version: "2.1.250"}
		f.says("Hello.")
		f.add("", "assistant", fmt.Sprintf(`"message":{"id":"m1","role":"assistant","model":"claude-opus-5","stop_reason":"end_turn",`+
			`"content":[{"type":"text","text":"Hi."}],"usage":{"input_tokens":9000,"output_tokens":200,"output_tokens_details":{"thinking_tokens":%d}}}`, said))
		got := int64(-2)
		for _, e := range f.events(t) {
			if m, ok := e.(core.Metered); ok {
				got = m.Reasoning
			}
		}
		if got != want {
			t.Errorf("%d thinking tokens are read as %d, want %d", said, got, want)
		}
	}
}
