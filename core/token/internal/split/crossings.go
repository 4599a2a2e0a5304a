// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Unsplit is the scanner of vocabularies that merge a text as a whole. Cutting where no merge can cross gives short
// pieces that recur.
const Unsplit = "none"

// Crossings records between which characters a merge may cross, for text without a scanner. Initially all are possible.
type Crossings struct {
	noted      bool     // Note was called
	may        []uint64 // bits by two neighboring characters, set if a merge joins them
	underlined bool     // spaces are written as U+2581
}

const crossingBits = 22

// NewCrossings returns crossings that exclude nothing yet.
func NewCrossings(underlined bool) *Crossings { return &Crossings{underlined: underlined} }

// Note begins to record merges, which are then added with Add.
func (c *Crossings) Note() { c.noted, c.may = true, make([]uint64, 1<<crossingBits/64) }

// Add records that a merge joins text ending with one character to text beginning with another.
func (c *Crossings) Add(left, right rune) {
	at := crossing(left, right)
	c.may[at>>6] |= 1 << (at & 63)
}

func crossing(left, right rune) uint64 {
	return (uint64(left)<<21 | uint64(right)) * word.HashFactor >> (64 - crossingBits)
}

// Noted reports whether merges have been recorded. If not, every text is one piece.
func (c *Crossings) Noted() bool { return c.noted }

// Next returns the end of the piece that begins at i, like a Scanner: the next offset that no merge can cross.
func (c *Crossings) Next(p []byte, i int) int {
	left, size := DecodeRune(p, i)
	for i += size; i < len(p); i += size {
		var right rune
		if right, size = DecodeRune(p, i); c.Never(left, right) {
			break
		}
		left = right
	}
	return i
}

// Never reports whether no merge joins text ending with one character to text beginning with another.
func (c *Crossings) Never(left, right rune) bool {
	at := crossing(c.written(left), c.written(right))
	return c.noted && c.may[at>>6]>>(at&63)&1 == 0
}

func (c *Crossings) written(char rune) rune {
	if char == ' ' && c.underlined {
		return '▁'
	}
	return char
}
