// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A filler makes texts of our own words with the size of other texts: the same number of tokens for one model, of
// characters, and of characters that JSON escapes.
type filler struct {
	core  *api.Core
	model string
	words []([]string) // words of one token each, by their length
}

func newFiller(model string) (*filler, error) {
	f := &filler{core: api.New(), model: model}
	for _, name := range []string{"o200k", "cl100k"} {
		pack, err := os.ReadFile(filepath.Join("internal", "assets", name+".ctxv"))
		if err != nil {
			return nil, err
		}
		if err := f.core.Load(name, pack); err != nil {
			return nil, fmt.Errorf("%s: %v", name, err)
		}
	}
	f.words = make([][]string, longest+1)
	for _, word := range strings.Fields(ours) {
		f.words[len(word)] = append(f.words[len(word)], word)
	}
	return f, nil
}

// count returns the number of tokens in a text.
func (f *filler) count(text string) int64 {
	if text == "" {
		return 0
	}
	params, _ := json.Marshal(map[string]string{"text": text, "model": f.model}) // strings can always be encoded
	var answer struct {
		Result struct{ Tokens int64 }
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(f.core.Call("ctx/count", params), &answer); err != nil || answer.Error != nil {
		panic(fmt.Sprintf("counting failed: %v %v", err, answer.Error))
	}
	return answer.Result.Tokens
}

// A size is what our text must have in common with the text that it replaces.
type size struct {
	tokens int64
	chars  int // characters as JavaScript counts them
	breaks int // bytes of the text in JSON beyond its characters; in our texts they are escapes of line breaks
}

func (f *filler) sizeOf(text string) size {
	chars := 0
	for _, r := range text {
		if chars++; r > 0xffff {
			chars++
		}
	}
	return size{f.count(text), chars, min(max(len(quoted(text))-2-chars, 0), chars/3)}
}

// longest is the length of the longest words.
const longest = 8

// ours are words of one token in every public vocabulary, with and without a space before them.
const ours = `a e i o u x y z
to of in is on at by we be do go if my no or so up us he as an am
the and for you can one all new get out now see how who two way day may use man old big end put run set
that with this from they have will time when your each like long make many over such take than them well were made most
about other which their there first could after these where every great small still right place sound world house
should number before little around school always change family follow letter mother second things
another because through between thought against country example picture problem nothing
children question sentence business language national research provided possible`

// text returns a text of our own words with a size. The salt selects its first words.
func (f *filler) text(want size, salt uint32) string {
	if want.chars == 0 {
		return ""
	}
	room := want.chars - want.breaks
	low, high := 1, max(room/3, 1)+room/2
	best, off := "", int64(1)<<40
	try := func(density int) int64 {
		made := f.make(density, want, salt)
		missing := want.tokens - f.count(made)
		if abs := max(missing, -missing); abs < off {
			best, off = made, abs
		}
		return missing
	}
	atLow, atHigh := try(low), try(high)
	for step := 0; low+1 < high && off > 0 && atLow > 0 && atHigh < 0; step++ {
		middle := (low + high) / 2
		if step%3 < 2 { // the number of tokens is nearly linear
			middle = low + int(int64(high-low)*atLow/(atLow-atHigh))
			middle = min(max(middle, low+1), high-1)
		}
		if missing := try(middle); missing > 0 {
			low, atLow = middle, missing
		} else {
			high, atHigh = middle, missing
		}
	}
	return best
}

// salted is the number of a text's words that are selected by its salt.
const salted = 5

// make returns a text of want.chars characters. Its number of tokens grows with the density: from few long words with
// runs of spaces, through more and shorter words, to digits and commas.
func (f *filler) make(density int, want size, salt uint32) string {
	room := want.chars - want.breaks + 1 // no space before the first word
	words, pairs := density, 0
	if densest := max(room/3, 1); density > densest {
		pairs = min(density-densest, (room-1)/2)
		room -= 2 * pairs
		words = room / 3
	}
	length, longer, spaces := 0, 0, 0
	if words > 0 {
		length, longer = room/words, room%words
		if length > longest+1 || length == longest+1 && longer > 0 {
			spaces = room - words*(longest+1)
			length, longer = longest+1, 0
		}
	}
	pieces := words + pairs
	var out strings.Builder
	out.Grow(want.chars + 8)
	breaks, blanks := 0, 0
	for i := range pieces {
		for (breaks+1)*pieces <= (i+1)*want.breaks && i > 0 && breaks < want.breaks {
			out.WriteByte('\n')
			breaks++
		}
		if i >= words {
			out.WriteString("7,")
			continue
		}
		if due := spaces * (i + 1) / words; due-blanks >= 48 || i == words-1 {
			out.WriteString(strings.Repeat(" ", due-blanks))
			blanks = due
		}
		n := length - 1
		if i < longer {
			n++
		}
		if i > 0 && n >= 0 {
			out.WriteByte(' ')
		}
		if n <= 0 {
			continue
		}
		list := f.words[n]
		word := list[0]
		if i < salted {
			word = list[salt%uint32(len(list))]
			salt = salt*1664525 + 1013904223
			salt ^= salt >> 15
		}
		out.WriteString(word)
	}
	made := out.String()
	switch missing := want.chars - len(made); {
	case missing > 0: // a remainder shorter than any piece
		made += strings.Repeat(" ", min(missing, want.breaks-breaks))
		made += strings.Repeat(".", want.chars-len(made))
	case missing < 0:
		made = made[:want.chars]
	}
	return made
}

func hashed(text string) uint32 {
	sum := fnv.New32a()
	sum.Write([]byte(text))
	return sum.Sum32()
}
