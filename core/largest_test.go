// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestTheLargestAreThoseOfACountAnew checks that the incrementally updated sums agree with a recount of the items.
func TestTheLargestAreThoseOfACountAnew(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		var s sums
		var items []storedItem
		slotAt := func() storedItem {
			return storedItem{
				tokens: uint32(r.IntN(30)), label: uint16(max(0, r.IntN(12)-6)),
				kind: []Kind{User, ToolCalls, ToolResults}[r.IntN(3)], basis: []Basis{Counted, Counted, Counted, Estimated}[r.IntN(4)],
			}
		}
		for range 200 {
			switch at := 0; {
			case len(items) == 0 || r.IntN(3) > 0:
				for range 1 + r.IntN(4) {
					items = append(items, slotAt())
				}
			case r.IntN(3) == 0:
				from := len(items) - r.IntN(min(len(items), 4))
				s.truncate(from, items)
				items = items[:from]
			case r.IntN(2) == 0:
				at = r.IntN(len(items))
				s.remove(at, items)
				items[at].flags |= slotRemoved
			default:
				at = r.IntN(len(items))
				is := slotAt()
				s.replaced(at, is, items)
				items[at] = is
			}
			s.count(items)
			var fresh sums
			fresh.count(items)
			for i := range max(len(s.byLabel), len(fresh.byLabel)) {
				var a, b sum
				if i < len(s.byLabel) {
					a = s.byLabel[i]
				}
				if i < len(fresh.byLabel) {
					b = fresh.byLabel[i]
				}
				if a.mixed = b.mixed; a != b && a.tokens+b.tokens > 0 {
					t.Fatalf("name %d: %+v, and counted anew %+v", i, a, b)
				}
			}
			shown := min(largestShown, len(fresh.alone))
			if len(s.alone) < shown || !slices.Equal(s.alone[:shown], fresh.alone[:shown]) {
				t.Fatalf("without a name: %v, and counted anew %v", s.alone, fresh.alone)
			}
		}
	}
}
