// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"testing"
	"unicode/utf8"
)

// The kinds in bitmaps must match the classes of scanners for every character, at every position.
func TestBitmapsAgreeWithClasses(t *testing.T) {
	for c := range rune(0x110000) {
		for _, at := range []int{0, 7, 8, 29, 63} {
			if c >= 0x80 && at != 29 && at != 63 {
				continue
			}
			text := [BitmapBytes]byte{}
			character := utf8.AppendRune(nil, c)
			copy(text[at:], character)
			var m Bitmaps
			m.Fill(&text)
			first := uint64(1) << uint(at)
			bytes := first<<uint(len(character)) - first
			class := ClassOf(c)
			want := Bitmaps{Known: ^uint64(0)}
			for _, kind := range []struct {
				of *uint64
				is bool
			}{
				{&want.letters, class&SetLetters != 0},
				{&want.capitals, class == ClassUpper},
				{&want.caseless, class == classCaseless},
				{&want.digits, class&SetNumbers != 0},
				{&want.spaces, class&SetSpaces != 0},
				{&want.newlines, class == ClassNewline},
				{&want.blanks, c == ' '},
				{&want.slashes, c == '/'},
				{&want.quotes, c == '\''},
				{&want.inner, class&(classOther|ClassBare) != 0},
			} {
				if kind.is {
					*kind.of = bytes
				}
			}
			want.inner &^= first
			unspaced := firstUnspaced <= c && c <= lastUnspaced
			if c >= 0x80 && (class&(SetMarks|SetNumbers|SetSpaces|SetHan) != 0 || unspaced || c == utf8.RuneError) || at+len(character) > BitmapBytes {
				want = Bitmaps{Known: first - 1}
			}
			if utf8.ValidRune(c) && m != want {
				t.Fatalf("%q at %d: %+v, want %+v", c, at, m, want)
			}
		}
	}
}
