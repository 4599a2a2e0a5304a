package token

// A pieceCache remembers how many tokens short pieces have. A piece is its own key, so that a hit is never wrong;
// a new piece takes the place of the one that was where it belongs.
//
// Up to 7 bytes a key and its count are one word, up to 15 two; the highest byte holds length and count.
type pieceCache struct {
	short []uint64
	long  []longKey
}

type longKey struct{ low, high uint64 }

const (
	shortSlots = 1 << 14
	longSlots  = 1 << 13

	shortLength = 57 // bit of the length in a short key, 4 bits: count is below it, in the low bit and above
)

func newPieceCache() pieceCache {
	return pieceCache{short: make([]uint64, shortSlots), long: make([]longKey, longSlots)}
}

const cacheHash = 0x9E3779B97F4A7C15
