// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// kindLook is how the cells of a kind are drawn: as a letter without color, otherwise in a color.
var kindLook = map[api.Kind]struct{ letter, color string }{
	"system": {"S", "90"}, "tools": {"T", "36"}, "mcpTools": {"P", "96"}, "skills": {"K", "33"}, "agents": {"A", "32"},
	"memory": {"M", "93"}, "documents": {"D", "95"}, "summary": {"Y", "37"}, "user": {"U", "94"}, "assistant": {"W", "34"},
	"toolCalls": {"C", "92"}, "toolResults": {"R", "35"}, "reasoning": {"G", "91"}, "media": {"I", "97"},
	"messages": {"E", "34"}, "unattributed": {"?", "37"}, "prefix": {"B", "90"},
}

func lookOf(kind api.Kind) (letter, color string) {
	if l, ok := kindLook[kind]; ok {
		return l.letter, l.color
	}
	return "O", "37"
}

const (
	gridSide   = 10 // cells on a side of the grid; each is a hundredth of the window
	gridWide   = 2*gridSide + 2
	namedShown = 8 // how many parts of a kind are listed
)

// Context draws the contents of a window like the agents' own charts: a grid of a hundred cells, with the kinds next to
// it and the named parts below.
func Context(w io.Writer, p *Picture, s Style) error {
	c := contextDrawing{p: p, s: s, width: min(max(s.Width, 24), 100)}
	c.title()
	c.line("")
	c.picture()
	for _, g := range p.Groups {
		c.section(g.Label, g.Items)
	}
	c.servers()
	c.largest()
	c.section("Loaded on demand", p.Deferred)
	_, err := io.WriteString(w, c.out.String())
	return err
}

type contextDrawing struct {
	p     *Picture
	s     Style
	width int
	out   strings.Builder
}

func (c *contextDrawing) line(text string) { c.out.WriteString(strings.TrimRight(text, " ") + "\n") }

func (c *contextDrawing) title() {
	between := c.s.either(" · ", " - ")
	name := c.p.Title
	if name == "" {
		name = c.p.Model
	} else if c.p.Model != "" {
		name += between + c.p.Model
	}
	if name == "" {
		name = "unknown model"
	}
	text := c.s.Clean(name + between + c.p.AgentName)
	if room := c.width - width(text) - width(between); c.p.Workspace != "" && room >= 8 {
		text += between + c.s.cutLeft(c.s.Clean(c.p.Workspace), room)
	}
	c.line(c.s.paint(strong, c.s.cut(text, c.width)))
	tokens := c.p.display.Used + " of " + c.p.display.Limit + " tokens"
	if c.p.Limit == nil {
		tokens = c.p.display.Used + " tokens, window unknown"
	}
	c.line(c.s.paint(levelColor(c.p.level), c.p.display.Mark+c.p.display.Percent) + "  " + tokens)
}

// picture draws the grid, with the legend next to it or below it.
func (c *contextDrawing) picture() {
	var legend []string
	beside := c.width >= 60
	room := c.width
	if beside {
		room -= gridWide
	}
	var cells []string
	groups, free, back := c.p.cells(gridSide * gridSide)
	number, names := 6, 28 // the columns of the largest number and the longest name
	for _, g := range c.p.Groups {
		number, names = max(number, len(Digits(g.Tokens))+1), max(names, width(c.s.Clean(g.Label)))
	}
	entry := func(cell, label string, tokens int64, basis api.Basis, share *api.Hundredths, color string) {
		percent := ""
		if share != nil {
			percent = tenths(*share) + "%"
		}
		marked := Digits(tokens)
		if m := mark(basis); m != "" {
			marked = m + marked
		}
		tail := padLeft(marked, number) + padLeft(percent, 7)
		fits := min(room-2-width(tail)-1, names)
		legend = append(legend, cell+" "+c.s.paint(color, padRight(c.s.cut(c.s.Clean(label), fits), fits))+" "+tail)
	}
	for i, g := range c.p.Groups {
		letter, color := lookOf(g.Kind)
		cell := letter
		if c.s.Color {
			cell = c.s.paint(color, c.s.either("■", letter))
		}
		for range groups[i] {
			cells = append(cells, cell)
		}
		entry(cell, g.Label, g.Tokens, g.Basis, g.Share, plain)
	}
	empty, held := c.s.paint(faint, c.s.either("·", ".")), c.s.paint(faint, c.s.either("□", "x"))
	for range free {
		cells = append(cells, empty)
	}
	for range back {
		cells = append(cells, held)
	}
	if c.p.Free != nil {
		label, share := "Free", c.p.FreeShare
		if c.p.Threshold != nil && *c.p.Free >= 0 {
			label = "Left until it compacts"
		} else if *c.p.Free < 0 {
			label, share = "Over the threshold", nil
		}
		entry(empty, label, max(*c.p.Free, -*c.p.Free), "", share, plain)
	}
	if c.p.HeldBack > 0 {
		label := "Held back"
		if c.p.Threshold != nil {
			label += ", compacts at " + core.Short(*c.p.Threshold)
		}
		entry(held, label, c.p.HeldBack, "", c.p.HeldBackShare, faint)
	}
	if !beside {
		c.grid(cells, nil)
		c.line("")
		for _, text := range legend {
			c.line(text)
		}
		return
	}
	c.grid(cells, legend)
}

