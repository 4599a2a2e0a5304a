// Copyright The ctx-lsp authors. MIT licence.

//go:build !no_oracle

package cli

import (
	"fmt"
	"strings"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// oracle is another tokenizer for the encoding, with which `count --verify` compares. Its rank files have 9 MB, so the
// build tag no_oracle leaves it out of the program that editors download.
func oracle(encoding string) (func(text []byte) int64, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	other, err := tiktoken.GetEncoding(strings.Replace(encoding, "o200k_harmony", "o200k_base", 1))
	if err != nil {
		return nil, fmt.Errorf("tiktoken-go cannot verify %s: %w", encoding, err)
	}
	return func(text []byte) int64 { return int64(len(other.EncodeOrdinary(string(text)))) }, nil
}
