// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// framing learns what a result in the tool loop costs in addition to its text,
// if that differs by a constant from what is known of the model: another route,
// another agent, a model nobody has measured.
type framing struct {
	ring   [framingsKept]int64
	n      int64
	offset int64 // in force; 0 until the newest steps agree
}

const (
	framingsKept   = 12
	framingsNeeded = 4
	framingsAgree  = 4 // tokens between the quartiles
	// framingEstimated is how much estimated text a step may have that shows the
	// framing: more is off by more than framings may differ.
	framingEstimated = 60
)

func (f *framing) learn(residual int64) {
	f.ring[f.n%framingsKept] = residual
	f.n++
	var buffer [framingsKept]int64
	sorted := append(buffer[:0], f.ring[:min(f.n, framingsKept)]...)
	slices.Sort(sorted)
	f.offset = 0
	if n := len(sorted); n >= framingsNeeded && sorted[n*3/4]-sorted[n/4] <= framingsAgree {
		f.offset = sorted[n/2]
	}
}

func (f *framing) walk(c *codec.Codec) {
	c.Array("ring", f.ring[:])
	c.Ints("n offset", &f.n, &f.offset)
	c.Refuse(f.n < 0)
}
