// Copyright The ctx-lsp authors. MIT licence.

package core

import "math/bits"

// Fixed-point arithmetic gives the same bytes on every processor and with
// every compiler.

// mulDiv is a*b/c rounded down, without overflow, for a, b >= 0 and c > 0.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	if q >= 1<<63 {
		return 1<<63 - 1
	}
	return int64(q)
}

// hundredths is 100*100*part/whole rounded half up, away from zero below it:
// a percentage with two decimals.
func hundredths(part, whole int64) int64 {
	if whole <= 0 {
		return 0
	}
	if part < 0 {
		return -hundredths(-part, whole)
	}
	hi, lo := bits.Mul64(uint64(part), 20000)
	if hi >= uint64(whole) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64((q + 1) / 2)
}

// logOne is 1 in the fixed point of log2 and exp2: 16 fractional bits.
const logOne = 1 << 16

// log2 is the binary logarithm of n/one, with 16 fractional bits, for n and
// one > 0. Its fraction comes from squaring, bit by bit.
func log2(n, one uint64) int64 {
	return log2Whole(n) - log2Whole(one)
}

func log2Whole(n uint64) int64 {
	exponent := bits.Len64(n) - 1
	m := n << (63 - exponent) // mantissa in [1, 2), 63 fractional bits
	result := int64(exponent) << 16
	for bit := int64(logOne >> 1); bit > 0; bit >>= 1 {
		hi, _ := bits.Mul64(m, m) // in [1, 4), 62 fractional bits
		if hi>>63 != 0 {
			result += bit
			m = hi
		} else {
			m = hi << 1
		}
	}
	return result
}

// exp2 is 2^x times one, for x with 16 fractional bits; it saturates.
func exp2(x int64, one uint64) uint64 {
	whole := x >> 16
	fraction := uint64(x & (logOne - 1))
	m := uint64(1) << 62
	for i := 0; i < 16; i++ {
		if fraction&(1<<(15-i)) != 0 {
			hi, lo := bits.Mul64(m, roots[i])
			m = hi<<2 | lo>>62
		}
	}
	hi, lo := bits.Mul64(m, one) // one * 2^fraction, 62 fractional bits
	shift := 62 - whole
	switch {
	case shift >= 128:
		return 0
	case shift >= 64:
		return hi >> (shift - 64)
	case shift <= 0:
		return 1<<63 - 1
	}
	if hi>>shift != 0 {
		return 1<<63 - 1
	}
	return hi<<(64-shift) | lo>>shift
}

// roots are 2^(1/2), 2^(1/4), ... with 62 fractional bits.
var roots = [16]uint64{
	0x5a827999fcef3242, 0x4c1bf828c6dc54b8, 0x45cae0f1f545eb73, 0x42d561b3e6243d8a,
	0x4166c34c5615d0ec, 0x40b268f9de0183ba, 0x4058f6a7ecccd5b6, 0x402c6be96af2fb58,
	0x4016321b687027a8, 0x400b18178ba33b14, 0x40058bce410147e8, 0x4002c5d7bff71daf,
	0x400162e807ee7e5b, 0x4000b1730df6a524, 0x400058b9497b8152, 0x40002c5c955dd701,
}
