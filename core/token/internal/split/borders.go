// Copyright The ctx-lsp authors. MIT licence.

package split

import "math/bits"

// Rules are the differences between the patterns that the quick path supports.
type Rules struct {
	cased   bool // words begin at a capital after a small letter, and include their contractions
	slashes bool // punctuation includes slashes after its newlines
	triples bool // numbers are split after every third digit instead of every digit
}

// FindRules returns the rules of a scanner, or nil if the quick path does not support it.
func FindRules(scanner string) *Rules {
	var rules Rules
	switch scanner {
	case "o200k":
		rules.slashes = true
		fallthrough
	case "kimi":
		rules.cased = true
		fallthrough
	case "cl100k":
		rules.triples = true
	case "qwen2":
	default:
		return nil
	}
	return &rules
}

// Borders returns where pieces begin in a text that begins with a piece, except for that one and for those that depend
// on unknown characters. It may clear bits of Known.
//
// Runs are found by addition: adding a bit to the first bit of a run carries it to the one after the last.
func (m *Bitmaps) Borders(text *[ViewBytes]byte, rules *Rules) uint64 {
	letters, capitals, begins := m.letters, uint64(0), uint64(0)
	if rules.cased {
		capitals = m.capitals
		if unsure := capitals & (m.caseless << 1); unsure != 0 { // whether it begins a word depends on earlier characters
			m.Known &= unsure&-unsure - 1
		}
	}
	other := m.Known &^ (letters | m.digits | m.spaces)
	if rules.cased { // treat a contraction after a word as letters of the word
		for quotes := m.quotes & (letters << 1); quotes != 0; quotes &= quotes - 1 {
			at := bits.TrailingZeros64(quotes) & 63
			quote := uint64(1) << uint(at)
			if end := contraction(text[:], at); end > at && begins&quote == 0 {
				after := quote << uint((end-at)&3)
				letters |= quote
				other &^= quote
				capitals &^= after - quote
				begins |= after
			}
		}
	}

	// The characters that belong to punctuation before them: from a newline on, all newlines and slashes.
	tail := m.newlines
	if rules.slashes {
		tail |= m.slashes
	}
	seeds := m.newlines & (other << 1)
	taken := tail&^(tail+seeds) | seeds
	other &^= taken
	spaces := m.spaces &^ taken
	newlines := m.newlines &^ taken
	gaps := spaces &^ newlines

	runs := other &^ (other<<1 | m.blanks<<1)             // starts of punctuation without a space before it
	single := runs | m.inner&^(m.inner+(runs<<1&m.inner)) // all bytes of its first characters
	// The last bytes of the characters that words include before their letters.
	before := (gaps | single&^(m.inner>>1)) & (letters >> 1)
	if !rules.cased { // a contraction is a separate piece
		for quotes := m.quotes & before; quotes != 0; quotes &= quotes - 1 {
			at := bits.TrailingZeros64(quotes) & 63
			begins |= quotes & -quotes << uint((contraction(text[:], at)-at)&3)
		}
	}
	words := letters&^(letters<<1|before<<1) | capitals&((letters&^capitals)<<1)

	digits := m.digits
	if rules.triples {
		fourth := digits & (digits << 1) & (digits << 2) & (digits << 3)
		digits &^= digits << 1
		for next := digits << 3 & fourth; next != 0; next = next << 3 & fourth {
			digits |= next
		}
	}

	// The last of several spaces begins a piece, and so do spaces after the last newline.
	indents := gaps & (newlines << 1)
	// Exclude those with a newline after them.
	for blank := (gaps + indents) &^ gaps & newlines; blank != 0; blank &= blank - 1 {
		before := indents & (blank&-blank - 1)
		indents &^= 1 << uint(bits.Len64(before)-1)
	}
	first, last := spaces&^(spaces<<1), gaps&^(spaces>>1)
	begins |= words | digits | runs | first | last | indents
	open := ^(^uint64(0) >> uint(bits.LeadingZeros64(m.Known&^spaces))) // spaces that may continue
	return begins & m.Known &^ (open & (open << 1)) &^ 1
}
