package token

// A wordTable knows the tokens of up to 15 bytes by their bytes. It answers most pieces that have not been seen before
// without merging. It is exact because merging makes of every token's bytes that token, which Load takes from the way
// a pack is made: a token is nothing but the result of its merges.
//
// It is made when a tokenizer has met enough new pieces for it to pay.
type wordTable struct {
	short  []uint64 // keys as in the cache, count 0
	medium []mediumKey
	shift  uint8
	wide   uint8
}

// wordTableAfter is how many pieces are merged before the table is made: about as many as take the time that making it takes.
const wordTableAfter = 12_000

func newWordTable(v *Vocabulary) *wordTable {
	short, medium := 0, 0
	for i := v.first; i < uint32(len(v.sizes)); i++ {
		switch n := int(v.sizes[i]); {
		case n <= shortPieceMax:
			short++
		case n <= mediumPieceMax:
			medium++
		}
	}
	t := &wordTable{}
	t.short, t.shift = table[uint64](short)
	t.medium, t.wide = table[mediumKey](medium)
	// The bytes of the symbols, as far as they are short enough.
	texts := make([]mediumKey, len(v.parts))
	for b := range uint32(256) {
		texts[b].a = uint64(b)
	}
	for i := v.first; i < uint32(len(v.parts)); i++ {
		n := int(v.sizes[i])
		if n > mediumPieceMax {
			continue
		}
		part := v.parts[i]
		left, right := texts[part.left], texts[part.right]
		shift := uint(v.sizes[part.left]) * 8
		text := left
		if shift < 64 {
			text.a |= right.a << shift
			text.b = right.a>>1>>(63-shift) | right.b<<shift
		} else {
			text.b |= right.a << (shift - 64)
		}
		texts[i] = text
		if n <= shortPieceMax {
			key := text.a | uint64(n)<<shortLength
			at := key * hashFactor >> t.shift
			for t.short[at] != 0 {
				at = (at + 1) & uint64(len(t.short)-1)
			}
			t.short[at] = key
		} else {
			text.b |= uint64(n) << mediumLength
			at := (text.a*hashFactor ^ text.b) * hashFactor >> t.wide
			for t.medium[at].b != 0 {
				at = (at + 1) & uint64(len(t.medium)-1)
			}
			t.medium[at] = text
		}
	}
	return t
}

// table returns room for so many entries and the shift that makes an index of a hash.
func table[T any](entries int) ([]T, uint8) {
	shift := uint8(60)
	for 1<<(64-shift) < entries+entries/4 {
		shift--
	}
	return make([]T, 1<<(64-shift)), shift
}

func (t *wordTable) hasShort(key uint64) bool {
	at := key * hashFactor >> t.shift
	for {
		switch t.short[at] {
		case key:
			return true
		case 0:
			return false
		}
		at = (at + 1) & uint64(len(t.short)-1)
	}
}

func (t *wordTable) hasMedium(a, b uint64) bool {
	at := (a*hashFactor ^ b) * hashFactor >> t.wide
	for {
		entry := &t.medium[at]
		if entry.b == b && entry.a == a {
			return true
		}
		if entry.b == 0 {
			return false
		}
		at = (at + 1) & uint64(len(t.medium)-1)
	}
}
