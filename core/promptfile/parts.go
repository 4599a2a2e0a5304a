// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "bytes"

// MaxParts is the maximum number of headings, imports and fences that are kept for a document. Each takes about a
// hundred times the two bytes in which it may be written, and documents are untrusted. A document with more is counted
// as a whole, which is as exact, and gets a finding about it.
const MaxParts = 20_000

// Parts returns an upper bound for the number of headings, imports and fences in a text. It allocates nothing, so a
// host can estimate the memory that a text would take before opening it.
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

// recut divides the whole text into blocks again.
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

// cut appends the blocks of text to out. It gives up once they have more than room parts, unless the document is
// coarse.
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
