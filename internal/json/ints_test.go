// Copyright The ctx-lsp authors. MIT licence.

package json

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

// TestIntsAreWrittenOneByOne compares lists with runs of zeros of every length with their numbers.
func TestIntsAreWrittenOneByOne(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		var list []int64
		want := `{"before":1,"list":[`
		for i := range random.IntN(80) {
			n := int64(0)
			if random.IntN(1+random.IntN(40)) == 0 {
				n = random.Int64() >> random.IntN(64)
			}
			if random.IntN(8) == 0 {
				n = -n
			}
			list = append(list, n)
			if i > 0 {
				want += ","
			}
			want += strconv.FormatInt(n, 10)
		}
		want += `],"after":2}`
		var w Writer
		w.BeginObject()
		w.Field(`,"before":`)
		w.Int(1)
		w.Field(`,"list":`)
		w.Ints(list)
		w.Field(`,"after":`)
		w.Int(2)
		w.EndObject()
		if string(w.Buf) != want {
			t.Fatalf("got  %s\nwant %s", w.Buf, want)
		}
	}
}
