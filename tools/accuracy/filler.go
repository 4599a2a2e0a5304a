// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A filler makes texts of ours with as many tokens as other texts have for one model.
type filler struct {
	core  *api.Core
	model string
	words *regexp.Regexp
	made  map[int64]string // the text for each number of tokens
}

func newFiller(model string, words *regexp.Regexp) (*filler, error) {
	f := &filler{core: api.New(), model: model, words: words, made: map[int64]string{}}
	for _, name := range []string{"o200k", "cl100k"} {
		pack, err := os.ReadFile(filepath.Join("internal", "assets", name+".ctxv"))
		if err != nil {
			return nil, err
		}
		if err := f.core.Load(name, pack); err != nil {
			return nil, fmt.Errorf("%s: %v", name, err)
		}
	}
	return f, nil
}

// count returns how many tokens a text has.
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

// heads are words of one token each. Texts that differ begin with different words, so that no reader takes one for the
// other.
var heads = strings.Fields("the and with from this that have more when will your about which their time would only over also money")

// text returns a text with a number of tokens in place of another text.
func (f *filler) text(tokens int64, of string) string {
	if tokens <= 0 || of == "" {
		return ""
	}
	sum := fnv.New32a()
	sum.Write([]byte(of))
	head := heads[sum.Sum32()%uint32(len(heads))]
	made, ok := f.made[tokens]
	if !ok {
		made = f.make(tokens)
		f.made[tokens] = made
	}
	return head + strings.TrimPrefix(made, heads[0])
}

// pieces are what a text is completed with, from large to small.
var pieces = []string{" tea", ".", " a", "\n", ","}

// make returns a text with a number of tokens, or the nearest one that there is.
func (f *filler) make(tokens int64) string {
	low, high := int64(0), tokens*2+2 // how often the first piece is repeated
	for low < high {
		middle := (low + high + 1) / 2
		if f.count(heads[0]+strings.Repeat(pieces[0], int(middle))) <= tokens {
			low = middle
		} else {
			high = middle - 1
		}
	}
	made := heads[0] + strings.Repeat(pieces[0], int(low))
	for _, piece := range pieces[1:] {
		for f.count(made+piece) <= tokens && f.count(made) < tokens && len(made) < 1<<22 {
			made += piece
		}
	}
	return made
}
