// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Unsplit is the scanner of vocabularies that merge a text as a whole. What no merge can join is still apart, and
// cutting there makes pieces that are short and come again.
const Unsplit = "none"

// Crossings say between which characters a merge may cross, for text that no scanner splits. At first any may.
type Crossings struct {
	known      bool     // merges have been noted
	may        []uint64 // bits by two characters side by side: some merge joins them
	underlined bool     // a space is written as U+2581
}

const crossingBits = 22

// NewCrossings begin with nothing known.
func NewCrossings(underlined bool) *Crossings { return &Crossings{underlined: underlined} }

// Note begins the list of what merges join; Add adds to it.
func (c *Crossings) Note() { c.known, c.may = true, make([]uint64, 1<<crossingBits/64) }

// Add notes that a merge joins what ends with one character to what begins with another.
func (c *Crossings) Add(left, right rune) {
	at := crossing(left, right)
	c.may[at>>6] |= 1 << (at & 63)
}

func crossing(left, right rune) uint64 {
	return (uint64(left)<<21 | uint64(right)) * word.HashFactor >> (64 - crossingBits)
}

// Known tells whether it is known what merges join: else all of a text is one piece.
func (c *Crossings) Known() bool { return c.known }

// Next answers where a merge can no longer cross, as a scanner does where a piece ends.
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

// Never tells whether no merge joins what ends with one character to what begins with another.
func (c *Crossings) Never(left, right rune) bool {
	at := crossing(c.written(left), c.written(right))
	return c.known && c.may[at>>6]>>(at&63)&1 == 0
}

func (c *Crossings) written(char rune) rune {
	if char == ' ' && c.underlined {
		return '▁'
	}
	return char
}
