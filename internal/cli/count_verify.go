// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
	"path"
	"strings"

	"github.com/pkoukk/tiktoken-go"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// oracle returns another tokenizer for the encoding, for the comparison of `count --verify`. It splits and merges with
// its own code, and takes only the tokens from the packs.
func oracle(encoding string) (func(text []byte) int64, error) {
	tiktoken.SetBpeLoader(packRanks{})
	other, err := tiktoken.GetEncoding(strings.Replace(encoding, "o200k_harmony", "o200k_base", 1))
	if err != nil {
		return nil, fmt.Errorf("tiktoken-go cannot verify %s: %w", encoding, err)
	}
	return func(text []byte) int64 { return int64(len(other.EncodeOrdinary(string(text)))) }, nil
}

// packRanks passes the tokens of the packs to tiktoken-go, in place of rank files.
type packRanks struct{}

// LoadTiktokenBpe returns the tokens of a rank file, such as …/o200k_base.tiktoken, from the pack of the vocabulary. A
// pack does not contain the ranks, but its order gives the same tokens (docs/tokens.md).
func (packRanks) LoadTiktokenBpe(file string) (map[string]int, error) {
	name := strings.TrimSuffix(path.Base(file), "_base.tiktoken")
	bytes, ok := assets.Pack(name)
	if !ok {
		return nil, fmt.Errorf("this program does not contain the vocabulary pack %s", name)
	}
	vocabulary, err := token.Load(bytes)
	if err != nil {
		return nil, err
	}
	ranks := make(map[string]int, vocabulary.Tokens())
	for rank, text := range vocabulary.Texts() {
		ranks[text] = rank
	}
	return ranks, nil
}
