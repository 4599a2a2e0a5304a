// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// A Weight is the contribution of a piece of text to a count. The weights of consecutive pieces are added, and only the
// sum is converted to tokens, so that rounding errors do not add up.
type Weight struct {
	Tokens   int64 // tokens in the counter's encoding
	Features estimate.Features
}

// Add adds the weight of another piece.
func (w *Weight) Add(o Weight) {
	w.Tokens += o.Tokens
	w.Features.Add(o.Features)
}

// Counter counts for one model.
type Counter interface {
	// Weigh returns the weight of a piece of whole lines.
	Weigh(text []byte) Weight
	// Tokens converts a sum of weights to tokens of the model.
	Tokens(Weight) int64
	// Exact reports whether the counts come from the model's own tokenizer.
	Exact() bool
}

const (
	// blockSize is the length after which a block ends at the next possible boundary. An edit recounts one to three
	// blocks.
	blockSize = 512
	// blockMost is the length at which a block ends even in the middle of a line, because lines can be of any length.
	blockMost = 64 << 10
	// paragraphLeast is the length of the shortest paragraph that is compared with others.
	paragraphLeast = 120
)

// A block is a run of whole lines and all that is derived from them. No token crosses from one block to the next: a
// block begins at a line that is neither blank nor begins with a slash, and all encodings split there.
type block struct {
	size   int32
	parts  int32 // number of marks, even if they are not kept
	weight Weight
	marks  []mark
	paras  []paragraph
}

type markKind uint8

const (
	markHeading markKind = iota
	markFence
	markImport
)

// A mark is a range in a block that matters for the whole document.
type mark struct {
	at, end int32 // offsets in the block
	kind    markKind
	level   uint8 // level of a heading; length of a fence, at most 255
	char    byte  // character of a fence; first character of an import
	bare    bool  // a fence with nothing after it, which may close another
}

// A paragraph is a run of lines between blank ones, identified by its hash.
type paragraph struct {
	at, end int32
	hash    uint64
}

// blockEnd returns the end of the block at the start of text: before the next heading (unless coarse), or at a boundary
// once the block is long enough.
func blockEnd(text []byte, coarse bool) int {
	seen := text[:min(len(text), blockMost+1)]
	for i := 0; i < len(seen); {
		next := lineEnd(seen, i)
		if next == len(seen) {
			break
		}
		c := seen[next]
		if c != '/' && !blank(seen[next:]) {
			if !coarse && c == '#' && headingLevel(seen[next:]) > 0 || next >= blockSize {
				return next
			}
		}
		i = next
	}
	if len(text) <= blockMost {
		return len(text)
	}
	return hardEnd(text)
}

// hardEnd returns where to end a block that has no line boundary in reach: before a word if possible, and never inside
// a character.
func hardEnd(text []byte) int {
	for i := blockMost; i > blockMost-256; i-- {
		if text[i] == ' ' && text[i-1] != ' ' && text[i-1] != '\n' && i+1 < len(text) && letter(text[i+1]) {
			return i
		}
	}
	for i := blockMost; i > 0; i-- {
		if text[i]&0xC0 != 0x80 {
			return i
		}
	}
	return blockMost
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// lineEnd returns the offset after the line that contains offset i, including its line break.
func lineEnd(text []byte, i int) int {
	for i < len(text) {
		if text[i] == '\n' {
			return i + 1
		}
		i++
	}
	return len(text)
}

// blank reports whether the first line of text is empty or only white space. So is a last line without a line break.
func blank(text []byte) bool {
	for _, c := range text {
		switch c {
		case '\n':
			return true
		case ' ', '\t', '\r', '\v', '\f':
		default:
			return false
		}
	}
	return true
}

// readBlock weighs a block and finds its marks and paragraphs.
func readBlock(text []byte, s syntax, c Counter) block {
	b := block{size: int32(len(text)), weight: c.Weigh(text)}
	para := -1
	endPara := func(at int) {
		if para >= 0 && at-para >= paragraphLeast {
			b.paras = append(b.paras, paragraph{int32(para), int32(at), hashLines(text[para:at])})
		}
		para = -1
	}
	for i := 0; i < len(text); {
		next := lineEnd(text, i)
		line := text[i:next]
		indent := 0
		for indent < len(line) && indent < 4 && line[indent] == ' ' {
			indent++
		}
		rest := line[indent:]
		switch {
		case blank(line):
			endPara(i)
		case indent < 4 && len(rest) > 2 && (rest[0] == '`' || rest[0] == '~') && rest[1] == rest[0] && rest[2] == rest[0]:
			if m, ok := fence(rest); ok {
				m.at, m.end = int32(i), int32(next)
				b.marks = append(b.marks, m)
			}
		case indent == 0 && rest[0] == '#' && headingLevel(rest) > 0:
			endPara(i)
			b.marks = append(b.marks, mark{at: int32(i), end: int32(next), kind: markHeading, level: uint8(headingLevel(rest))})
			i = next
			continue
		}
		if para < 0 && !blank(line) {
			para = i
		}
		b.imports(text, i, next, s)
		i = next
	}
	endPara(len(text))
	b.parts = int32(len(b.marks))
	return b
}

// headingLevel returns the heading level of a line, or 0 if it is not a heading.
func headingLevel(line []byte) int {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(line) && line[n] != ' ' && line[n] != '\t' && line[n] != '\n' && line[n] != '\r' {
		return 0
	}
	return n
}

func fence(line []byte) (mark, bool) {
	n := 0
	for n < len(line) && line[n] == line[0] {
		n++
	}
	m := mark{kind: markFence, level: uint8(min(n, 255)), char: line[0], bare: blank(line[n:])}
	if line[0] == '`' {
		for _, c := range line[n:] {
			if c == '`' {
				return m, false // code within a line
			}
		}
	}
	return m, true
}

// hashLines returns the FNV-1a hash of the text with every run of white space taken as one space.
func hashLines(text []byte) uint64 {
	h := fnv.Empty
	pending, begun := false, false
	for _, c := range text {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			pending = begun
			continue
		}
		begun = true
		if pending {
			h = fnv.Add(h, ' ')
			pending = false
		}
		h = fnv.Add(h, c)
	}
	return h
}
