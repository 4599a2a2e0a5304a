// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"bytes"
	"math/rand"
	"testing"
	"time"
)

func TestPositionsAreCountedInTheUnitTheClientChose(t *testing.T) {
	text := []byte("aé漢😀b\r\nsecond\rthird\nlast")
	for _, test := range []struct {
		encoding Encoding
		position Position
		offset   int
	}{
		{UTF8, Position{0, 3}, 3},
		{UTF8, Position{0, 4}, 3},
		{UTF8, Position{0, 10}, 10},
		{UTF8, Position{0, 99}, 11},
		{UTF16, Position{0, 3}, 6},
		{UTF16, Position{0, 4}, 6},
		{UTF16, Position{0, 5}, 10},
		{UTF16, Position{0, 99}, 11},
		{UTF32, Position{0, 3}, 6},
		{UTF32, Position{0, 4}, 10},
		{UTF32, Position{1, 0}, 13},
		{UTF32, Position{2, 0}, 20},
		{UTF16, Position{3, 4}, 30},
		{UTF16, Position{4, 0}, 30},
		{UTF16, Position{-1, 5}, 0},
		{UTF16, Position{1, -3}, 13},
		{UTF16, Position{1 << 30, 1 << 30}, 30},
	} {
		if got := NewMapper(text, test.encoding).Offset(test.position); got != test.offset {
			t.Errorf("%v %v: offset %d, want %d", test.encoding, test.position, got, test.offset)
		}
	}
}

func TestEveryCharacterGoesThereAndBack(t *testing.T) {
	text := []byte("aé漢😀b\r\n\r\rx\n\n")
	for _, encoding := range []Encoding{UTF8, UTF16, UTF32} {
		m := NewMapper(text, encoding)
		for offset := range string(text) {
			if offset > 0 && text[offset] == '\n' && text[offset-1] == '\r' {
				continue // inside a line break: not a valid position
			}
			if back := m.Offset(m.Position(offset)); back != offset {
				t.Errorf("%v: offset %d came back as %d", encoding, offset, back)
			}
		}
	}
}

func TestAnEditedMapperEqualsAFreshOne(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	pieces := []string{"a", "\n", "\r", "\r\n", "é", "😀", "word ", "", "\n\n", "x\r"}
	for range 200 {
		m := NewMapper(nil, UTF16)
		var text []byte
		for range 60 {
			from := r.Intn(len(text) + 1)
			to := from + r.Intn(min(4, len(text)-from)+1)
			with := []byte(pieces[r.Intn(len(pieces))])
			text = append(append(bytes.Clone(text[:from]), with...), text[to:]...)
			m.Edit(from, to, with)
			fresh := NewMapper(bytes.Clone(text), UTF16)
			if !bytes.Equal(m.text, text) {
				t.Fatalf("text %q, want %q", m.text, text)
			}
			if len(m.lines) != len(fresh.lines) {
				t.Fatalf("%q: lines %v, want %v", text, m.lines, fresh.lines)
			}
			for i := range m.lines {
				if m.lines[i] != fresh.lines[i] {
					t.Fatalf("%q: lines %v, want %v", text, m.lines, fresh.lines)
				}
			}
		}
	}
}
