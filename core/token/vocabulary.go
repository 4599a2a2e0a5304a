package token

import (
	"errors"
	"math/bits"
	"strconv"
)

// PackMagic and PackVersion begin every pack.
const (
	PackMagic   = "ctxvocab"
	PackVersion = 1
)

// How a pack lists its merges.
const (
	PackLevels = 0 // in levels, parts before wholes
	PackLoose  = 1 // each with its result and its priority
)

// The limits of a pack. They bound what a hostile one can make the host do.
const (
	maxSymbols   = 1<<21 - 1 // a number fits a slot beside the bits of the hash (see slotTag)
	maxTokenSize = 1 << 15
	maxLevels    = 1 << 16
	maxStrings   = 1 << 16
)

// A Vocabulary holds the merges of one pack, unpacked for counting. Tables that only some texts need are made when the first
// of these comes; so a vocabulary and all tokenizers that share it belong to one goroutine at a time.
type Vocabulary struct {
	name       string
	scanner    string
	normalizer string
	composer   *composer // for form C
	specials   []string
	added      []string
	whole      *stringSet
	characters []uint64           // open addressing: code point+1 in the high half, symbol in the low half
	first      uint32             // the first symbol that is a merge's result
	parts      []merge            // by symbol
	sizes      []uint16           // by symbol: how many bytes
	level      []uint16           // of each symbol; nil until a long piece comes
	ends       []uint32           // of each level, the symbol behind its last
	atoms      []uint32           // by character below U+10000: the symbol that merging makes of it, or noAtom; the high bits are flags; nil until a text needs it
	hazards    []uint64           // bits by last byte of a character and first byte of the next: a merge may join parts of them
	merges     []merge            // by what join answers: parts, or loose merges by priority
	slots      []uint32           // open addressing: numbers of merges, and bits of their hash
	ascii      *[128 * 128]uint32 // what join answers for the pairs of ASCII bytes, plus one
	filter     *[1 << 15]uint64   // bits by the hash of a pair: set for all that merge
	shift      uint8              // of the hash, to an index of slots
	results    []uint32           // of loose merges, by priority: the symbol it makes
	seams      []uint64           // where text is not split, bits by two characters side by side: whether some merge joins them
}

// A merge is the two symbols that a symbol is made of; a symbol to start from is made of itself.
type merge struct{ left, right uint32 }

// Name returns what the pack calls itself.
func (v *Vocabulary) Name() string { return v.name }

// Scanner returns the name of the pack's way of splitting text.
func (v *Vocabulary) Scanner() string { return v.scanner }

// Tokens returns how many tokens the vocabulary has, control strings aside.
func (v *Vocabulary) Tokens() int { return len(v.parts) + v.whole.len() }

// Load unpacks a pack. A pack that is damaged, or that could make counting wrong or unbounded, is refused.
func Load(pack []byte) (*Vocabulary, error) {
	if len(pack) < len(PackMagic)+5 || string(pack[:len(PackMagic)]) != PackMagic {
		return nil, errors.New(`this is not a vocabulary pack: it does not begin with "` + PackMagic + `"`)
	}
	if version := pack[len(PackMagic)]; version != PackVersion {
		return nil, errors.New("the vocabulary pack has version " + strconv.Itoa(int(version)) +
			", and this program reads version " + strconv.Itoa(PackVersion) + ": make the pack again")
	}
	body, sum := pack[:len(pack)-4], pack[len(pack)-4:]
	if checksum(body) != uint32(sum[0])|uint32(sum[1])<<8|uint32(sum[2])<<16|uint32(sum[3])<<24 {
		return nil, errors.New("the vocabulary pack is damaged: its checksum does not match; fetch or make it again")
	}
	v := &Vocabulary{}
	r := packReader{bytes: body[len(PackMagic)+1:]}
	v.name, v.scanner, v.normalizer = r.text(), r.text(), r.text()
	if r.failed == "" && !knownScanner(v.scanner) {
		r.fail(`it splits text by "` + v.scanner + `", which this program does not know`)
	}
	if r.failed == "" && !knownNormalizer(v.normalizer) {
		r.fail(`it wants text normalised by "` + v.normalizer + `", which this program does not know`)
	}
	v.readCharacters(&r)
	v.whole = newStringSet(r.texts())
	v.specials = r.texts()
	v.added = r.texts()
	if r.failed == "" && v.normalizer == composed {
		v.composer = readComposer(&r)
	}
	switch order := r.count(PackLoose); {
	case r.failed != "":
	case order == PackLoose:
		v.readLoose(&r)
	default:
		v.readLevels(&r)
	}
	if r.failed == "" && r.left() > 0 {
		r.fail("there are " + strconv.Itoa(r.left()) + " bytes behind its end")
	}
	if r.failed != "" {
		return nil, errors.New("the vocabulary pack cannot be used: " + r.failed)
	}
	return v, nil
}

