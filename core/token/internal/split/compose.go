// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// A Composer converts text to Unicode's normalization form C. Its tables are part of the packs that require it.
type Composer struct {
	class  map[rune]uint8    // canonical combining class, if it is not 0
	parts  map[rune][3]rune  // canonical decomposition; 0 after its last part
	whole  map[[2]rune]rune  // canonical composition
	second map[rune]struct{} // characters that may join the one before
	quick  map[rune]struct{} // characters that form C changes, alone or after certain characters
	runes  []rune
	marks  []rune

	touched [plane / 64]uint64 // a bit for each character of quick below plane
	known   [512]composition   // recent short segments (BenchmarkClaude)
}

// plane is the number of characters with a bit in touched; the others are looked up in quick.
const plane = 0x10000

// A composition is a short segment and its form C. Both are texts of up to seven bytes; see shortKey.
type composition struct{ segment, whole uint64 }

// Hangul syllables are composed by arithmetic.
const (
	hangulFirst   = 0xAC00
	hangulLead    = 0x1100
	hangulVowel   = 0x1161
	hangulTail    = 0x11A7 // the code point before the first one
	hangulLeads   = 19
	hangulVowels  = 21
	hangulTails   = 28
	hangulPerLead = hangulVowels * hangulTails
	hangulCount   = hangulLeads * hangulPerLead
)

// ReadComposer reads a composer's tables from a pack.
func ReadComposer(r *packed.Reader) *Composer {
	c := &Composer{
		class:  map[rune]uint8{},
		parts:  map[rune][3]rune{},
		whole:  map[[2]rune]rune{},
		second: map[rune]struct{}{},
		quick:  map[rune]struct{}{},
	}
	at := uint64(0)
	for range r.Count(packed.MaxStrings) {
		at += r.Number()
		class := r.Count(255)
		if at > 0x10FFFF {
			r.Fail("a combining class is beyond Unicode")
			return c
		}
		c.class[rune(at)] = uint8(class)
		c.quick[rune(at)] = struct{}{}
	}
	at = 0
	for range r.Count(packed.MaxStrings) {
		at += r.Number()
		first, second, third, composes := r.Count(0x10FFFF), r.Count(0x10FFFF), r.Count(0x10FFFF), r.Count(1)
		if at > 0x10FFFF {
			r.Fail("a decomposition is beyond Unicode")
			return c
		}
		if uint64(first) == at || uint64(second) == at || uint64(third) == at {
			r.Fail("a character is a part of itself")
			return c
		}
		c.parts[rune(at)] = [3]rune{rune(first), rune(second), rune(third)}
		if composes == 1 {
			c.whole[[2]rune{rune(first), rune(second)}] = rune(at)
			c.quick[rune(second)] = struct{}{}
			c.second[rune(second)] = struct{}{}
		} else {
			c.quick[rune(at)] = struct{}{}
		}
	}
	c.mark()
	return c
}

// mark sets the bits of touched.
func (c *Composer) mark() {
	for char := range c.quick {
		if char < plane {
			c.touched[uint32(char)/64] |= 1 << (uint32(char) % 64)
		}
	}
}

// EachTouched calls yield for each character that form C changes, alone or after certain characters.
func (c *Composer) EachTouched(yield func(char rune)) {
	for char := range c.quick {
		if char >= firstTouched {
			yield(char)
		}
	}
	for n := range rune(hangulVowels) {
		yield(hangulVowel + n)
	}
	for n := range rune(hangulTails) {
		yield(hangulTail + n)
	}
}

// firstTouched is the first character that form C may change.
const firstTouched = 0x300

// Changes reports whether form C may change a character that follows another, unchanged one. It never returns false for
// a character that form C changes.
func (c *Composer) Changes(before, char rune) bool {
	if !c.touches(char) || char >= 0x1F000 && char < 0x2F800 { // form C does not change emoji and their neighbors
		return false
	}
	if parts, ok := c.parts[char]; ok && c.whole[[2]rune{parts[0], parts[1]}] != char {
		return true
	}
	class, last := c.class[char], c.class[before]
	if _, apart := c.parts[before]; apart && class != 0 {
		return true // it may have to precede a mark that the other contains
	}
	if last != 0 { // a mark may join the character before earlier marks
		return class < last || c.joins(char)
	}
	_, joined := c.join(before, char)
	return joined
}

// joins reports whether a character may join one before it.
func (c *Composer) joins(char rune) bool {
	_, joins := c.second[char]
	return joins
}

// touches reports whether form C changes a character, alone or after certain characters.
func (c *Composer) touches(char rune) bool {
	if char < firstTouched {
		return false
	}
	if char > hangulTail && char < hangulTail+hangulTails || char >= hangulVowel && char < hangulVowel+hangulVowels {
		return true
	}
	if char < plane {
		return c.touched[uint32(char)/64]>>(uint32(char)%64)&1 != 0
	}
	_, touched := c.quick[char]
	return touched
}

// Compose appends text in form C to dst. Invalid UTF-8 becomes U+FFFD.
func (c *Composer) Compose(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		end := c.Segment(text, i)
		dst = c.ComposeSegment(dst, text[i:end])
		i = end
	}
	return dst
}

