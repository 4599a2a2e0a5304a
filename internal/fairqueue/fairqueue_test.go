// Copyright The ctx-lsp authors. MIT licence.

package fairqueue

import (
	"context"
	"math/rand"
	"testing"
	"time"
)

// TestABusyClientDelaysNoOther checks that a new caller waits for at most one request of each other caller.
func TestABusyClientDelaysNoOther(t *testing.T) {
	var q Queue[int]
	for n := range 10_000 {
		q.Add(1, n)
		q.Add(2, -n)
	}
	q.Next()
	q.Add(3, 77)
	for range 2 {
		q.Next()
	}
	if got, _ := q.Next(); got != 77 {
		t.Errorf("the third turn after it came is %d's", got)
	}
}

// TestTheOrderOfEachStays takes, adds and removes at random, and compares the queue with a separate queue for each
// caller.
func TestTheOrderOfEachStays(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	type item struct {
		who uint64
		n   int
	}
	var q Queue[item]
	want := map[uint64][]int{}
	length := 0
	for n := range 100_000 {
		who := uint64(r.Intn(5))
		switch r.Intn(5) {
		case 0, 1:
			q.Add(who, item{who, n})
			want[who] = append(want[who], n)
			length++
		case 2, 3:
			got, some := q.Next()
			if some != (length > 0) {
				t.Fatalf("of %d there is some: %v", length, some)
			}
			if !some {
				continue
			}
			if want[got.who][0] != got.n {
				t.Fatalf("%d got its turn, not %d", got.n, want[got.who][0])
			}
			want[got.who] = want[got.who][1:]
			length--
		default:
			mine := want[who]
			if len(mine) == 0 {
				continue
			}
			at := r.Intn(len(mine))
			if !q.Remove(who, func(i item) bool { return i.n == mine[at] }) || q.Remove(who, func(i item) bool { return i.n == mine[at] }) {
				t.Fatal("something is removed once")
			}
			want[who] = append(append([]int{}, mine[:at]...), mine[at+1:]...)
			length--
		}
		if q.Len() != length {
			t.Fatalf("%d wait, want %d", q.Len(), length)
		}
	}
}

func TestAContextCarriesItsClient(t *testing.T) {
	ctx := As(context.Background(), 7)
	if Who(ctx) != 7 || Who(context.WithoutCancel(ctx)) != 7 || Who(context.Background()) != 0 {
		t.Errorf("%d %d %d", Who(ctx), Who(context.WithoutCancel(ctx)), Who(context.Background()))
	}
}
