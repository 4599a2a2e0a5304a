// Copyright The ctx-lsp authors. MIT licence.

package tiles

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Kind is the number of this kind of vocabulary in packs.
const Kind = 2

// The marks of the stream, as bytes that never occur in text.
const (
	Begin = 0xF8 + iota // beginning of a word
	End                 // end of a word
	Shift               // the next letter is a capital
	Caps                // all letters of the word are capitals

	sides = 0xFC // ends a piece other than a word; plus 1 for a begin mark and 2 for an end mark
)

// The flags of a family of models.
const (
	FoldQuotes = 1 << iota // curly quotes become straight ones
	OpenFrame              // the frame of a message ends with a begin mark
	LineTail               // the frame of a message continues with line breaks
	allFlags   = 1<<iota - 1
)

const (
	maxPiece  = 255 // bytes
	maxFrame  = 1000
	maxProbes = 1000
)

// A Vocabulary contains the pieces of one pack and its rules for the stream.
type Vocabulary struct {
	composer     *split.Composer
	class        []uint8     // class of each character
	ascii        [256]uint8  // group of each ASCII byte; 0 for other bytes
	odd          [256]bool   // bytes that begin a character that may not be normal
	settled      [512]uint64 // pairs of neighboring characters, and whether form C may change them
	capitals     []uint16
	smalls       []uint16
	flags        int
	capsMin      int   // minimum length of a word of capitals with a caps mark; 0 if there are none
	frame        int64 // cost of a message besides its text
	contractions []string
	pieces       int
	edges        []uint64    // edges of the trie: node and byte, and the arrival they lead to
	first        [256]uint32 // arrivals from the root, by byte
	shift        uint        // shift from a hash to an index of edges
}

// Read reads the last part of a pack.
func Read(r *packed.Reader, composer *split.Composer) *Vocabulary {
	v := &Vocabulary{composer: composer}
	v.flags = r.Count(allFlags)
	v.capsMin = r.Count(maxPiece)
	v.frame = int64(r.Count(maxFrame))
	v.readClasses(r)
	v.readLetters(r)
	v.contractions = r.Texts()
	v.readPieces(r)
	if r.Failed == "" && r.Left() > 0 {
		r.Fail("there are " + strconv.Itoa(r.Left()) + " bytes behind its end")
	}
	return v
}

// Tokens returns the number of pieces.
func (v *Vocabulary) Tokens() int { return v.pieces }

// readPieces reads the sorted pieces: for each, how many bytes it shares with the one before, how many follow, and the
// latter.
func (v *Vocabulary) readPieces(r *packed.Reader) {
	v.pieces = r.Count(min(packed.MaxStrings, r.Left()/3))
	if r.Failed != "" {
		return
	}
	columns := r.Bytes[r.At:]
	shared, more, text := columns[:v.pieces], columns[v.pieces:2*v.pieces], columns[2*v.pieces:]
	nodes := 0
	for _, n := range more {
		nodes += int(n)
	}
	if nodes > len(text) {
		r.Fail("it ends in the middle of its pieces")
		return
	}
	r.At += 2*v.pieces + nodes
	size := uint(3)
	for 1<<size < 2*nodes {
		size++
	}
	v.edges, v.shift = make([]uint64, 1<<size), 64-size
	var path [maxPiece + 1]uint32 // the nodes of the previous piece
	length, node, last := 0, uint32(0), uint64(0)
	for i := range v.pieces {
		from, add := int(shared[i]), int(more[i])
		if from > length || add == 0 || from+add > maxPiece {
			r.Fail("its piece " + strconv.Itoa(i) + " is too long, empty or out of order")
			return
		}
		if from == length && i > 0 {
			v.edges[last] |= leadsOn
		}
		for k, b := range text[:add] {
			node++
			arrival, ok := node<<nodeAt|leadsOn, false
			if k == add-1 {
				arrival = node<<nodeAt | endsPiece
			}
			if last, ok = v.addEdge(path[from+k], b, arrival); !ok {
				r.Fail("two of its pieces are the same, or " + packed.TooAlike)
				return
			}
			path[from+k+1] = node
		}
		text, length = text[add:], from+add
	}
	for b := range v.first {
		v.first[b] = v.follow(0, byte(b))
	}
}

// An edge contains, from its highest bit: the node it leaves, one byte, and the arrival it leads to. An arrival
// contains a node, whether the node has edges, and whether a piece ends there.
const (
	edgeByte  = 32
	edgeFrom  = edgeByte + 8
	edgeKey   = 1<<64 - 1<<edgeByte
	endsPiece = 1
	leadsOn   = 2
	nodeAt    = 2
)

func edgeOf(node uint32, b byte) uint64 { return uint64(node)<<edgeFrom | uint64(b)<<edgeByte }

// addEdge adds an edge and returns its index. It fails if the edge already exists or too many have the same hash.
func (v *Vocabulary) addEdge(node uint32, b byte, arrival uint32) (at uint64, ok bool) {
	edge := edgeOf(node, b)
	at = edge * word.HashFactor >> v.shift
	for range maxProbes {
		switch found := v.edges[at]; {
		case found == 0:
			v.edges[at] = edge | uint64(arrival)
			return at, true
		case found&edgeKey == edge:
			return at, false
		}
		at = (at + 1) & uint64(len(v.edges)-1)
	}
	return at, false
}

// follow returns the arrival from a node by a byte, or 0 if there is none.
func (v *Vocabulary) follow(node uint32, b byte) (arrival uint32) {
	edge := edgeOf(node, b)
	at := edge * word.HashFactor >> v.shift
	for {
		found := v.edges[at]
		if found&edgeKey == edge && found != 0 {
			return uint32(found)
		}
		if found == 0 {
			return 0
		}
		at = (at + 1) & uint64(len(v.edges)-1)
	}
}
