// Copyright The ctx-lsp authors. MIT licence.

package tiles

import "github.com/ctx-lsp/ctx-lsp/core/token/internal/split"

// A Scan cuts a Normal text into pieces that can be counted one by one. The influence of a piece's neighbors is in its
// marks. Tokens between pieces are counted by the scan itself.
//
// Words need no marks in Marks, because they always have a begin and an end mark. Other pieces have a mark only on a
// side with a blank. A blank between an end mark and a begin mark is not written.
type Scan struct {
	Begin, End int   // range of the current piece
	Marks      byte  // 1 for a begin mark, 2 for an end mark, 3 for both
	Between    int64 // tokens outside pieces so far

	left   bool // a blank precedes the next piece
	blank  bool // it is the only white space there, and not counted yet
	closed bool // an end mark precedes that
	border bool // the previous piece has a right border, which a contraction does not cross
	number bool // the previous piece is a number of another script, followed only by variation selectors
}

// Next advances to the next piece, and returns false at the end of the text.
func (t *Tiler) Next(s *Scan, text []byte) bool {
	v := t.v
	s.Marks = 0
	for i := s.End; i < len(text); {
		if group := v.ascii[text[i]]; group != 0 {
			end := i + 1
			for end < len(text) && v.ascii[text[end]] == group {
				end++
			}
			// Characters outside ASCII may continue the piece, and a lone apostrophe may belong to the next word.
			if (end == len(text) || text[end] < 0x80) && (end > i+1 || text[i] != '\'') {
				s.Begin, s.End = i, end
				switch group {
				case ofWord:
					s.before(true)
					s.after(true, false)
				case ofPunct:
					s.enclose(text, true, true)
				case ofDigits:
					s.before(false)
					s.after(false, false)
				default:
					s.left, s.border, s.number = text[end-1] == ' ', false, false
					if s.blank = s.left && end == i+1; s.blank {
						i = end
						continue
					}
					s.closed = false
				}
				return true
			}
		}
		class, size := v.at(text, i)
		switch {
		case in(class, setWord):
			s.Begin = i
			s.End, class = v.run(text, i+size, setWord, class)
			s.before(true)
			s.after(true, class&Symbol != 0)
			return true
		case in(class, setSpaces):
			end, last := v.run(text, i+size, setSpaces, class)
			s.left, s.border, s.number = last == Blank, false, false
			if s.blank = last == Blank && end == i+1; s.blank {
				i = end
				continue
			}
			s.Begin, s.End, s.closed = i, end, false
			return true
		case in(class, setDigits):
			s.Begin = i
			var last uint8
			s.End, last = v.run(text, i+size, setDigits, class)
			s.enclose(text, class == OtherDigit, last == OtherDigit)
			return true
		case in(class, setAlone):
			i = t.alone(s, text, i)
			continue
		}
		if end := v.contraction(text, i); end > 0 && !s.border {
			s.Begin, s.End = i, end
			s.before(false)
			s.after(true, false)
			return true
		}
		s.Begin = i
		v.other(s, text)
		return true
	}
	if s.blank {
		s.blank = false
		s.Between++
	}
	s.End = len(text)
	return false
}

// before counts the blank before a piece, unless the marks on both sides replace it.
func (s *Scan) before(begins bool) {
	if s.blank && !(begins && s.closed) {
		s.Between++
	}
}

// after records the properties of a piece that affect the next one.
func (s *Scan) after(closed, border bool) {
	s.left, s.blank, s.closed, s.border, s.number = false, false, closed, border, false
}

// enclose sets the marks of a piece on the sides with blanks.
func (s *Scan) enclose(text []byte, begins, ends bool) {
	begins = begins && s.left
	border := ends
	ends = ends && blankAt(text, s.End)
	if begins {
		s.Marks |= 1
	}
	if ends {
		s.Marks |= 2
	}
	s.before(begins)
	s.after(ends, border)
}

// blankAt reports whether there is a single blank at i.
func blankAt(text []byte, i int) bool {
	return i < len(text) && text[i] == ' ' && (i+1 == len(text) || text[i+1] != ' ')
}

