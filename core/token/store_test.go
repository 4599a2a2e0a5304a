// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"
)

// Many pieces differ only in one byte or in their length, and there are more of them than fit.
func TestStoreAnswersForNoOtherPiece(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	store := newPieceStore()
	kept := map[string]int64{}
	found, restarts := 0, 0
	piece := make([]byte, storedPieceMax)
	for range 300_000 {
		n := 16 + r.IntN(40)
		if r.IntN(50) == 0 {
			n = 16 + r.IntN(storedPieceMax-15)
		}
		clear(piece)
		for range r.IntN(3) {
			piece[r.IntN(n)] = byte(r.IntN(8))
		}
		tokens, want := store.find(piece[:n]), int64(-1)
		if count, ok := kept[string(piece[:n])]; ok {
			want = count
		}
		if tokens >= 0 {
			if found++; tokens != want {
				t.Fatalf("% x has %d tokens, want %d", piece[:n], tokens, want)
			}
			continue
		}
		used := store.used
		count := int64(r.IntN(3 * storedPieceMax))
		kept[string(piece[:n])] = count
		if store.keep(piece[:n], count); store.used < used {
			restarts++
		}
		if tokens := store.find(piece[:n]); tokens != count {
			t.Fatalf("% x has %d tokens as soon as it is kept, want %d", piece[:n], tokens, count)
		}
	}
	if found < 10_000 || restarts < 2 {
		t.Errorf("%d pieces were found, and the store started over %d times: too few to prove anything", found, restarts)
	}
	store.clear()
	if tokens := store.find(piece[:16]); tokens >= 0 {
		t.Errorf("a store that was emptied has a piece of %d tokens", tokens)
	}
}

// All pieces of a text of several hundred kilobytes must still be stored when it is counted again.
func TestStoreHasRoomForALargeText(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	pieces := make([][]byte, 11_000)
	store := newPieceStore()
	for i := range pieces {
		pieces[i] = make([]byte, 16+r.IntN(60))
		for j := range pieces[i] {
			pieces[i][j] = byte(r.Uint32())
		}
		store.keep(pieces[i], int64(i))
	}
	lost := 0
	for i, piece := range pieces {
		if tokens := store.find(piece); tokens < 0 {
			lost++
		} else if tokens != int64(i) {
			t.Fatalf("piece %d has %d tokens", i, tokens)
		}
	}
	if lost > len(pieces)/100 {
		t.Errorf("%d of %d pieces are lost", lost, len(pieces))
	}
}

// TestStoreTellsPiecesApartByEveryWord checks that pieces that differ in one place have room, wherever that is.
func TestStoreTellsPiecesApartByEveryWord(t *testing.T) {
	for at := 0; at < 64; at += 8 {
		store := newPieceStore()
		piece := make([]byte, 64)
		lost := 0
		const pieces = 4_000
		for i := range pieces {
			binary.LittleEndian.PutUint64(piece[at:], uint64(i))
			store.keep(piece, int64(i))
		}
		for i := range pieces {
			binary.LittleEndian.PutUint64(piece[at:], uint64(i))
			if tokens := store.find(piece); tokens < 0 {
				lost++
			} else if tokens != int64(i) {
				t.Fatalf("piece %d has %d tokens", i, tokens)
			}
		}
		if lost > pieces/100 {
			t.Errorf("of pieces that differ at byte %d, %d of %d are lost", at, lost, pieces)
		}
	}
}

// A hit is never wrong: a record matches only the piece that it was made from, whatever their hashes are.
func TestARecordMatchesOnlyItsPiece(t *testing.T) {
	for n := 16; n <= 48; n++ {
		store := newPieceStore()
		piece := make([]byte, n)
		for i := range piece {
			piece[i] = byte(i + n)
		}
		store.keep(piece, 3)
		record := store.records[2:store.used] // the first word of the store is never used, and that of a record has no text
		if !matches(record, piece) {
			t.Errorf("a record does not match its piece of %d bytes", n)
		}
		for i := range piece {
			piece[i] ^= 1
			if matches(record, piece) {
				t.Errorf("a record matches a piece of %d bytes that differs in byte %d", n, i)
			}
			piece[i] ^= 1
		}
		if matches(record[:len(record)-1], piece) {
			t.Errorf("a record that is cut off matches a piece of %d bytes", n)
		}
	}
}