// readCharacters reads the symbols that are characters, in rising order.
func (v *Vocabulary) readCharacters(r *packReader) {
	n := r.count(0x110000)
	v.first = 256 + uint32(n)
	if n == 0 {
		return
	}
	size := 2 << bits.Len(uint(n))
	v.characters = make([]uint64, size)
	c := uint64(0)
	for i := range n {
		c += r.number()
		if c > 0x10FFFF {
			r.fail("one of its characters is beyond Unicode")
			return
		}
		at := uint32(c*characterHash>>32) & uint32(size-1)
		for v.characters[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		c++
		v.characters[at] = c<<32 | uint64(256+i)
	}
}

const characterHash = 0x9E3779B97F4A7C15

// character returns the symbol of a character, if it is one to start from.
func (v *Vocabulary) character(c rune) (symbol uint32, ok bool) {
	mask := uint32(len(v.characters) - 1)
	at := uint32(uint64(c)*characterHash>>32) & mask
	for {
		entry := v.characters[at]
		if uint32(entry>>32) == uint32(c)+1 {
			return uint32(entry), true
		}
		if entry == 0 {
			return 0, false
		}
		at = (at + 1) & mask
	}
}

// readLevels reads merges that come level by level.
func (v *Vocabulary) readLevels(r *packReader) {
	n := r.count(maxSymbols - int(v.first))
	levels := r.count(maxLevels)
	total := 0
	for range levels {
		if total += r.count(n); total > n {
			break
		}
		v.ends = append(v.ends, v.first+uint32(total))
	}
	if r.failed == "" && total != n {
		r.fail("its levels do not add up to its merges")
	}
	columns := r.count(r.left())
	if r.failed != "" {
		return
	}
	if n > columns || n > r.left()-columns {
		r.fail("it says that it has more merges than it holds")
		return
	}
	rights := packReader{bytes: r.bytes[r.at : r.at+columns]}
	lefts := packReader{bytes: r.bytes[r.at+columns:]}
	r.at = len(r.bytes)
	v.makeRoom(n)
	lengths, parts := v.sizes, v.parts
	id := uint64(v.first)
	for _, end := range v.ends {
		begin := id
		left, right := uint64(0), uint64(0)
		for ; id < uint64(end); id++ {
			step := rights.number()
			right += step
			l := lefts.number()
			if left += l + 1; step != 0 || id == begin {
				left = l
			}
			if left >= begin || right >= begin {
				r.fail("a merge joins a token that comes after it")
				return
			}
			length := int(lengths[left]) + int(lengths[right])
			if length >= maxTokenSize {
				r.fail("one of its tokens is longer than " + strconv.Itoa(maxTokenSize) + " bytes")
				return
			}
			lengths[id] = uint16(length)
			parts[id] = merge{uint32(left), uint32(right)}
		}
		if rights.failed != "" || lefts.failed != "" {
			r.fail("it ends in the middle of its merges")
			return
		}
	}
	if rights.left() > 0 || lefts.left() > 0 {
		r.fail("it holds more merges than it says")
	} else if !v.index(parts, v.first) {
		r.fail("a merge is there twice")
	}
}

// makeLevels fills in the level of each symbol.
func (v *Vocabulary) makeLevels() {
	v.level = make([]uint16, len(v.parts))
	id := v.first
	for level, end := range v.ends {
		for ; id < end; id++ {
			v.level[id] = uint16(level)
		}
	}
}

// longest is how many bytes the longest token has.
func (v *Vocabulary) longest() int {
	longest := uint16(4)
	for _, n := range v.sizes {
		longest = max(longest, n)
	}
	return int(longest)
}

// makeRoom prepares the tables for so many symbols that merges make.
func (v *Vocabulary) makeRoom(products int) {
	v.parts = make([]merge, int(v.first)+products)
	v.sizes = make([]uint16, len(v.parts))
	for i := range v.first {
		v.parts[i] = merge{i, i}
		v.sizes[i] = 1
	}
	for _, entry := range v.characters {
		if entry != 0 {
			v.sizes[uint32(entry)] = uint16(runeLength(rune(entry>>32) - 1))
		}
	}
}

// index makes the tables that join looks merges up in, from one of them on. It answers false if two merges are the same.
func (v *Vocabulary) index(merges []merge, from uint32) bool {
	room := max(bits.Len(uint(len(merges))+uint(len(merges))/4), 4) // at most four fifths full
	v.merges = merges
	v.slots = make([]uint32, 1<<room)
	v.filter = new([1 << 15]uint64)
	v.ascii = new([128 * 128]uint32)
	v.shift = uint8(64 - room)
	slots, filter, shift := v.slots, v.filter, v.shift&63
	mask := uint64(len(slots) - 1)
	for i := int(from); i < len(merges); i++ {
		m := merges[i]
		hash := hashPair(m.left, m.right)
		filter[hash>>filterWord] |= 1 << (hash >> filterBit & 63)
		slot := uint32(i)<<slotTag | uint32(hash>>slotHash)&slotMask | 1
		at := hash >> shift & mask
		for slots[at] != 0 {
			if (slots[at]^slot)&slotMask == 0 && merges[slots[at]>>slotTag] == m {
				return false
			}
			at = (at + 1) & mask
		}
		slots[at] = slot
		if m.left|m.right < 128 {
			v.ascii[m.left<<7|m.right] = uint32(i) + 1
		}
	}
	return true
}

const noMerge = 1<<32 - 1

const (
	// The filter has 2^21 bits: most pairs that do not merge are told from it, and it stays in the near caches.
	filterWord = 64 - 15
	filterBit  = 64 - 21

	// A slot is a number in merges and, below it, bits of the hash of its pair, of which the lowest is always set.
	slotTag  = 11
	slotMask = 1<<slotTag - 1
	slotHash = 64 - 21 - slotTag
)

func hashPair(left, right uint32) uint64 {
	return (uint64(left)<<21 | uint64(right)) * 0x9E3779B97F4A7C15
}

// join returns the merge of two neighbours, or noMerge: in a vocabulary of levels, the symbol that they merge into.
func (v *Vocabulary) join(left, right uint32) uint32 {
	hash := hashPair(left, right)
	if v.may(hash) == 0 {
		return noMerge
	}
	return v.find(left, right, hash)
}

// may is 0 if no merge has this hash.
func (v *Vocabulary) may(hash uint64) uint64 {
	return v.filter[hash>>filterWord] >> (hash >> filterBit & 63) & 1
}

// find is join for a pair that may merge.
func (v *Vocabulary) find(left, right uint32, hash uint64) uint32 {
	slots := v.slots
	tag := uint32(hash>>slotHash)&slotMask | 1
	for at := hash >> (v.shift & 63); ; at++ {
		slot := slots[at&uint64(len(slots)-1)]
		if (slot^tag)&slotMask == 0 {
			if m := v.merges[slot>>slotTag]; m.left == left && m.right == right {
				return slot >> slotTag
			}
		} else if slot == 0 {
			return noMerge
		}
	}
}

// stand tells whether merging leaves two tokens apart that stand side by side. A row of tokens is what merging makes of a
// text if and only if this holds for every two neighbours, which is what lets a long text be cut and joined again.
func (v *Vocabulary) stand(left, right uint32) bool {
	limit := uint32(noMerge)
	for {
		if joined := v.join(left, right); joined < limit {
			return false
		}
		// Undo the later of the two merges that made them, and look at the seam before it.
		if left > right {
			limit = left
			left = v.parts[left].right
			if left == limit {
				limit = right + 1
				right = v.parts[right].left
				if right+1 == limit {
					return true
				}
			}
		} else {
			limit = right + 1
			right = v.parts[right].left
			if right+1 == limit {
				limit = left
				left = v.parts[left].right
				if left == limit {
					return true
				}
			}
		}
	}
}

func runeLength(c rune) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0x800:
		return 2
	case c < 0x10000:
		return 3
	}
	return 4
}
