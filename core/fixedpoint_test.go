// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"testing"
)

func TestPercentagesRoundHalfUp(t *testing.T) {
	for _, c := range []struct{ part, whole, want int64 }{
		{52100, 200000, 2605},
		{170105, 200000, 8505},
		{1, 3, 3333},
		{2, 3, 6667},
		{1, 20000, 1},
		{1, 20001, 0},
		{5, 5115, 10},
		{-5, 5115, -10},
		{0, 0, 0},
		{300, 200, 15000},
		{300, -1, 0},
		{1 << 62, 1, 1<<63 - 1},
		{-1 << 62, 1, -(1<<63 - 1)},
	} {
		if got := hundredths(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d is %d hundredths of a percent, want %d", c.part, c.whole, got, c.want)
		}
	}
}
