// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// framing learns the cost of a result in the tool loop beyond its text, if it differs by a constant from the model's
// data: another route, another agent, a model without measurements.
type framing struct {
	ring   [framingsKept]int64
	n      int64
	offset int64 // the cost in force; 0 until the newest steps agree
}

const (
	framingsKept   = 12
	framingsNeeded = 4
	framingsAgree  = 4 // tokens between the quartiles
	// framingEstimated is the most estimated text that a step may contain to show the framing: more text has larger
	// errors than framings may differ by.
	framingEstimated = 60
)

// add adds the error of a step with one tool result, and sets the offset if the newest errors agree.
func (f *framing) add(residual int64) {
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
