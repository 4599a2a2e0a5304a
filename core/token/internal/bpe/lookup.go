// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

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

// digest is that of a pair of symbols.
func (e entry) digest() uint64 { return uint64(e) * word.HashFactor }

// A mergeIndex finds merges by their entries.
type mergeIndex struct {
	merges []entry            // by what find answers: entries, or pairs of merges by priority
	slots  []uint32           // buckets by hash: numbers of merges, and bits of their hash
	filled []uint8            // how many slots of each bucket are used, while it is loaded
	ascii  *[128 * 128]uint32 // what find answers for the pairs of ASCII bytes, plus one
	filter *[1 << 15]uint64   // bits by hash: set for all that merge
	shift  uint8              // of the hash, to an index of slots
}

// mergeKey returns the entry of what two neighbours merge into, if they merge, and its hash. With the text of a piece,
// of which they are the bytes from begin to end, they are looked for by these bytes, which is the same: of all pairs
// with these bytes only that of the merge ever meets (docs/tokens.md). The text has sixteen bytes more than the piece.
// If begin is end, they are looked for by themselves, as in vocabularies of which this is not known.
func mergeKey(text []byte, begin, end int32, left, right uint32) (entry, uint64) {
	n := int(end - begin)
	want := pairEntry(n, left, right)
	if uint(n-1) >= pieces.MaxShort {
		return want, want.digest()
	}
	at := text[begin : begin+16 : begin+16]
	cut := &pieces.Cuts[n&15]
	key := pieces.Key{A: word.At(at, 0) & cut.A, B: word.At(at, 8)&cut.B | cut.Length}
	if n <= shortEntryMax {
		want = entry(key.A | key.B)
	}
	return want, key.Digest()
}

// mayMerge is 0 if no merge has this hash.
func (v *mergeIndex) mayMerge(hash uint64) uint64 {
	return v.filter[hash>>filterWord] >> (hash >> filterBit & 63) & 1
}

// find returns the merge that has an entry and its hash, or noMerge: in a vocabulary of levels, the symbol that it
// makes. It is just small enough for Go to put it where it is called, which is why the bits of the hash are written out
// here and below.
func (v *mergeIndex) find(want entry, hash uint64) uint32 {
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

// join returns the merge of a pair of symbols, which are the text between two places, and has it remembered in a slot
// of a pairMemory.
func (v *mergeIndex) join(text []byte, from, to int32, pair uint64, slot *uint64) uint32 {
	merge := uint32(noMerge)
	want, hash := mergeKey(text, from, to, uint32(pair>>wideLeft), uint32(pair&wideSymbol))
	if v.mayMerge(hash) != 0 {
		merge = v.find(want, hash)
	}
	*slot = remembered(pair, merge)
	return merge
}

// isToken tells whether a piece of up to pieces.MaxShort bytes is a token.
func (v *Merges) isToken(key pieces.Key, hash uint64) bool {
	slots := v.slots
	tag := uint32(hash>>slotHash)&slotMask | 1
	for at := v.bucket(hash); ; at++ {
		slot := slots[at&uint64(len(slots)-1)]
		if (slot^tag)&slotMask == 0 {
			if v.hasText(slot>>slotTag, key) {
				return true
			}
		} else if slot == 0 {
			return false
		}
	}
}

// hasText tells whether a symbol has these bytes.
func (v *Merges) hasText(symbol uint32, key pieces.Key) bool {
	e := v.merges[symbol]
	if !e.wide() {
		return key.Size() <= shortEntryMax && uint64(e) == key.A|key.B
	}
	if e.size() != key.Size() {
		return false
	}
	text := v.text(symbol)
	return text.A == key.A && text.B == key.B&entryText
}

// bucket is where the slots begin that a hash belongs to.
func (v *mergeIndex) bucket(hash uint64) uint64 { return hash >> (v.shift & 63) << bucketBits }

// makeRoom makes the tables in which so many merges can be looked up.
func (v *mergeIndex) makeRoom(merges int) {
	room := max(bits.Len(uint(merges)+uint(merges)/4), 4) // at most four fifths full
	v.slots = make([]uint32, 1<<room)
	v.filled = make([]uint8, 1<<(room-bucketBits))
	v.filter = new([1 << 15]uint64)
	for i := 0; i < len(v.filter); i += word.PageBytes / 8 {
		v.filter[i] = 0 // else each page is given twice, first to read and then to write
	}
	v.ascii = new([128 * 128]uint32)
	v.shift = uint8(64 - room + bucketBits)
}

// put enters a merge. It reads nothing of the slots, whose memory it would have to wait for. It answers false if the
// place is too far from where it belongs, which no vocabulary comes near that was not made to be slow.
func (v *mergeIndex) put(number uint32, hash uint64) bool {
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
