// Copyright The ctx-lsp authors. MIT licence.

package token

// Boundaries appends the ends of the text's tokens to dst, for display: a token may end inside a character. Where
// something that is not UTF-8 counts as several tokens, they may end at the same place.
func (t *Tokenizer) Boundaries(text []byte, dst []int) []int {
	set := t.added
	if t.special {
		set = t.controls
	}
	if set == nil {
		return t.plainBoundaries(text, 0, len(text), dst)
	}
	for i := 0; i < len(text); {
		begin, end := set.find(text, i)
		dst = t.plainBoundaries(text, i, begin, dst)
		if end > begin {
			dst = append(dst, end)
		}
		i = end
	}
	return dst
}

func (t *Tokenizer) plainBoundaries(text []byte, i, stop int, dst []int) []int {
	if c := t.v.composer; c != nil && !c.isComposed(text[i:stop]) {
		return t.composedBoundaries(text[:stop], i, dst)
	}
	for i < stop {
		end := t.next(text[:stop], i)
		dst = t.merger.ends(text[i:end], i, dst)
		i = end
	}
	return dst
}

// composedBoundaries is plainBoundaries for text that is brought into form C first: a token that ends inside of what
// was composed ends, in the text, behind it.
func (t *Tokenizer) composedBoundaries(text []byte, i int, dst []int) []int {
	c := t.v.composer
	t.composed = c.compose(t.composed[:0], text[i:])
	mark := len(dst)
	for at := 0; at < len(t.composed); {
		end := t.next(t.composed, at)
		dst = t.merger.ends(t.composed[at:end], at, dst)
		at = end
	}
	var part []byte
	behind := 0 // in the composed text, where the segments before i end
	for k := mark; k < len(dst); {
		if dst[k] <= behind || i >= len(text) {
			dst[k] = i
			k++
			continue
		}
		end := c.segment(text, i)
		part = c.composeSegment(part[:0], text[i:end])
		if behind+len(part) >= dst[k] && len(part) == end-i { // unchanged: as fine as it gets
			for k < len(dst) && dst[k] <= behind+len(part) {
				dst[k] += i - behind
				k++
			}
		}
		behind += len(part)
		i = end
	}
	return dst
}

// ends appends the ends of a piece's tokens, counted from base.
func (m *merger) ends(piece []byte, base int, dst []int) []int {
	valid := m.valid(piece)
	if m.v.whole.has(valid) {
		return append(dst, base+len(piece))
	}
	mark := len(dst)
	_, dst = m.cutInWindows(valid, base, dst, true)
	if len(valid) == len(piece) {
		return dst
	}
	// Where U+FFFD stands for what was broken, go back to the bytes it stands for.
	raw, fixed := 0, 0
	for k := mark; k < len(dst); {
		size, width := 0, 0
		if raw < len(piece) {
			var c rune
			c, size = decodeRune(piece, raw)
			width = runeLength(c)
		}
		if end := dst[k] - base; end > fixed+width && size > 0 {
			raw, fixed = raw+size, fixed+width
		} else {
			dst[k] = base + min(len(piece), raw+min(size, end-fixed))
			k++
		}
	}
	return dst
}