// run returns the index after a run of characters in set, and the class of the last one; before is the class of the
// previous character.
func (v *Vocabulary) run(text []byte, i int, set uint32, before uint8) (end int, last uint8) {
	last = before
	for i < len(text) {
		class, size := v.at(text, i)
		if !in(class, set) {
			break
		}
		last = class
		i += size
	}
	return i, last &^ (touched | folded)
}

// other cuts punctuation, signs and numbers of other scripts at s.Begin: a run of them is one piece.
func (v *Vocabulary) other(s *Scan, text []byte) {
	i := s.Begin
	begins, ends, border, number := false, false, s.border, false
	for i < len(text) {
		class, size := v.at(text, i)
		if !in(class, setOther) {
			break
		}
		start := i
		number = in(class, setNumber)
		if i > s.Begin && class == Punct {
			if v.contraction(text, i) > 0 && !border {
				break // a contraction is a separate piece
			}
		}
		switch {
		case class&kindOf == Punct:
			i, _ = v.run(text, i+size, 1<<Punct, class)
			begins, ends = !v.opens(text, start, i), true
			border = true
		case class&kindOf == Sign:
			i, _ = v.run(text, i+size, 1<<Sign, class)
			begins, ends = true, true
			border = true
		default:
			pure := uint32(1) << (class & kindOf)
			i, _ = v.run(text, i+size, setNumber, class)
			same, _ := v.run(text, start+size, pure, class)
			begins = same == i && !v.selects(text, i)
			ends = same == i && !(start == s.Begin && s.number)
			border = ends
		}
		if start > s.Begin {
			continue
		}
		s.End = i
		if begins && s.left {
			s.Marks = 1
		}
	}
	s.End = i
	s.before(s.Marks != 0)
	if ends = ends && blankAt(text, i); ends {
		s.Marks |= 2
	}
	s.after(ends, border)
	s.number = number
}

// selects reports whether there is a variation selector at i.
func (v *Vocabulary) selects(text []byte, i int) bool {
	if i == len(text) {
		return false
	}
	class, _ := v.at(text, i)
	return class&kindOf == Selector
}

// opens reports whether the punctuation i..end is a lone apostrophe before a word.
func (v *Vocabulary) opens(text []byte, i, end int) bool {
	if text[i] != '\'' || end != i+1 || end == len(text) {
		return false
	}
	class, _ := v.at(text, end)
	return in(class, setWord)
}

// contraction returns the end of the contraction whose apostrophe is at i, or 0 if there is none.
func (v *Vocabulary) contraction(text []byte, i int) int {
	if text[i] != '\'' {
		return 0
	}
	for _, suffix := range v.contractions {
		end := i + 1 + len(suffix)
		if end > len(text) || string(text[i+1:end]) != suffix {
			continue
		}
		if end < len(text) {
			if class, _ := v.at(text, end); in(class, setWord) {
				continue
			}
		}
		return end
	}
	return 0
}

// alone counts a run of characters that are tiled alone, and returns its end. If a variation selector at either end of
// the run is next to a blank, it has a mark there, which is one token.
func (t *Tiler) alone(s *Scan, text []byte, i int) int {
	v := t.v
	char, size := split.DecodeRune(text, i)
	class := v.classOf(char)
	begins, number := class&kindOf == Selector && s.left, s.number
	if begins {
		s.Between++
	}
	s.before(begins)
	for {
		number = number && class&kindOf == Selector
		s.Between += t.unit(char, text[i:i+size])
		i += size
		if i == len(text) {
			break
		}
		char, size = split.DecodeRune(text, i)
		next := v.classOf(char)
		if !in(next, setAlone) {
			break
		}
		class = next
	}
	selects := class&kindOf == Selector
	ends := selects && blankAt(text, i)
	if ends {
		s.Between++
	}
	s.after(ends, selects)
	s.number = number
	return i
}

// Apart reports whether two adjacent texts can be counted separately: after a line break, or between a letter and
// punctuation, if these are ASCII and the following character cannot join them.
func Apart(left, right []byte) bool {
	if len(left) == 0 || len(right) == 0 {
		return true
	}
	before, after := left[len(left)-1], right[0]
	if after <= ' ' || after >= 0x7F || after == '\'' {
		return false
	}
	return before == '\n' || isLetter(before) && after < 'A' && (after < '0' || after > '9')
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
