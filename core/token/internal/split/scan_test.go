// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"
	"unicode/utf8"
)

// quickScanners returns the scanners that are compared with plainScanners.
func quickScanners() map[string]Scanner {
	scanners := map[string]Scanner{}
	for name := range plainScanners {
		scanners[name] = Find(name)
	}
	return scanners
}

// samples contains a few characters of each class and length, those mentioned by the rules, and broken ones.
var samples = []string{
	"a", "z", "S", "t", "L", "l", "r", "e", "v", "d", "M", "'", "'s", "'LL", "'ſ", "ſ", " ", "  ", "\t", "\n", "\r", "/", "\u00a0", "\u0085", "\u2028", "\u3000",
	"é", "ß", "É", "ǅ", "ʰ", "ª", "я", "Я", "ё", "слово", "ب", "ـ", "ה", "क", "ि", "्", "\u0301", "\u0670", "\u20dd", "中", "文", "〇", "々", "〆", "あ", "ア", "ー", "゛", "・",
	"한", "ᄀ", "ﬁ", "Ꭰ", "ⅷ", "1", "٣", "²", "½", "一", "，", "。", "«", "€", "→", ".", "(", "_", "\x00", "\u200d", "\ufeff", "\u0378", "\ue000", "�",
	"𐐀", "𐐨", "𝐀", "😀", "🏽", "𠀀", "𞤀", "\U000e0100", "\U0010ffff",
	"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xd0", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe4", "\xe4\xb8", "\xed\xa0\x80", "\xed\xbf\xbf", "\xed\x9f", "\xef\xbf",
	"\xf0\x9f", "\xf0\x9f\x98", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
}

// sameEnds fails if a scanner and its reference cut a text differently.
func sameEnds(t *testing.T, name string, quick Scanner, text []byte) {
	for i := 0; i < len(text); {
		end, want := quick(text, i), plainScanners[name](text, i)
		if end != want {
			t.Fatalf("%s of %q: the piece at %d ends at %d, want %d", name, text, i, end, want)
		}
		i = end
	}
}

func TestEveryCharacterIsScannedAsByThePlainScanner(t *testing.T) {
	scanners := quickScanners()
	var text []byte
	for c := range rune(utf8.MaxRune + 1) {
		text = utf8.AppendRune(text[:0], c)
		class, size := Decode(append(text, "...."...), 0)
		if alone, n := Decode(text, 0); class != ClassOf(c) && utf8.ValidRune(c) || alone != class || size != len(text) || n != size {
			t.Fatalf("%U has the class %b and %d bytes, want %b and %d", c, class, size, ClassOf(c), len(text))
		}
		if c >= 0x20000 && c < 0xE0000 && c%64 > 1 { // mostly Han and unassigned
			continue
		}
		if testing.Short() && c%16 > 0 {
			continue
		}
		for _, around := range [...][2]string{{"", "a"}, {" ", "б..."}, {"A", "中中"}, {"é", "'s ..."}} {
			text = append(utf8.AppendRune(append(text[:0], around[0]...), c), around[1]...)
			for name, quick := range scanners {
				sameEnds(t, name, quick, text)
			}
		}
	}
}

// Tests every sequence of up to three bytes, and every start of four, complete and cut off.
func TestEverySequenceOfBytesIsDecodedAsByThePlainScanner(t *testing.T) {
	for lead := 0x80; lead < 0x100; lead++ {
		for second := range 0x100 {
			for third := range 0x100 {
				text := []byte{byte(lead), byte(second), byte(third), 'a', 0x80, 0xBF}
				for n := 1; n <= len(text); n++ {
					class, size := Decode(text[:n], 0)
					if want, wantSize := plainDecode(text[:n], 0); class != want || size != wantSize {
						t.Fatalf("% x is decoded as %b of %d bytes, want %b of %d", text[:n], class, size, want, wantSize)
					}
					if n > 3 && third&0x3F > 1 {
						break
					}
				}
			}
		}
	}
}

func TestRandomMixturesAreScannedAsByThePlainScanner(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	scanners := quickScanners()
	var b bytes.Buffer
	texts := 200_000
	if testing.Short() {
		texts /= 10
	}
	for range texts {
		b.Reset()
		few := 1 + r.IntN(len(samples))
		from := r.IntN(len(samples))
		for range 1 + r.IntN(24) {
			s := samples[(from+r.IntN(few))%len(samples)]
			for range 1 + max(0, r.IntN(12)-8) {
				b.WriteString(s)
			}
			switch r.IntN(30) {
			case 0:
				b.WriteRune(rune(r.IntN(0x3000)))
			case 1:
				b.WriteByte(byte(r.Uint32()))
			case 2:
				b.Truncate(b.Len() - 1)
			}
		}
		for name, quick := range scanners {
			sameEnds(t, name, quick, b.Bytes())
		}
	}
}
