// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestEveryStateOfAHostIsRestored checks that the ledger of a conversation whose host sends only text and usage is
// restored after every step, with the same numbers: no component computes a value that its own walk refuses.
func TestEveryStateOfAHostIsRestored(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for round := range 150 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		s := New(Identity{ID: itoa(int64(round))}, plain{})
		check := func(e Event) {
			s.Apply(e)
			restored, ok := Restore(s.Save(), plain{})
			if !ok {
				t.Fatalf("round %d: the ledger after %T of request %d is refused", round, e, len(s.requests.list))
			}
			got, want := restored.Reading(), s.Reading()
			if got.Used != want.Used || got.Low != want.Low || got.High != want.High {
				t.Fatalf("round %d: restored it is %d (%d to %d), not %d (%d to %d)", round, got.Used, got.Low, got.High, want.Used, want.Low, want.High)
			}
		}
		in, most, shown := int64(20_000), 1000*(1+r.Int64N(15)), 1+r.Int64N(4)
		for range 16 {
			grown := 1 + r.Int64N(most)
			check(Appended{Item{Kind: User, Text: make([]byte, grown*shown), Tokens: Unknown}}) // some of it, or all
			in += grown
			check(measured(in, 1+r.Int64N(600)))
			check(Appended{Item{Kind: Assistant, Text: make([]byte, r.Int64N(2400)), Tokens: Unknown}})
		}
	}
}
