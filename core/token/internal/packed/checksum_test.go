// Copyright The ctx-lsp authors. MIT licence.

package packed

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

func TestTheChecksumIsTheKnownOne(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for n := range 100 {
		body := make([]byte, n)
		for i := range body {
			body[i] = byte(random.Uint32())
		}
		if got, want := Checksum(body), crc32.ChecksumIEEE(body); got != want {
			t.Errorf("%x of %d bytes, not %x: % x", got, n, want, body)
		}
	}
}

func BenchmarkChecksum(b *testing.B) {
	body := make([]byte, 1<<20)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		Checksum(body)
	}
}
