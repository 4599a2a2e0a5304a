// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"slices"
	"strconv"
	"strings"
)

// MaxText is the maximum length of a document in bytes.
const MaxText = 8 << 20

// A Document is an open prompt file, or a file that one imports.
type Document struct {
	ID    string
	Path  string // relative to the workspace, or ~/…
	Kind  Kind
	Agent string // the agent that reads the file; if several read this kind, the one whose loading rules apply
	Text  []byte

	counter Counter
	syntax  syntax
	blocks  []block
	parts   int  // number of headings, imports and fences in the blocks
	coarse  bool // there are more parts than MaxParts, so no marks are kept
	front   frontmatter
	links   []Link // results of the host's lookup of the imports, sorted by target
	lines   []int  // offset of each line; nil after a change
}

// A Link is the host's result for the target of an import: a document of the same set, or the reason why there is none.
type Link struct {
	Target  string
	ID      string
	Problem Problem
}

// A Problem is the reason why an import leads to no file.
type Problem string

// The problems of imports. Found means that there is none.
const (
	Found    Problem = ""
	Missing  Problem = "missing"
	Outside  Problem = "outside"  // outside the directories that may be read
	TooLarge Problem = "tooLarge" // or not text
	Failed   Problem = "unreadable"
)

// A TextError is a message that explains why a change was refused.
type TextError string

func (e TextError) Error() string { return string(e) }

// Open returns a document with a copy of the text, or a TextError if it is too long.
func Open(id, path, agent string, text []byte, c Counter) (*Document, error) {
	if len(text) > MaxText {
		return nil, TextError("The document is " + strconv.Itoa(len(text)) + " bytes long; " + strconv.Itoa(MaxText) + " are taken.")
	}
	d := &Document{ID: id, Path: path, Kind: KindOf(path), Agent: agent, counter: c}
	if r := d.Kind.Reader(); r != "" {
		d.Agent = r
	}
	d.syntax = syntaxFor(d.Kind, d.Agent)
	d.Text = append(make([]byte, 0, len(text)+len(text)/8), text...)
	d.recut()
	return d, nil
}

// syntaxFor returns the import syntax of files of a kind. Other files, and those that several agents read, use the
// syntax of the agent.
func syntaxFor(k Kind, agent string) syntax {
	if s := descriptions[k].syntax; s != noImports || k != None && k != AgentsMD {
		return s
	}
	switch agent {
	case "claude-code", "gemini-cli", "qwen-code", "amp", "cursor", "goose":
		return atImports
	case "copilot":
		return referenced
	}
	return noImports
}

// Count recounts the document with c, which is also used from now on.
func (d *Document) Count(c Counter) {
	d.counter = c
	d.recut()
}

// Links sets the host's results for the imports.
func (d *Document) Links(links []Link) {
	d.links = append([]Link(nil), links...)
	// If several links have the same target, the first one is used.
	slices.SortStableFunc(d.links, func(a, b Link) int { return strings.Compare(a.Target, b.Target) })
}

// Replace replaces the whole text. It returns a TextError if the text is too long.
func (d *Document) Replace(text []byte) error {
	if len(text) > MaxText {
		return TextError("The document is " + strconv.Itoa(len(text)) + " bytes long; " + strconv.Itoa(MaxText) + " are taken.")
	}
	d.Text = append(d.Text[:0], text...)
	d.recut()
	return nil
}

// Change replaces the bytes from..to, and reads and counts only the blocks around them again. It returns a TextError if
// the range is outside the text or the result is too long.
func (d *Document) Change(from, to int, with []byte) error {
	if from < 0 || to < from || to > len(d.Text) {
		return TextError("The change " + strconv.Itoa(from) + ".." + strconv.Itoa(to) + " is outside of a document of " + strconv.Itoa(len(d.Text)) + " bytes.")
	}
	if len(d.Text)+len(with)-(to-from) > MaxText {
		return TextError("The document would be longer than " + strconv.Itoa(MaxText) + " bytes.")
	}
	// Cut the blocks that contain the change again. Include the previous or next block if the change may remove the
	// boundary with it, which depends on the first line after it and the last character before it.
	first, start := d.blockAt(from)
	last, end := first, start
	for last < len(d.blocks) && (end <= to || last == first) {
		end += int(d.blocks[last].size)
		last++
	}
	if first > 0 && from <= lineEnd(d.Text[:end], start) {
		first--
		start -= int(d.blocks[first].size)
	}
	if last < len(d.blocks) && to >= end-1 {
		end += int(d.blocks[last].size)
		last++
	}
	d.splice(from, to, with)
	end += len(with) - (to - from)
	removed := partsOf(d.blocks[first:last])
	fresh, fits := d.cut(d.Text[start:end], nil, MaxParts-d.parts+removed)
	parts := d.parts - removed + partsOf(fresh)
	if !fits || d.coarse && parts <= MaxParts {
		d.recut()
		return nil
	}
	d.blocks, d.parts = replaceBlocks(d.blocks, first, last, fresh), parts
	if from <= max(d.front.end, 8) || d.front.unclosed && from < maxFrontmatter {
		d.front = readFrontmatter(d.Text)
	}
	return nil
}

