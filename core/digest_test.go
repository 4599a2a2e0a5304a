// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestTheDigestIsSipHash compares with the vectors of its authors: the key is 0 to 15, and the texts are 0, 0 1, ...
func TestTheDigestIsSipHash(t *testing.T) {
	key := PrintKey{0x0706050403020100, 0x0f0e0d0c0b0a0908}
	want := map[int]uint64{
		0: 0x726fdb47dd0e0e31, 1: 0x74f839c593dc67fd, 7: 0xab0200f58b01d137, 8: 0x93f5f5799a932462, 15: 0xa129ca6149be45e5,
	}
	text := make([]byte, 16)
	for i := range text {
		text[i] = byte(i)
	}
	for n, sum := range want {
		for cut := range n + 1 {
			d := newDigest(key)
			addTo(&d, text[:cut])
			addTo(&d, string(text[cut:n]))
			if got := d.sum(); got != sum {
				t.Errorf("%d bytes in two pieces of %d and %d: %x, want %x", n, cut, n-cut, got, sum)
			}
		}
	}
}

func TestPrintsDifferByKeyAndText(t *testing.T) {
	one, other := KeyOf("one"), KeyOf("other")
	item := func(text string) *Item { return &Item{Kind: User, Tokens: Unknown, Text: []byte(text)} }
	if one == other || one == (PrintKey{}) || KeyOf("") != (PrintKey{}) {
		t.Error("two secrets make one key")
	}
	yes := one.PrintOf(item("yes"), []byte("m1"), 0)
	for name, p := range map[string]Print{
		"another key":  other.PrintOf(item("yes"), []byte("m1"), 0),
		"another text": one.PrintOf(item("yes."), []byte("m2"), 0),
		"a name":       one.PrintOf(&Item{Text: []byte("yes"), Name: "bash"}, []byte("m1"), 1),
		"only a size":  one.PrintOf(&Item{Tokens: 3}, []byte("m3"), 0),
	} {
		if p.Content == yes.Content || p.ID == yes.ID || p.Content <= absent {
			t.Errorf("%s: %v, and %v", name, p, yes)
		}
	}
	if p := one.PrintOf(item("yes"), nil, 0); p.Content != yes.Content || p.ID != 0 {
		t.Errorf("%v, and %v", p, yes)
	}
}
