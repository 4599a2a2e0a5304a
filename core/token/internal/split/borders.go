// Copyright The ctx-lsp authors. MIT licence.

package split

import "math/bits"

// Rules are what the patterns that the quick path knows differ in.
type Rules struct {
	cased   bool // words begin at a capital behind a small letter, and have their contractions with them
	slashes bool // punctuation has slashes with it behind its newlines
	triples bool // of numbers, three digits are a piece, and not each
}

// FindRules returns nil for a pattern that the quick path does not know.
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

// Borders returns where pieces begin in a text that begins with one, but for that one, and for all that depends on
// characters that are not known.
//
// Sums are what finds runs: a bit that is added to the first of a run of bits is carried to the one behind the last.
func (m *Bitmaps) Borders(text *[ViewBytes]byte, rules *Rules) uint64 {
	letters, capitals, begins := m.letters, uint64(0), uint64(0)
	if rules.cased {
		capitals = m.capitals
		if unsure := capitals & (m.caseless << 1); unsure != 0 { // whether one begins a word depends on what is before both
			m.Known &= unsure&-unsure - 1
		}
	}
	other := m.Known &^ (letters | m.digits | m.spaces)
	if rules.cased { // a contraction behind a word is made letters of it
		for quotes := m.quotes & (letters << 1); quotes != 0; quotes &= quotes - 1 {
			at := bits.TrailingZeros64(quotes) & 63
			quote := uint64(1) << uint(at)
			if end := contraction(text[:], at); end > at && begins&quote == 0 {
				behind := quote << uint((end-at)&3)
				letters |= quote
				other &^= quote
				capitals &^= behind - quote
				begins |= behind
			}
		}
	}

	// What belongs to punctuation before it: from a newline on, all newlines and slashes.
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

	runs := other &^ (other<<1 | m.blanks<<1)             // of punctuation, where they begin without a space
	single := runs | m.inner&^(m.inner+(runs<<1&m.inner)) // all bytes of their first characters
	// The last bytes of the characters that words have before their letters.
	before := (gaps | single&^(m.inner>>1)) & (letters >> 1)
	if !rules.cased { // a contraction is a piece
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

	// Of spaces, the last begins a piece, and what is behind the last newline does.
	indents := gaps & (newlines << 1)
	// Not those with a newline behind them.
	for blank := (gaps + indents) &^ gaps & newlines; blank != 0; blank &= blank - 1 {
		before := indents & (blank&-blank - 1)
		indents &^= 1 << uint(bits.Len64(before)-1)
	}
	first, last := spaces&^(spaces<<1), gaps&^(spaces>>1)
	begins |= words | digits | runs | first | last | indents
	open := ^(^uint64(0) >> uint(bits.LeadingZeros64(m.Known&^spaces))) // spaces that may go on beyond what is known
	return begins & m.Known &^ (open & (open << 1)) &^ 1
}
