// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"strconv"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// The words of a large text must still be in the cache when it is counted again.
func TestCacheHasRoomForTheWordsOfALargeText(t *testing.T) {
	cache := newPieceCache()
	key := func(i int) pieces.Key {
		word := []byte(" w" + strconv.Itoa(i*7919))
		return pieces.KeyOf(word, 0, len(word))
	}
	const words = 4_000
	for i := range words {
		cache.add(key(i), int64(1+i%5))
	}
	lost := 0
	for i := range words {
		if count, ok := cache.find(key(i)); !ok {
			lost++
		} else if count != int64(1+i%5) {
			t.Fatalf("word %d has %d tokens", i, count)
		}
	}
	if lost > words/20 {
		t.Errorf("%d of %d words are lost", lost, words)
	}
}
