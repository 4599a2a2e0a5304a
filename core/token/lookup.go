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

const tooAlike = "too many of its merges have the same hash"

// hash is of a text with its length in the highest bits of b.
func (t pieceText) hash() uint64 { return (t.a*hashFactor ^ t.b) * hashFactor }

// hash is of a pair of symbols.
func (e entry) hash() uint64 { return uint64(e) * hashFactor }

// keep has, by how many bytes are kept of sixteen, the masks of the two words. What is longer is not looked up by its bytes.
var keep = func() (masks [16]pieceText) {
	for n := range masks {
		masks[n] = pieceText{1<<(uint(n)*8) - 1, 1<<(uint(max(n-8, 0))*8) - 1}
	}
	return
}()

// wanted returns the entry of what two neighbours merge into, if they merge, and its hash. With the text of a piece, of which
// they are the bytes from begin to end, they are looked for by these bytes, which is the same: of all pairs with these
// bytes only that of the merge ever meets (docs/tokens.md). The text has sixteen bytes more than the piece. If begin is end, they
// are looked for by themselves, as in vocabularies of which this is not known.
func wanted(text []byte, begin, end int32, left, right uint32) (entry, uint64) {
	n := int(end - begin)
	want := pairEntry(n, left, right)
	if uint(n-1) >= keyedMax {
		return want, want.hash()
	}
	at := text[begin : begin+16 : begin+16]
	mask := &keep[n&15]
	key := pieceText{word(at, 0) & mask.a, word(at, 8)&mask.b | uint64(n)<<entryLength}
	if n <= shortEntryMax {
		want = entry(key.a | key.b)
	}
	return want, key.hash()
}

// may is 0 if no merge has this hash.
func (v *Vocabulary) may(hash uint64) uint64 {
	return v.filter[hash>>filterWord] >> (hash >> filterBit & 63) & 1
}

// find returns the merge that has an entry and its hash, or noMerge: in a vocabulary of levels, the symbol that it makes.
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

// isToken tells whether a piece of up to keyedMax bytes is a token.
func (v *Vocabulary) isToken(key pieceText, hash uint64) bool {
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
func (v *Vocabulary) spells(symbol uint32, key pieceText) bool {
	e := v.merges[symbol]
	n := int(key.b >> entryLength)
	if !e.wide() {
		return uint64(e) == key.a|key.b&^entryText
	}
	if e.size() != n {
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
