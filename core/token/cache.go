package token

// A pieceCache remembers how many tokens short pieces have. A piece is its own key, so that a hit is never wrong; a new
// piece takes the place of the one that was where it belongs.
//
// A key of up to 7 bytes is one word, of up to 15 two, of up to 30 four. The bytes that are left over at the end hold the
// piece's length and, in their low bits, the count: a slot that is empty has the length 0, which no piece has.
type pieceCache struct {
	short  []uint64
	medium []mediumKey
	long   []longKey
	huge   []hugePiece // 2 MB, made when a piece comes that is longer than those
}

type mediumKey struct{ a, b uint64 }

type longKey struct{ a, b, c, d uint64 }

// A hugePiece is kept with its bytes: words are seldom as long, but scripts without spaces have whole clauses as pieces.
type hugePiece struct {
	size, count uint16
	text        [hugePieceMax]byte
}

const (
	shortBits  = 14 // of the number of slots
	mediumBits = 14
	longBits   = 13
	hugeBits   = 14

	shortPieceMax  = 7
	mediumPieceMax = 15
	longPieceMax   = 30
	hugePieceMax   = 124

	// Where the last word of a key holds the count, and where the length.
	shortCount   = 56
	shortLength  = 60
	mediumCount  = 56
	mediumLength = 60
	longCount    = 48
	longLength   = 56

	countMask     = 15 << shortCount // of short and medium keys
	longCountMask = 255 << longCount

	hashFactor = 0x9E3779B97F4A7C15
)

// remember keeps how many tokens a piece has, if there is room for it: a piece that is not UTF-8 can have more than its bytes.
func (t *Tokenizer) remember(piece []byte, tokens int64) {
	c, size, n := &t.cache, len(piece), uint64(tokens)
	switch {
	case size <= mediumPieceMax && n > 15 || size <= longPieceMax && n > 255:
	case size <= shortPieceMax:
		key := wordAt(piece, 0) | uint64(size)<<shortLength
		c.short[hashShort(key)] = key | n<<shortCount
	case size <= mediumPieceMax:
		a, b := wordAt(piece, 0), wordAt(piece, 8)|uint64(size)<<mediumLength
		c.medium[hashMedium(a, b)] = mediumKey{a, b | n<<mediumCount}
	case size <= longPieceMax:
		key := newLongKey(piece, 0, size)
		slot := &c.long[key.hash()]
		*slot = key
		slot.d |= n << longCount
	case size <= hugePieceMax:
		slot := c.slot(piece)
		slot.size, slot.count = uint16(size), uint16(n)
		copy(slot.text[:], piece)
	}
}

// newLongKey is the key of n bytes of a text, more than mediumPieceMax.
func newLongKey(text []byte, begin, n int) longKey {
	key := longKey{a: wordAt(text, begin), b: wordAt(text, begin+8)}
	if n < 24 {
		key.c = low(wordAt(text, begin+16), n-16)
	} else {
		key.c = wordAt(text, begin+16)
		key.d = low(wordAt(text, begin+24), n-24)
	}
	key.d |= uint64(n) << longLength
	return key
}

func newPieceCache() pieceCache {
	return pieceCache{
		short:  make([]uint64, 1<<shortBits),
		medium: make([]mediumKey, 1<<mediumBits),
		long:   make([]longKey, 1<<longBits),
	}
}

func (c *pieceCache) clear() {
	clear(c.short)
	clear(c.medium)
	clear(c.long)
	clear(c.huge)
}

// word reads eight bytes of p; compilers make one load of it.
func word(p []byte, i int) uint64 {
	b := p[i : i+8 : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// wordAt reads eight bytes of p; those beyond its end are 0.
func wordAt(p []byte, i int) uint64 {
	if i+8 <= len(p) {
		return word(p, i)
	}
	var w uint64
	for j := min(i+8, len(p)) - 1; j >= i; j-- {
		w = w<<8 | uint64(p[j])
	}
	return w
}

// low keeps the first n bytes of a word, n < 8.
func low(w uint64, n int) uint64 { return w & (1<<(uint(n)*8&63) - 1) }

func hashShort(key uint64) uint64 { return key * hashFactor >> (64 - shortBits) }

func hashMedium(a, b uint64) uint64 {
	return (a*hashFactor ^ b) * hashFactor >> (64 - mediumBits)
}

func (k *longKey) hash() uint64 {
	h := (k.a ^ k.c*0xC2B2AE3D27D4EB4F) * hashFactor
	return (h ^ h>>32 ^ k.b ^ k.d*0x165667B19E3779F9) * hashFactor >> (64 - longBits)
}

// slot is where a piece longer than longPieceMax belongs.
func (c *pieceCache) slot(piece []byte) *hugePiece {
	if c.huge == nil {
		c.huge = make([]hugePiece, 1<<hugeBits)
	}
	h := uint64(len(piece))
	for i := 0; i+8 <= len(piece); i += 8 {
		h = (h ^ word(piece, i)) * hashFactor
		h ^= h >> 29
	}
	return &c.huge[(h^word(piece, len(piece)-8))*hashFactor>>(64-hugeBits)]
}

func (p *hugePiece) is(piece []byte) bool {
	n := len(piece)
	if int(p.size) != n {
		return false
	}
	for i := 0; i+8 <= n; i += 8 {
		if word(p.text[:], i) != word(piece, i) {
			return false
		}
	}
	return word(p.text[:], n-8) == word(piece, n-8)
}
