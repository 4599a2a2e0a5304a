// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"os"
	"strconv"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
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

// Of three pieces with one set, the one that was seen longest ago is replaced, however the others were looked up.
func TestCacheReplacesThePieceSeenLongestAgo(t *testing.T) {
	var words [][]byte
	key := func(word []byte) pieces.Key { return pieces.KeyOf(word, 0, len(word)) }
	for i := 0; len(words) < 3; i++ {
		if word := []byte(" w" + strconv.Itoa(i)); len(words) == 0 || setOf(key(word)) == setOf(key(words[0])) {
			words = append(words, word)
		}
	}
	for name, see := range map[string]func(*pieceCache, []byte) bool{
		"find": func(c *pieceCache, word []byte) bool {
			_, ok := c.find(key(word))
			return ok
		},
		"countPieces": func(c *pieceCache, word []byte) bool {
			var view [split.ViewBytes]byte
			copy(view[:], word)
			count, missed := c.countPieces(&view, 1<<len(word))
			return count == 1 && missed == 0
		},
	} {
		cache := newPieceCache()
		cache.add(key(words[0]), 1)
		if !see(&cache, words[0]) {
			t.Errorf("%s: the latest piece is not found", name)
		}
		cache.add(key(words[1]), 1)
		if !see(&cache, words[0]) {
			t.Fatalf("%s: the cache of two pieces lacks the first", name)
		}
		cache.add(key(words[2]), 1)
		if _, ok := cache.find(key(words[1])); ok {
			t.Errorf("%s: the piece seen longest ago stays", name)
		}
		if !see(&cache, words[0]) || !see(&cache, words[2]) {
			t.Errorf("%s: a piece that was seen later is replaced", name)
		}
		if cache.clear(); see(&cache, words[0]) || see(&cache, words[2]) {
			t.Errorf("%s: a piece stays in a cache that was cleared", name)
		}
	}
}

// TestCountedPiecesAreRemembered checks that a piece, short or long, is looked up in the vocabulary only once.
func TestCountedPiecesAreRemembered(t *testing.T) {
	pack, err := os.ReadFile("../../internal/assets/r50k.ctxv")
	if err != nil {
		t.Fatal(err)
	}
	v, err := Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	counting := New(Encoding{Name: "r50k_base", Vocabulary: "r50k"}, v)
	short, long := []byte("lighthouse"), []byte("counterrevolutionaries")
	want, wantLong := counting.Count(short), counting.Count(long)
	if n, ok := counting.cache.find(pieces.KeyOf(short, 0, len(short))); !ok || n != want {
		t.Errorf("%s: %d, %v, want %d", short, n, ok, want)
	}
	if n := counting.cache.long.find(long); n != wantLong {
		t.Errorf("%s: %d, want %d", long, n, wantLong)
	}
	counting.Forget()
	if _, ok := counting.cache.find(pieces.KeyOf(short, 0, len(short))); ok || counting.cache.long.find(long) >= 0 {
		t.Error("a piece is found after Forget")
	}
}
