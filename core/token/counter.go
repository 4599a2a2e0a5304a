// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/tiles"
)

// A Counter counts a text that is edited, such as a draft that is being typed or a reply that is streaming in. It keeps
// the text in blocks that no token can cross, so that a change recounts only the blocks it touches. A text that
// cannot be cut, such as a word of a megabyte, is one block, which every change recounts.
type Counter struct {
	t      *Tokenizer
	blocks []block
	size   int
	tokens int64
}

type block struct {
	text   []byte
	tokens int64
	known  bool
}

// blockBytes is the length after which a block is cut at the next opportunity.
const blockBytes = 1024

// NewCounter returns a counter for an empty text.
func (t *Tokenizer) NewCounter() *Counter { return &Counter{t: t} }

// Len returns the length of the text in bytes.
func (c *Counter) Len() int { return c.size }

// Append appends to the text.
func (c *Counter) Append(text []byte) { c.Replace(c.size, c.size, text) }

// Reset clears the text.
func (c *Counter) Reset() {
	clear(c.blocks)
	c.blocks, c.size, c.tokens = c.blocks[:0], 0, 0
}

// Replace replaces the bytes from..to. Offsets outside the text are clamped.
func (c *Counter) Replace(from, to int, text []byte) {
	from = max(0, min(from, c.size))
	to = max(from, min(to, c.size))
	if from == to && len(text) == 0 {
		return
	}
	first, before := c.find(from)
	last, offset := c.find(to)
	if first < len(c.blocks) && first == last && from == to && before == len(c.blocks[first].text) {
		// Appending to a block reuses its memory.
		c.tokens -= c.forget(first)
		c.blocks[first].text = append(c.blocks[first].text, text...)
	} else {
		joined := make([]byte, 0, blockBytes)
		if first < len(c.blocks) {
			joined = append(joined, c.blocks[first].text[:before]...)
		}
		joined = append(joined, text...)
		if last < len(c.blocks) {
			joined = append(joined, c.blocks[last].text[offset:]...)
		}
		end := min(last+1, len(c.blocks))
		for i := first; i < end; i++ {
			c.tokens -= c.forget(i)
		}
		c.splice(first, end, block{text: joined})
	}
	c.size += len(text) - (to - from)
	c.rejoin(first, before)
}

// find returns the block that contains an offset, and the offset in it. An offset between two blocks belongs to the
// first.
func (c *Counter) find(at int) (index, offset int) {
	for i := range c.blocks {
		if n := len(c.blocks[i].text); at <= n {
			return i, at
		} else {
			at -= n
		}
	}
	return len(c.blocks), 0
}

func (c *Counter) forget(i int) int64 {
	b := &c.blocks[i]
	n := b.tokens
	b.tokens, b.known = 0, false
	return n
}

// splice replaces the blocks from first to end.
func (c *Counter) splice(first, end int, with ...block) {
	rest := append([]block(nil), c.blocks[end:]...)
	c.blocks = append(append(c.blocks[:first], with...), rest...)
}

// rejoin joins a changed block, which is not counted, with its neighbors if they can no longer be counted separately,
// and cuts it if it is long. In a very long block it searches only after the change, because the part before was
// searched earlier without success.
func (c *Counter) rejoin(i, changed int) {
	for i+1 < len(c.blocks) && !c.t.apart(c.blocks[i].text, c.blocks[i+1].text) {
		c.tokens -= c.forget(i + 1)
		c.splice(i, i+2, block{text: append(c.blocks[i].text, c.blocks[i+1].text...)})
	}
	for i > 0 && !c.t.apart(c.blocks[i-1].text, c.blocks[i].text) {
		i--
		changed += len(c.blocks[i].text)
		c.tokens -= c.forget(i)
		c.splice(i, i+2, block{text: append(c.blocks[i].text, c.blocks[i+1].text...)})
	}
	text := c.blocks[i].text
	if len(text) == 0 {
		c.splice(i, i+1)
	}
	if len(text) <= 2*blockBytes {
		return
	}
	var parts []block
	begin := 0
	from := blockBytes
	if changed > 8*blockBytes {
		from = changed - 4
	}
	for at := from; at < len(text); at++ {
		if c.t.apart(text[begin:at], text[at:]) {
			parts = append(parts, block{text: append([]byte(nil), text[begin:at]...)})
			begin = at
			at += blockBytes
		}
	}
	if begin > 0 {
		parts = append(parts, block{text: append(make([]byte, 0, len(text)-begin+blockBytes/2), text[begin:]...)})
		c.splice(i, i+1, parts...)
	}
}

// Tokens returns the number of tokens in the text.
func (c *Counter) Tokens() int64 {
	for i := range c.blocks {
		if b := &c.blocks[i]; !b.known {
			b.tokens, b.known = c.t.Count(b.text), true
			c.tokens += b.tokens
		}
	}
	return c.tokens
}

// apart reports whether two adjacent texts can be counted separately: a piece ends between them whatever precedes and
// follows, and the scanner needs neither text to cut the other.
func (t *Tokenizer) apart(left, right []byte) bool {
	if len(left) == 0 || len(right) == 0 {
		return true
	}
	if t.unbroken || t.special && t.controlsHaveSpaces {
		return false
	}
	if t.tiler != nil {
		return tiles.Apart(left, right)
	}
	before := lastClass(left)
	next, size := split.Decode(right, 0)
	if right[0] >= 0x80 && (!t.asIs || brokenAt(right, size)) {
		return false
	}
	if t.v.crossings != nil { // no merge or added string crosses here, because those have no spaces
		return right[0] == ' ' && left[len(left)-1] < 0x80 && t.v.crossings.Never(rune(left[len(left)-1]), ' ')
	}
	switch {
	case next == split.ClassSpace:
		return before&split.SetSpaces == 0
	case next == split.ClassNewline:
		return before&(split.SetLetters|split.SetNumbers) != 0
	case next&(split.SetSymbols|split.ClassBare) != 0:
		// A quotation mark may continue the word, a slash may belong to the line break before it, and control strings
		// begin with characters like these.
		return before&(split.SetLetters|split.SetNumbers) != 0 && right[0] != '\'' && t.asIs && !t.special
	}
	return false
}

// lastClass returns the class of a text's last character, 0 if it is invalid UTF-8.
func lastClass(text []byte) uint32 {
	i := len(text) - 1
	for i > 0 && text[i]&0xC0 == 0x80 && len(text)-i < 4 {
		i--
	}
	class, size := split.Decode(text, i)
	if i+size != len(text) || text[i] >= 0x80 && brokenAt(text[i:], size) {
		return 0
	}
	return class
}

// brokenAt reports whether text begins with invalid UTF-8. Its first character is not ASCII and has this size.
func brokenAt(text []byte, size int) bool {
	c, _ := split.DecodeRune(text, 0)
	return c == split.Replacement && (size != 3 || text[0] != 0xEF || text[1] != 0xBF || text[2] != 0xBD)
}
