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

// half is one half of a round. It takes the state by value, because WebAssembly cannot keep a struct behind a pointer
// in registers (BenchmarkDigest).
func half(a, b, c, d uint64, left, right int) (uint64, uint64, uint64, uint64) {
	a += b
	c += d
	return bits.RotateLeft64(a, 32), bits.RotateLeft64(b, left) ^ a, c, bits.RotateLeft64(d, right) ^ c
}

func (d *digest) round() {
	v0, v1, v2, v3 := half(d.v0, d.v1, d.v2, d.v3, 13, 16)
	d.v2, d.v1, d.v0, d.v3 = half(v2, v1, v0, v3, 17, 21)
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
	v0, v1, v2, v3 := d.v0, d.v1, d.v2, d.v3
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		v3 ^= w
		for range 2 {
			v0, v1, v2, v3 = half(v0, v1, v2, v3, 13, 16)
			v2, v1, v0, v3 = half(v2, v1, v0, v3, 17, 21)
		}
		v0 ^= w
		d.n += 8
	}
	d.v0, d.v1, d.v2, d.v3 = v0, v1, v2, v3
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