// IsComposed reports whether form C leaves every character of a text unchanged. It may return false for a text that is
// composed.
func (c *Composer) IsComposed(text []byte) bool {
	for i := 0; i < len(text); {
		if text[i] < 0x80 {
			i++
			continue
		}
		char, size := DecodeRune(text, i)
		if c.touches(char) {
			return false
		}
		i += size
	}
	return true
}

// Segment returns the end of the segment that begins at i: a character and those after it that may change with it.
func (c *Composer) Segment(text []byte, i int) int {
	_, size := DecodeRune(text, i)
	for i += size; i < len(text); i += size {
		var char rune
		if char, size = DecodeRune(text, i); !c.touches(char) {
			break
		}
	}
	return i
}

// ComposeSegment appends a segment in form C to dst.
func (c *Composer) ComposeSegment(dst, segment []byte) []byte {
	char, size := DecodeRune(segment, 0)
	if size == len(segment) && !c.touches(char) {
		return utf8.AppendRune(dst, char)
	}
	if len(segment) > shortSegment {
		return c.composeSegment(dst, segment)
	}
	key := shortKey(segment)
	place := &c.known[key*word.HashFactor>>(64-9)]
	if place.segment == key {
		for whole := place.whole; whole > 0xFF; whole >>= 8 {
			dst = append(dst, byte(whole))
		}
		return dst
	}
	begin := len(dst)
	dst = c.composeSegment(dst, segment)
	if len(dst)-begin <= shortSegment {
		*place = composition{key, shortKey(dst[begin:])}
	}
	return dst
}

// shortSegment is the maximum number of bytes of a segment that is remembered.
const shortSegment = 7

// shortKey returns a text of up to seven bytes as a number, with the first byte lowest. A one follows the last byte, so
// that no two texts have the same number.
func shortKey(text []byte) uint64 {
	key := uint64(1)
	for i := len(text) - 1; i >= 0; i-- {
		key = key<<8 | uint64(text[i])
	}
	return key
}

// composeSegment composes a segment without using remembered ones.
func (c *Composer) composeSegment(dst, segment []byte) []byte {
	runes := c.runes[:0]
	size := 0
	for i := 0; i < len(segment); i += size {
		var char rune
		char, size = DecodeRune(segment, i)
		runes = c.decompose(runes, char, 0)
	}
	c.order(runes)
	// Join each character to the last starter that no character blocks, either by the same class or by class 0.
	starter, last := -1, uint8(0)
	kept := runes[:0]
	for _, char := range runes {
		class := c.class[char]
		if starter >= 0 && (last < class || last == 0 && len(kept) == starter+1) {
			if joined, ok := c.join(kept[starter], char); ok {
				kept[starter] = joined
				continue
			}
		}
		if class == 0 {
			starter = len(kept)
		}
		last = class
		kept = append(kept, char)
	}
	c.runes = runes[:0]
	for _, char := range kept {
		dst = utf8.AppendRune(dst, char)
	}
	return dst
}

func (c *Composer) decompose(runes []rune, char rune, depth int) []rune {
	if s := char - hangulFirst; s >= 0 && s < hangulCount {
		runes = append(runes, hangulLead+s/hangulPerLead, hangulVowel+s%hangulPerLead/hangulTails)
		if tail := s % hangulTails; tail > 0 {
			runes = append(runes, hangulTail+tail)
		}
		return runes
	}
	parts, ok := c.parts[char]
	if !ok || depth > 8 {
		return append(runes, char)
	}
	for _, part := range parts {
		if part != 0 {
			runes = c.decompose(runes, part, depth+1)
		}
	}
	return runes
}

// order sorts marks by their class, keeping the order within a class.
func (c *Composer) order(runes []rune) {
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && c.class[runes[end]] != 0 {
			end++
		}
		if end > i+1 {
			c.orderMarks(runes[i:end])
		}
		i = end + 1
	}
}

// fewMarks is the maximum number of marks for which insertion sort is faster.
const fewMarks = 16

func (c *Composer) orderMarks(marks []rune) {
	if len(marks) <= fewMarks {
		for i, mark := range marks {
			class, j := c.class[mark], i
			for j > 0 && c.class[marks[j-1]] > class {
				marks[j] = marks[j-1]
				j--
			}
			marks[j] = mark
		}
		return
	}
	var places [257]int // position of the first mark of each class
	for _, mark := range marks {
		places[int(c.class[mark])+1]++
	}
	for class := range 256 {
		places[class+1] += places[class]
	}
	c.marks = append(c.marks[:0], marks...)
	for _, mark := range c.marks {
		place := &places[c.class[mark]]
		marks[*place] = mark
		*place++
	}
}

func (c *Composer) join(first, second rune) (rune, bool) {
	if l, v := first-hangulLead, second-hangulVowel; l >= 0 && l < hangulLeads && v >= 0 && v < hangulVowels {
		return hangulFirst + (l*hangulVowels+v)*hangulTails, true
	}
	if s, t := first-hangulFirst, second-hangulTail; s >= 0 && s < hangulCount && s%hangulTails == 0 && t > 0 && t < hangulTails {
		return first + t, true
	}
	joined, ok := c.whole[[2]rune{first, second}]
	return joined, ok
}
