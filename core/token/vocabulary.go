// Copyright The ctx-lsp authors. MIT licence.

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
	maxControl   = 255 // bytes
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
	entries    []entry            // by symbol
	columns    columns            // the merges as the pack has them, for what entries leave out
	parts      []merge            // by symbol, of merges alone; nil until a seam is checked
	ends       []uint32           // of each level, the symbol behind its last
	levels     []uint16           // by symbol; nil until a long piece comes
	hazards    *hazards           // of vocabularies of bytes that come in levels
	atoms      *[1 << 16]uint32   // by character below U+10000, as atom answers; 0 where it has not been asked
	merges     []entry            // by what find answers: entries, or pairs of merges by priority
	slots      []uint32           // buckets by hash: numbers of merges, and bits of their hash
	filled     []uint8            // how many slots of each bucket are taken, while it is loaded
	ascii      *[128 * 128]uint32 // what find answers for the pairs of ASCII bytes, plus one
	filter     *[1 << 15]uint64   // bits by hash: set for all that merge
	shift      uint8              // of the hash, to an index of slots
	results    []uint32           // of loose merges, by priority: the symbol it makes
	seams      []uint64           // where text is not split, bits by two characters side by side: whether some merge joins them
}

// byText tells whether merges are found by the bytes that they make, for those of up to shortPieceMax bytes, and not by their parts.
func (v *Vocabulary) byText() bool { return v.results == nil && v.characters == nil }

// Name returns what the pack calls itself.
func (v *Vocabulary) Name() string { return v.name }

// Scanner returns the name of the pack's way of splitting text.
func (v *Vocabulary) Scanner() string { return v.scanner }

// Tokens returns how many tokens the vocabulary has, control strings aside.
func (v *Vocabulary) Tokens() int { return len(v.entries) + v.whole.len() }

// Load unpacks a pack. A pack that is damaged, or that could make counting unbounded, is refused; whether it is a good
// vocabulary is for its makers to see.
func Load(pack []byte) (*Vocabulary, error) {
	if len(pack) < len(PackMagic)+5 || string(pack[:len(PackMagic)]) != PackMagic {
		return nil, errors.New(`this is not a vocabulary pack: it does not begin with "` + PackMagic + `"`)
	}
	if version := pack[len(PackMagic)]; version != PackVersion {
		return nil, errors.New("the vocabulary pack has version " + strconv.Itoa(int(version)) +
			", and this program reads version " + strconv.Itoa(PackVersion) + ": make the pack again")
	}
	body, sum := pack[:len(pack)-4], pack[len(pack)-4:]
	if checksum(body) != fourBytes(sum, 0) {
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
	v.checkStrings(&r)
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
	v.filled = nil
	return v, nil
}

// checkStrings refuses strings with which looking for them could take long.
func (v *Vocabulary) checkStrings(r *packReader) {
	controls := append(v.specials[:len(v.specials):len(v.specials)], v.added...)
	for _, text := range controls {
		if len(text) > maxControl {
			r.fail("one of its control strings is longer than " + strconv.Itoa(maxControl) + " bytes")
			return
		}
	}
	if set := newStringSet(controls); v.whole != nil && v.whole.crowded || set != nil && set.crowded {
		r.fail(tooAlike)
	}
}

// readCharacters reads the symbols that are characters, in rising order.
func (v *Vocabulary) readCharacters(r *packReader) {
	n := r.count(min(0x110000, r.left()))
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
		at := uint32(c*hashFactor>>32) & uint32(size-1)
		for probes := 0; v.characters[at] != 0; probes++ {
			if probes == probesMax {
				r.fail(tooAlike)
				return
			}
			at = (at + 1) & uint32(size-1)
		}
		c++
		v.characters[at] = c<<32 | uint64(256+i)
	}
}

// character returns the symbol of a character, if it is one to start from.
func (v *Vocabulary) character(c rune) (symbol uint32, ok bool) {
	mask := uint32(len(v.characters) - 1)
	at := uint32(uint64(c)*hashFactor>>32) & mask
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
