// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

const (
	reasonsKept     = 16
	reasonsReadable = 64 // ledgers may contain more than are kept now
)

// reason is a number with its cause: tokens that leave, records skipped.
type reason struct {
	why    Text
	amount int64
}

// reasons sums amounts by cause. The last entry of a full list absorbs all further causes.
type reasons []reason

func (l *reasons) add(why Text, amount int64) {
	if why.Empty() {
		why = phrase.Leaves.Text()
	}
	for i := range *l {
		if (*l)[i].why.Equal(why) {
			(*l)[i].amount += amount
			return
		}
	}
	if len(*l) >= reasonsKept {
		(*l)[reasonsKept-1].amount += amount
		return
	}
	*l = append(*l, reason{why, amount})
}

func (l reasons) total() int64 {
	sum := int64(0)
	for _, r := range l {
		sum += r.amount
	}
	return sum
}

func (l *reasons) walk(c *codec.Codec) {
	codec.List(c, "reasons", (*[]reason)(l), reasonsReadable, (*reason).walk)
}

func (r *reason) walk(c *codec.Codec) {
	c.Texts("why", &r.why)
	c.Ints("amount", &r.amount)
}
