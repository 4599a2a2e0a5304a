// Copyright The ctx-lsp authors. MIT licence.

package order_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/order"
)

func TestAscendSortsLikeTheStandardLibrary(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2_000 {
		numbers := make([]int64, r.IntN(200))
		for i := range numbers {
			numbers[i] = r.Int64N(1+r.Int64N(1<<62)) - r.Int64N(100)
		}
		want := slices.Clone(numbers)
		slices.Sort(want)
		if order.Ascend(numbers); !slices.Equal(numbers, want) {
			t.Fatalf("%d, want %d", numbers, want)
		}
	}
}
