// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// The transcript contains the output of /context if the user ran it: up to 2.1.126 as a chart with colors, later also
// as Markdown tables. Claude Code lets the provider count each section, so these numbers are better than any but a
// record of the text. From a thousand on, they are rounded to a hundred; in some versions, the tools lack those that
// are listed elsewhere.

// contextSections are the rows of the chart, with the lines that begin the list of a row's items in the chart and in
// the tables.
var contextSections = [...]struct {
	kind                 core.Kind
	row, picture, tables string
}{
	{core.System, "System prompt", "", ""},
	{core.Tools, "System tools", "", ""},
	{core.MCPTools, "MCP tools", "MCP tools · /mcp", "### MCP Tools"},
	{core.Agents, "Custom agents", "Custom agents · /agents", "### Custom Agents"},
	{core.Memory, "Memory files", "Memory files · /memory", "### Memory Files"},
	{core.Skills, "Skills", "Skills · /skills", "### Skills"},
}

// printedContext holds the sizes of one output of /context.
type printedContext struct {
	rows     [core.Summary]int64
	items    [core.Summary][]core.PrefixPart
	section  int  // the section whose items are being read; -1 for none
	deferred bool // tools of MCP servers are listed, and some are not loaded
}

// printedItems is the maximum number of items that are read from one section.
const printedItems = 2000

// isPrintedContext reports whether a text may be the output of /context. Only colors and the tag of a command's output
// precede its first line.
func isPrintedContext(text []byte) bool {
	head := strings.TrimSpace(plain(string(text[:min(len(text), 400)])))
	head = strings.TrimSpace(strings.TrimPrefix(head, "<local-command-stdout>"))
	return strings.HasPrefix(head, "Context Usage") || strings.HasPrefix(head, "## Context Usage")
}

// printed reads a text if it is the output of /context.
func (c *claudeCode) printed(text []byte) {
	if !isPrintedContext(text) {
		return
	}
	p := printedContext{section: -1}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		p.line(strings.TrimSpace(plain(string(line))))
	}
	if p.rows[core.System] == 0 || p.rows[core.Tools] == 0 {
		return // the provider could not count, so rows are missing or 1
	}
	for i := range contextSections {
		kind := contextSections[i].kind
		if kind == core.Skills && reader.ParseVersion(c.Version).AtLeast("2.1.96") || kind == core.Agents && reader.ParseVersion(c.Version).AtLeast("2.1.177") {
			continue // they have their own record
		}
		c.SetPrefix(core.FromPrinted, kind, p.parts(kind))
	}
}

// parts returns the items of a row if they add up to it, otherwise the row alone.
func (p *printedContext) parts(kind core.Kind) []core.PrefixPart {
	row := p.rows[kind]
	if row <= 0 {
		return nil
	}
	sum := int64(0)
	for i := range p.items[kind] {
		sum += p.items[kind][i].Tokens
	}
	if sum*100 >= row*95-5000 && sum*100 <= row*105+5000 && sum > 0 && (kind != core.MCPTools || !p.deferred) {
		return p.items[kind]
	}
	return []core.PrefixPart{{Part: core.Part{Label: phrase.AsCounted.Text(kind.Label().Arg()), Tokens: row}}}
}

// line reads a line of the chart or of the tables.
func (p *printedContext) line(line string) {
	for i := range contextSections {
		s := &contextSections[i]
		if s.tables != "" && (strings.HasPrefix(line, s.tables) || strings.HasPrefix(line, s.picture)) {
			p.section = i
			return
		}
	}
	switch {
	case strings.HasPrefix(line, "#"), strings.Contains(line, " · /"), strings.HasPrefix(line, "SlashCommand Tool"):
		p.section = -1
	case strings.HasPrefix(line, "|"):
		p.cells(line)
	case strings.HasPrefix(line, "└ "), strings.HasPrefix(line, "├ "):
		p.branch(line[len("└ "):])
	default:
		p.row(line)
	}
}

// row reads a line of the chart: squares, perhaps followed by the name and the size of a row.
func (p *printedContext) row(line string) {
	for i := range contextSections {
		s := &contextSections[i]
		if start := strings.Index(line, s.row+": "); start >= 0 && p.rows[s.kind] == 0 {
			p.rows[s.kind] = printedTokens(line[start+len(s.row)+2:])
			return
		}
	}
	if strings.Contains(line, "MCP tools (deferred): ") {
		p.deferred = true
	}
}

// branch reads an item below a row of the chart: "name (source): 12 tokens".
func (p *printedContext) branch(line string) {
	colon := strings.LastIndex(line, ": ")
	if p.section < 0 || colon < 0 {
		return
	}
	name, source := line[:colon], ""
	if open := strings.IndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") {
		name, source = strings.TrimSpace(name[:open]), name[open+1:len(name)-1]
	}
	p.item(name, source, printedTokens(line[colon+2:]))
}

// cells reads a row of a table. Before the first section, it is a row of the chart; in a section, it is an item: its
// name, its source and its size.
func (p *printedContext) cells(line string) {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	if len(cells) != 3 {
		return
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if p.section >= 0 {
		p.item(cells[0], cells[1], printedTokens(cells[2]))
		return
	}
	p.row(cells[0] + ": " + cells[1])
}

func (p *printedContext) item(name, source string, tokens int64) {
	kind := contextSections[p.section].kind
	if tokens <= 0 || len(p.items[kind]) >= printedItems {
		return
	}
	if kind == core.Memory {
		if source != "" {
			name = source
		}
		name = strings.ReplaceAll(name, `\`, "/")
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	p.items[kind] = append(p.items[kind], core.PrefixPart{Part: core.Part{Label: core.Named(name), Tokens: tokens}})
}

// printedTokens reads a printed size: "611", "~120", "12.4k tokens", "1.2m". It returns 0 for anything else.
func printedTokens(s string) int64 {
	s = strings.TrimLeft(s, "~≈ ")
	end := 0
	for end < len(s) && (s[end]-'0' < 10 || s[end] == '.' || s[end] == ',') {
		end++
	}
	unit := int64(1)
	if end < len(s) {
		switch s[end] | 0x20 {
		case 'k':
			unit = 1000
		case 'm':
			unit = 1_000_000
		}
	}
	n, scale, point := int64(0), int64(1), false
	for i := 0; i < end; i++ {
		switch c := s[i]; {
		case c == '.':
			point = true
		case c == ',':
		case n > core.MaxTokens || scale > 1000:
			return 0
		default:
			n = n*10 + int64(c-'0')
			if point {
				scale *= 10
			}
		}
	}
	if n = n * unit / scale; n > core.MaxTokens {
		return 0
	}
	return n
}
