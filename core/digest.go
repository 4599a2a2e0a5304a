// Copyright The ctx-lsp authors. MIT licence.

package core

import "math/bits"

// A digest is SipHash-2-4: without the key it can neither be made nor guessed.
type digest struct {
	v0, v1, v2, v3 uint64
	tail           uint64
	n              int
}

func newDigest(k PrintKey) digest {
	return digest{
		v0: k.low ^ 0x736f6d6570736575, v1: k.high ^ 0x646f72616e646f6d,
		v2: k.low ^ 0x6c7967656e657261, v3: k.high ^ 0x7465646279746573,
	}
}

func (d *digest) round() {
	d.v0 += d.v1
	d.v1 = bits.RotateLeft64(d.v1, 13) ^ d.v0
	d.v0 = bits.RotateLeft64(d.v0, 32)
	d.v2 += d.v3
	d.v3 = bits.RotateLeft64(d.v3, 16) ^ d.v2
	d.v0 += d.v3
	d.v3 = bits.RotateLeft64(d.v3, 21) ^ d.v0
	d.v2 += d.v1
	d.v1 = bits.RotateLeft64(d.v1, 17) ^ d.v2
	d.v2 = bits.RotateLeft64(d.v2, 32)
}

func (d *digest) word(w uint64) {
	d.v3 ^= w
	d.round()
	d.round()
	d.v0 ^= w
}

// addTo adds a text. The caller separates texts that follow each other.
func addTo[T string | []byte](d *digest, s T) {
	i := 0
	for ; d.n&7 != 0 && i < len(s); i++ {
		d.octet(s[i])
	}
	for ; i+8 <= len(s); i += 8 {
		d.word(uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56)
		d.n += 8
	}
	for ; i < len(s); i++ {
		d.octet(s[i])
	}
}

func (d *digest) octet(b byte) {
	d.tail |= uint64(b) << (8 * (d.n & 7))
	if d.n++; d.n&7 == 0 {
		d.word(d.tail)
		d.tail = 0
	}
}

func (d *digest) number(n int64) {
	for range 8 {
		d.octet(byte(n))
		n >>= 8
	}
}

func (d *digest) sum() uint64 {
	d.word(d.tail | uint64(d.n)<<56)
	d.v2 ^= 0xff
	for range 4 {
		d.round()
	}
	return d.v0 ^ d.v1 ^ d.v2 ^ d.v3
}
