// Copyright The ctx-lsp authors. MIT licence.

package token

// Boundaries appends the ends of the text's tokens to dst, for display: a token may end inside a character. If invalid
// UTF-8 counts as several tokens, they may end at the same offset. If the vocabulary tiles text, the ends of the
// model's tokens are unknown, and all are given as the end of the text.
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
	if t.tiler != nil {
		for range t.plain(text[i:stop]) {
			dst = append(dst, stop)
		}
		return dst
	}
	if c := t.v.composer; c != nil && !c.IsComposed(text[i:stop]) {
		return t.composedBoundaries(text[:stop], i, dst)
	}
	for i < stop {
		end := t.next(text[:stop], i)
		dst = t.pieces.Ends(text[i:end], i, dst)
		i = end
	}
	return dst
}

// composedBoundaries does the same as plainBoundaries, but composes the text first (form C). A token that ends inside a
// composed sequence is given the end of that sequence in the text.
func (t *Tokenizer) composedBoundaries(text []byte, i int, dst []int) []int {
	c := t.v.composer
	t.composed = c.Compose(t.composed[:0], text[i:])
	mark := len(dst)
	for at := 0; at < len(t.composed); {
		end := t.next(t.composed, at)
		dst = t.pieces.Ends(t.composed[at:end], at, dst)
		at = end
	}
	var part []byte
	done := 0 // offset in the composed text: end of the segments before i
	for k := mark; k < len(dst); {
		if dst[k] <= done || i >= len(text) {
			dst[k] = i
			k++
			continue
		}
		end := c.Segment(text, i)
		part = c.ComposeSegment(part[:0], text[i:end])
		if len(part) == end-i { // unchanged, so offsets inside it are exact
			for k < len(dst) && dst[k] <= done+len(part) {
				dst[k] += i - done
				k++
			}
		}
		done += len(part)
		i = end
	}
	return dst
}
