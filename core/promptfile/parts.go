// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "bytes"

// MaxParts is how many headings, imports and fences of a document are kept apart. Each costs some hundred times the two
// bytes that it may be written with, and a document is anybody's: one with more is counted as one piece, which is as
// exact, and a finding says so.
const MaxParts = 20_000

// Parts is how many headings, imports and fences a text has at most. It costs no memory, so a host can tell what a text
// would take before it is opened.
func Parts(text []byte) int {
	n := 0
	for i, c := range text {
		switch c {
		case '@':
			n++
		case '#':
			if i == 0 || text[i-1] == '\n' || bytes.HasPrefix(text[i:], []byte("#file:")) {
				n++
			}
		case '(':
			if i > 0 && text[i-1] == ']' {
				n++
			}
		case '`', '~':
			if i+2 < len(text) && text[i+1] == c && text[i+2] == c && (i == 0 || text[i-1] != c) {
				n++
			}
		}
	}
	return n
}

// recut divides the whole text again.
func (d *Document) recut() {
	d.lines = nil
	d.front = readFrontmatter(d.Text)
	d.coarse = false
	fits := false
	if d.blocks, fits = d.cut(d.Text, d.blocks[:0], MaxParts); !fits {
		d.coarse = true
		d.blocks, _ = d.cut(d.Text, nil, 0)
	}
	d.parts = partsOf(d.blocks)
}

// cut divides text into blocks. It gives up where they have more parts than there is room for, unless these are only
// counted.
func (d *Document) cut(text []byte, out []block, room int) (blocks []block, fits bool) {
	for len(text) > 0 {
		n := blockEnd(text, d.coarse)
		b := readBlock(text[:n], d.syntax, d.counter)
		if room -= int(b.parts); room < 0 && !d.coarse {
			return out, false
		}
		if d.coarse {
			b.marks = nil
		}
		out = append(out, b)
		text = text[n:]
	}
	return out, true
}

func partsOf(blocks []block) int {
	n := 0
	for i := range blocks {
		n += int(blocks[i].parts)
	}
	return n
}
