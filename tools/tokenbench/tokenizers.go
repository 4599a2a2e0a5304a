// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	peer "github.com/tiktoken-go/tokenizer"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// A tokenizer is a library to be timed.
type tokenizer struct {
	name string
	slow bool // a round over all texts takes seconds
	load func(encoding string) (counter, error)
}

// A counter returns the number of tokens in a text.
type counter func(text string) (int64, error)

// tokenizers are all tokenizers to be timed, in the order of the table.
var tokenizers = []tokenizer{
	{name: "ctx-lsp (Go)", load: loadOwn},
	{name: "pkoukk/tiktoken-go", slow: true, load: loadPkoukk},
	{name: "tiktoken-go/tokenizer", slow: true, load: loadTiktokenGo},
}

func findTokenizer(name string) (tokenizer, error) {
	for _, t := range tokenizers {
		if t.name == name {
			return t, nil
		}
	}
	return tokenizer{}, fmt.Errorf("there is no tokenizer %q here", name)
}

func loadOwn(encoding string) (counter, error) {
	e, ok := token.Find(encoding)
	if !ok {
		return nil, fmt.Errorf("there is no encoding %q", encoding)
	}
	file, ok := assets.Pack(e.Vocabulary)
	if !ok {
		return nil, fmt.Errorf("there is no vocabulary pack %q for the encoding %q", e.Vocabulary, encoding)
	}
	v, err := token.Load(file)
	if err != nil {
		return nil, err
	}
	t := token.New(e, v)
	return func(text string) (int64, error) { return t.CountString(text), nil }, nil
}

func loadPkoukk(encoding string) (counter, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	t, err := tiktoken.GetEncoding(encoding)
	if err != nil {
		return nil, err
	}
	return func(text string) (int64, error) { return int64(len(t.EncodeOrdinary(text))), nil }, nil
}

func loadTiktokenGo(encoding string) (counter, error) {
	t, err := peer.Get(peer.Encoding(encoding))
	if err != nil {
		return nil, err
	}
	return func(text string) (int64, error) {
		n, err := t.Count(text)
		return int64(n), err
	}, nil
}