// blockAt returns the index and start of the block that contains an offset; the last block for offsets past the end.
func (d *Document) blockAt(offset int) (index, start int) {
	for i := range d.blocks {
		size := int(d.blocks[i].size)
		if offset < start+size || i == len(d.blocks)-1 {
			return i, start
		}
		start += size
	}
	return 0, 0
}

func (d *Document) splice(from, to int, with []byte) {
	d.lines = nil
	n := len(d.Text)
	grow := len(with) - (to - from)
	if grow > 0 {
		for cap(d.Text) < n+grow {
			d.Text = append(d.Text[:cap(d.Text)], 0)
		}
		d.Text = d.Text[:n+grow]
	}
	copy(d.Text[to+grow:], d.Text[to:n])
	copy(d.Text[from:], with)
	d.Text = d.Text[:n+grow]
}

func replaceBlocks(blocks []block, first, last int, fresh []block) []block {
	if len(fresh) == last-first {
		copy(blocks[first:], fresh)
		return blocks
	}
	out := make([]block, 0, len(blocks)-(last-first)+len(fresh)+len(blocks)/16)
	out = append(out, blocks[:first]...)
	out = append(out, fresh...)
	return append(out, blocks[last:]...)
}

// weight returns the weight of the whole document.
func (d *Document) weight() Weight {
	var w Weight
	for i := range d.blocks {
		w.Add(d.blocks[i].weight)
	}
	return w
}

// A Section is a heading and the text up to the next one.
type Section struct {
	Title    string
	Level    int
	From, To int // the heading's line, in bytes
	End      int // end of the section, including its subsections
	own      Weight
	all      Weight
	Own      int64 // tokens up to the next heading
	Tokens   int64 // tokens including the subsections
}

// An Import is a reference to another file in the text.
type Import struct {
	Target   string
	From, To int
}

// outline returns the sections with their weights and tokens, and the imports, leaving out those inside code blocks.
func (d *Document) outline() (sections []Section, imports []Import) {
	var open mark // the open fence, if any
	offset := 0
	for i := range d.blocks {
		b := &d.blocks[i]
		for _, m := range b.marks {
			from, to := offset+int(m.at), offset+int(m.end)
			if from < d.front.end {
				continue
			}
			switch {
			case m.kind == markFence && open.kind == markFence && open.char != 0:
				if m.char == open.char && m.level >= open.level && m.bare {
					open = mark{}
				}
			case m.kind == markFence:
				open = m
			case open.char != 0:
			case m.kind == markHeading:
				sections = append(sections, Section{Title: title(d.Text[from:to], int(m.level)), Level: int(m.level), From: from, To: lineTextEnd(d.Text, from, to)})
			case m.kind == markImport:
				imports = append(imports, Import{Target: targetOf(d.Text[from:to], m.char), From: from, To: to})
			}
		}
		if n := len(sections); n > 0 {
			sections[n-1].own.Add(b.weight)
		}
		offset += int(b.size)
	}
	closeSections(sections, len(d.Text))
	for i := range sections {
		sections[i].Own = d.counter.Tokens(sections[i].own)
		sections[i].Tokens = d.counter.Tokens(sections[i].all)
	}
	return sections, imports
}

// closeSections sets the end of each section, and adds the weights of its subsections to it.
func closeSections(sections []Section, end int) {
	var open []int
	shut := func(level, at int) {
		for len(open) > 0 && sections[open[len(open)-1]].Level >= level {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			sections[i].End = at
			if len(open) > 0 {
				sections[open[len(open)-1]].all.Add(sections[i].all)
			}
		}
	}
	for i := range sections {
		shut(sections[i].Level, sections[i].From)
		sections[i].all = sections[i].own
		open = append(open, i)
	}
	shut(0, end)
}

// title returns the text of a heading without its # marks, shortened to 120 bytes.
func title(line []byte, level int) string {
	text := trim(line[level:])
	n := len(text)
	for n > 0 && text[n-1] == '#' {
		n--
	}
	if n < len(text) && (n == 0 || text[n-1] == ' ') {
		text = trim(text[:n])
	}
	const most = 120
	if len(text) > most {
		n := most
		for n > 0 && text[n]&0xC0 == 0x80 {
			n--
		}
		return string(text[:n]) + "…"
	}
	return string(text)
}

// lineTextEnd returns the end of the line from..to without its line break.
func lineTextEnd(text []byte, from, to int) int {
	for to > from && (text[to-1] == '\n' || text[to-1] == '\r') {
		to--
	}
	return to
}
