// Copyright The ctx-lsp authors. MIT licence.

package core

import "math/bits"

// Fixed-point arithmetic gives the same bytes on every processor and with every compiler.

// mulDiv returns a*b/c rounded down, or the largest int64 on overflow, for a, b >= 0 and c > 0.
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

// hundredths returns part/whole as a percentage with two decimals, in hundredths of a percent. It rounds half up, and
// half away from zero for negative parts.
func hundredths(part, whole int64) int64 { return share(part, whole, 10_000) }

// share returns part as a fraction of whole, in the given number of units, rounded half up.
func share(part, whole, units int64) int64 {
	if whole <= 0 {
		return 0
	}
	if part < 0 {
		return -share(-part, whole, units)
	}
	hi, lo := bits.Mul64(uint64(part), uint64(2*units))
	if hi >= uint64(whole) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64((q + 1) / 2)
}