// grid draws the cells in lines of ten with the legend next to them. A shorter legend is centered vertically.
func (c *contextDrawing) grid(cells, legend []string) {
	above := max(0, (gridSide-len(legend))/2)
	for row := 0; row < max(gridSide, len(legend)); row++ {
		text := strings.Repeat(" ", gridWide-2)
		if row < gridSide && len(cells) == gridSide*gridSide {
			text = strings.Join(cells[row*gridSide:(row+1)*gridSide], " ") + " "
		}
		if i := row - above; i >= 0 && i < len(legend) {
			text += "  " + legend[i]
		}
		c.line(text)
	}
}

// section lists the named parts of one kind.
func (c *contextDrawing) section(title string, parts []Named) {
	if len(parts) == 0 {
		return
	}
	c.line("")
	c.line(c.s.paint(accent, c.s.Clean(title)))
	rest := int64(0)
	for i, part := range parts {
		if i >= namedShown && len(parts) > namedShown+1 {
			rest += part.Tokens
			continue
		}
		c.named(part.Label, "", part.Tokens, part.Basis, "")
	}
	if more := len(parts) - namedShown; rest > 0 || more > 1 {
		c.named("and "+itoa(int64(more))+" more", "", rest, "", "")
	}
}

// serversNamed is how many MCP servers are listed; the largest come first.
const serversNamed = 8

// servers lists the cost of each MCP server in the Reading's words.
func (c *contextDrawing) servers() {
	if len(c.p.Servers) == 0 {
		return
	}
	c.line("")
	c.line(c.s.paint(accent, "MCP servers"))
	for i, server := range c.p.Servers {
		if i == serversNamed {
			c.line("  and " + itoa(int64(len(c.p.Servers)-i)) + " more")
			break
		}
		for j, text := range wrap(c.s.Clean(server.Text.Text), c.width-4) {
			c.line([]string{"  ", "    "}[min(j, 1)] + text)
		}
	}
}

func (c *contextDrawing) largest() {
	if len(c.p.Largest) == 0 {
		return
	}
	c.line("")
	c.line(c.s.paint(accent, "Largest in the conversation"))
	for _, item := range c.p.Largest {
		times := ""
		if item.Times > 1 {
			times = c.s.either(" ×", " x") + itoa(item.Times)
		}
		place := ""
		if item.Place != nil {
			place = "line " + itoa(*item.Place)
		}
		c.named(item.Label.Text, times, item.Tokens, item.Basis, place)
	}
}

// named writes one line of a list: the name, its tokens, and its position.
func (c *contextDrawing) named(label, times string, tokens int64, basis api.Basis, place string) {
	number := mark(basis) + core.Short(tokens)
	room := c.width - 2 - 8
	if c.width >= 60 {
		room = min(room-13, 56)
	} else {
		place = ""
	}
	name := c.s.cut(c.s.Clean(label), room-width(times)) + times
	text := "  " + padRight(name, room) + padLeft(number, 8)
	if place != "" {
		text += "  " + c.s.paint(faint, place)
	}
	c.line(text)
}
