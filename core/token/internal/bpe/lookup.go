// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

const noMerge = 1<<32 - 1

const (
	// The filter has 2^21 bits: it excludes most pairs that do not merge, and stays in the caches of the CPU.
	filterWord = 64 - 15
	filterBit  = 64 - 21

	// A slot contains an index into merges and, below it, some bits of its hash. The lowest of these is always set.
	slotTag  = 11
	slotMask = 1<<slotTag - 1
	slotHash = 64 - 21 - slotTag

	// Slots are grouped in buckets, which are filled from the start. If a bucket is full, the next one is used.
	bucketBits    = 3
	bucketsPassed = 100
)

// digest returns the hash of an entry for a pair of symbols.
func (e entry) digest() uint64 { return uint64(e) * word.HashFactor }

// A mergeIndex finds merges by their entries.
type mergeIndex struct {
	merges []entry            // indexed by the results of find: entries, or pairs of merges by priority
	slots  []uint32           // buckets by hash: numbers of merges, with bits of their hash
	filled []uint8            // number of slots used in each bucket; only while the pack is read
	ascii  *[128 * 128]uint32 // results of find for pairs of ASCII bytes, plus one
	filter *[1 << 15]uint64   // bits by hash, set for every merge
	shift  uint8              // shift from a hash to its bucket
}

// mergeKey returns the entry that two neighboring symbols would merge into, and its hash. begin and end are the bytes
// of both in the text, which must extend 16 bytes beyond the piece. The merge is looked up by these bytes, which is
// equivalent: among all pairs with the same bytes, only that of the merge ever occurs (docs/tokens.md). If begin equals
// end, it is looked up by the symbols, for vocabularies without this property.
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

// mayMerge returns 0 if no merge has this hash.
func (v *mergeIndex) mayMerge(hash uint64) uint64 {
	return v.filter[hash>>filterWord] >> (hash >> filterBit & 63) & 1
}

// find returns the number of the merge with an entry and its hash, or noMerge. In a vocabulary of levels, the number is
// the symbol that the merge makes. The function is just small enough for Go to inline it, which is why the bits of the
// hash are written out here and below.
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

// join returns the merge of a pair of symbols, which are the bytes from..to of the text, and stores it in a slot of a
// pairMemory.
func (v *mergeIndex) join(text []byte, from, to int32, pair uint64, slot *uint64) uint32 {
	merge := uint32(noMerge)
	want, hash := mergeKey(text, from, to, uint32(pair>>wideLeft), uint32(pair&wideSymbol))
	if v.mayMerge(hash) != 0 {
		merge = v.find(want, hash)
	}
	*slot = remembered(pair, merge)
	return merge
}

// isToken reports whether a piece of up to pieces.MaxShort bytes is a token.
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

// hasText reports whether a symbol has these bytes.
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

// bucket returns the index of the first slot in the bucket for a hash.
func (v *mergeIndex) bucket(hash uint64) uint64 { return hash >> (v.shift & 63) << bucketBits }

// makeRoom allocates the tables for this many merges.
func (v *mergeIndex) makeRoom(merges int) {
	room := max(bits.Len(uint(merges)+uint(merges)/4), 4) // at most four fifths full
	v.slots = make([]uint32, 1<<room)
	v.filled = make([]uint8, 1<<(room-bucketBits))
	v.filter = new([1 << 15]uint64)
	for i := 0; i < len(v.filter); i += word.PageBytes / 8 {
		v.filter[i] = 0 // otherwise each page would fault twice, first to read and then to write
	}
	v.ascii = new([128 * 128]uint32)
	v.shift = uint8(64 - room + bucketBits)
}

// put adds a merge. It does not read the slots, to avoid waiting for their memory. It returns false if the merge would
// be too far from its bucket, which happens only with vocabularies made to be slow.
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
