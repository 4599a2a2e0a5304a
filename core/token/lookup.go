// Copyright The ctx-lsp authors. MIT licence.

package token

import "math/bits"

const noMerge = 1<<32 - 1

const (
	// The filter has 2^21 bits: most of what does not merge is told from it, and it stays in the near caches.
	filterWord = 64 - 15
	filterBit  = 64 - 21

	// A slot is a number in merges and, below it, bits of its hash, of which the lowest is always set.
	slotTag  = 11
	slotMask = 1<<slotTag - 1
	slotHash = 64 - 21 - slotTag

	// Slots come in buckets, which are filled from their beginning; what finds its bucket full goes to the next.
	bucketBits    = 3
	bucketsPassed = 100
)

const tooAlike = "too many of its tokens have the same hash"

// digest is the hash that the key of a piece is looked up by here, of which all bits are as good as any.
func (k pieceKey) digest() uint64 { return (k.a*hashFactor ^ k.b) * hashFactor }

// digest is that of a pair of symbols.
func (e entry) digest() uint64 { return uint64(e) * hashFactor }

// wanted returns the entry of what two neighbours merge into, if they merge, and its hash. With the text of a piece, of which
// they are the bytes from begin to end, they are looked for by these bytes, which is the same: of all pairs with these
// bytes only that of the merge ever meets (docs/tokens.md). The text has sixteen bytes more than the piece. If begin is end, they
// are looked for by themselves, as in vocabularies of which this is not known.
func wanted(text []byte, begin, end int32, left, right uint32) (entry, uint64) {
	n := int(end - begin)
	want := pairEntry(n, left, right)
	if uint(n-1) >= shortPieceMax {
		return want, want.digest()
	}
	at := text[begin : begin+16 : begin+16]
	cut := &cuts[n&15]
	key := pieceKey{word(at, 0) & cut.a, word(at, 8)&cut.b | cut.length}
	if n <= shortEntryMax {
		want = entry(key.a | key.b)
	}
	return want, key.digest()
}

// may is 0 if no merge has this hash.
func (v *Vocabulary) may(hash uint64) uint64 {
	return v.filter[hash>>filterWord] >> (hash >> filterBit & 63) & 1
}

// find returns the merge that has an entry and its hash, or noMerge: in a vocabulary of levels, the symbol that it makes. It is just small
// enough for Go to put it where it is called, which is why the bits of the hash are written out here and below.
func (v *Vocabulary) find(want entry, hash uint64) uint32 {
	slots := v.slots
	tag := uint32(hash>>slotHash)&slotMask | 1
	for at := v.bucket(hash); ; at++ {
		slot := slots[at&uint64(len(slots)-1)]
		if (slot^tag)&slotMask == 0 {
			if v.merges[slot>>slotTag] == want {
				return slot >> slotTag
			}
		} else if slot == 0 {
			return noMerge
		}
	}
}

// join returns the merge of a pair of symbols, which are the text between two places, and has it remembered in a slot of a pairMemory.
func (v *Vocabulary) join(text []byte, from, to int32, pair uint64, slot *uint64) uint32 {
	merge := uint32(noMerge)
	want, hash := wanted(text, from, to, uint32(pair>>wideLeft), uint32(pair&wideSymbol))
	if v.may(hash) != 0 {
		merge = v.find(want, hash)
	}
	*slot = remembered(pair, merge)
	return merge
}

// joins returns the merge of two symbols as find does, whatever the text, or noMerge.
func (v *Vocabulary) joins(left, right uint32) uint32 {
	size := 0
	if v.byText() {
		size = v.entries[left].size() + v.entries[right].size()
	}
	want := pairEntry(size, left, right)
	hash := want.digest()
	if size > 0 && size <= shortPieceMax {
		key := v.text(left).followed(uint(v.entries[left].size()), v.text(right))
		key.b |= uint64(size) << shortLength
		hash = key.digest()
		if size <= shortEntryMax {
			want = entry(key.a | key.b)
		}
	}
	if v.may(hash) == 0 {
		return noMerge
	}
	return v.find(want, hash)
}

// isToken tells whether a piece of up to shortPieceMax bytes is a token.
func (v *Vocabulary) isToken(key pieceKey, hash uint64) bool {
	slots := v.slots
	tag := uint32(hash>>slotHash)&slotMask | 1
	for at := v.bucket(hash); ; at++ {
		slot := slots[at&uint64(len(slots)-1)]
		if (slot^tag)&slotMask == 0 {
			if v.spells(slot>>slotTag, key) {
				return true
			}
		} else if slot == 0 {
			return false
		}
	}
}

// spells tells whether a symbol has these bytes.
func (v *Vocabulary) spells(symbol uint32, key pieceKey) bool {
	e := v.merges[symbol]
	if !e.wide() {
		return key.size() <= shortEntryMax && uint64(e) == key.a|key.b
	}
	if e.size() != key.size() {
		return false
	}
	text := v.text(symbol)
	return text.a == key.a && text.b == key.b&entryText
}

// bucket is where the slots begin that a hash belongs to.
func (v *Vocabulary) bucket(hash uint64) uint64 { return hash >> (v.shift & 63) << bucketBits }

// makeRoom makes the tables in which so many merges can be looked up.
func (v *Vocabulary) makeRoom(merges int) {
	room := max(bits.Len(uint(merges)+uint(merges)/4), 4) // at most four fifths full
	v.slots = make([]uint32, 1<<room)
	v.filled = make([]uint8, 1<<(room-bucketBits))
	v.filter = new([1 << 15]uint64)
	for i := 0; i < len(v.filter); i += pageBytes / 8 {
		v.filter[i] = 0 // else each page is given twice, first to read and then to write
	}
	v.ascii = new([128 * 128]uint32)
	v.shift = uint8(64 - room + bucketBits)
}

// put enters a merge. It reads nothing of the slots, whose memory it would have to wait for. It answers false if the place is too
// far from where it belongs, which no vocabulary comes near that was not made to be slow.
func (v *Vocabulary) put(number uint32, hash uint64) bool {
	v.filter[hash>>filterWord] |= 1 << (hash >> filterBit & 63)
	filled := v.filled
	mask := uint64(len(filled) - 1)
	bucket := hash >> (v.shift & 63)
	for last := bucket + bucketsPassed; filled[bucket&mask] == 1<<bucketBits; bucket++ {
		if bucket == last {
			return false
		}
	}
	bucket &= mask
	at := bucket<<bucketBits + uint64(filled[bucket])
	filled[bucket]++
	v.slots[at&uint64(len(v.slots)-1)] = number<<slotTag | uint32(hash>>slotHash)&slotMask | 1
	return true
}
