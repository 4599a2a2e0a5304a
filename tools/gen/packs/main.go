// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

// Command packs generates the embedded packs from the rank files in a Go module.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

func main() {
	log.SetFlags(0)
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	for _, v := range []struct{ name, file, scanner string }{
		{"o200k", "o200k_base.tiktoken", "o200k"},
		{"cl100k", "cl100k_base.tiktoken", "cl100k"},
		{"p50k", "p50k_base.tiktoken", "gpt2"},
		{"r50k", "r50k_base.tiktoken", "gpt2"},
	} {
		file, err := assets.Assets.ReadFile(v.file)
		if err != nil {
			log.Fatal(err)
		}
		ranks, err := vocabulary.ParseRanks(file)
		if err != nil {
			log.Fatalf("%s: %v", v.file, err)
		}
		source, err := ranks.Source(v.name, v.scanner)
		if err != nil {
			log.Fatalf("%s: %v", v.file, err)
		}
		if n := len(source.Whole); n > 0 {
			log.Fatalf("%s: %d tokens cannot be reached by merges", v.file, n)
		}
		pack, err := source.Pack()
		if err != nil {
			log.Fatalf("%s: %v", v.file, err)
		}
		path := filepath.Join(folder, v.name+".ctxv")
		if err := os.WriteFile(path, pack, 0o644); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d merges, %d bytes\n", path, len(source.Merges), len(pack))
	}
}
