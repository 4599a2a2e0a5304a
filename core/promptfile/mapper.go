// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"sort"
	"unicode/utf8"
)

// An Encoding is the unit in which a client counts characters in a line.
type Encoding int

// The encodings of the protocol; every client supports UTF-16.
const (
	UTF16 Encoding = iota
	UTF8
	UTF32
)

func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "utf-8"
	case UTF32:
		return "utf-32"
	}
	return "utf-16"
}

// Negotiate chooses the encoding: UTF-8, which needs no conversion, if the client offers it, and otherwise the client's
// first choice.
func Negotiate(offered []string) Encoding {
	first, chosen := UTF16, false
	for _, name := range offered {
		switch name {
		case "utf-8":
			return UTF8
		case "utf-32":
			if !chosen {
				first, chosen = UTF32, true
			}
		case "utf-16":
			if !chosen {
				first, chosen = UTF16, true
			}
		}
	}
	return first
}

// A Position is a position in a text, as in the protocol: line and character from 0.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range is the text between two positions.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Mapper converts between positions and byte offsets in a text, and is kept up to date while the text is edited.
type Mapper struct {
	encoding Encoding
	text     []byte
	lines    []int // offset of each line
}

// NewMapper returns a mapper for text, which it keeps and edits in place.
func NewMapper(text []byte, encoding Encoding) *Mapper {
	m := &Mapper{encoding: encoding, text: text, lines: []int{0}}
	m.lines = appendLines(m.lines, text, 0)
	return m
}

// mapper returns a mapper for the current text. The line offsets are kept until the next change.
func (d *Document) mapper(units Encoding) *Mapper {
	if d.lines == nil {
		d.lines = appendLines([]int{0}, d.Text, 0)
	}
	return &Mapper{encoding: units, text: d.Text, lines: d.lines}
}

// appendLines appends the offset after each line break of text, which begins at offset base. Line breaks are , \r and a
// lone \r, as in the protocol.
func appendLines(lines []int, text []byte, base int) []int {
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			lines = append(lines, base+i+1)
		}
	}
	return lines
}

// Text returns the current text.
func (m *Mapper) Text() []byte { return m.text }

// Lines returns the number of lines.
func (m *Mapper) Lines() int { return len(m.lines) }

// Offset returns the byte offset of a position. As in the protocol, a character past the end of a line means the end of
// the line, and a line past the last one means the end of the text. A position inside a character means its start.
func (m *Mapper) Offset(p Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(m.lines) {
		return len(m.text)
	}
	start, end := m.lines[p.Line], m.lineEnd(p.Line)
	if m.encoding == UTF8 {
		at := min(start+max(p.Character, 0), end)
		for at > start && at < end && !utf8.RuneStart(m.text[at]) {
			at--
		}
		return at
	}
	at, units := start, 0
	for at < end && units < p.Character {
		r, size := utf8.DecodeRune(m.text[at:end])
		width := m.width(r)
		if units+width > p.Character {
			break
		}
		units += width
		at += size
	}
	return at
}

// lineEnd returns the end of a line without its line break.
func (m *Mapper) lineEnd(line int) int {
	end := len(m.text)
	if line+1 < len(m.lines) {
		end = m.lines[line+1]
	}
	if end > m.lines[line] && m.text[end-1] == '\n' && line+1 < len(m.lines) {
		end--
	}
	if end > m.lines[line] && m.text[end-1] == '\r' && line+1 < len(m.lines) {
		end--
	}
	return end
}

func (m *Mapper) width(r rune) int {
	if m.encoding == UTF16 && r > 0xFFFF {
		return 2
	}
	return 1
}

// line returns the line that contains an offset.
func (m *Mapper) line(offset int) int { return sort.SearchInts(m.lines, offset+1) - 1 }

// Position returns the position of a byte offset. An offset past the end means the end of the text.
func (m *Mapper) Position(offset int) Position {
	offset = max(0, min(offset, len(m.text)))
	line := m.line(offset)
	start := m.lines[line]
	if m.encoding == UTF8 {
		return Position{line, offset - start}
	}
	units := 0
	for at := start; at < offset; {
		r, size := utf8.DecodeRune(m.text[at:])
		if at+size > offset {
			break
		}
		units += m.width(r)
		at += size
	}
	return Position{line, units}
}

// Range returns the range between two byte offsets.
func (m *Mapper) Range(from, to int) Range { return Range{m.Position(from), m.Position(to)} }

// LineRange returns the range of the line that contains an offset, without its line break.
func (m *Mapper) LineRange(offset int) Range {
	line := m.Position(offset).Line
	return Range{Position{line, 0}, m.Position(m.lineEnd(line))}
}

// Edit replaces the text between two offsets. It scans only the new text, but moves everything after it.
func (m *Mapper) Edit(from, to int, with []byte) {
	// The edit may create or remove a line break together with the characters around it (\r and
	// ), so the lines are searched again from one byte before the edit to one byte after it.
	first := sort.SearchInts(m.lines, max(from, 1)) // line starts before this index stay
	last := sort.SearchInts(m.lines, to+2)          // line starts from this index on move
	shift := len(with) - (to - from)
	if shift <= 0 {
		copy(m.text[from:], with)
		m.text = append(m.text[:from+len(with)], m.text[to:]...)
	} else {
		n := len(m.text)
		m.text = append(m.text, make([]byte, shift)...)
		copy(m.text[to+shift:], m.text[to:n])
		copy(m.text[from:], with)
	}
	scanFrom := max(from-1, 0)
	scanTo := min(from+len(with)+1, len(m.text))
	var fresh []int
	if first == 0 {
		fresh = append(fresh, 0)
	}
	for i := scanFrom; i < scanTo; i++ {
		c := m.text[i]
		if c == '\n' || c == '\r' && (i+1 == len(m.text) || m.text[i+1] != '\n') {
			fresh = append(fresh, i+1)
		}
	}
	for i := last; i < len(m.lines); i++ {
		m.lines[i] += shift
	}
	m.lines = splice(m.lines, first, last, fresh)
}

func splice(lines []int, from, to int, with []int) []int {
	if grow := len(with) - (to - from); grow > 0 {
		n := len(lines)
		lines = append(lines, make([]int, grow)...)
		copy(lines[to+grow:], lines[to:n])
		copy(lines[from:], with)
		return lines
	}
	copy(lines[from:], with)
	return append(lines[:from+len(with)], lines[to:]...)
}
