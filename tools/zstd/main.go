// Copyright The ctx-lsp authors. MIT licence.

// Command zstd compresses the WebAssembly module for Go programs, which unpack it when an engine needs it.
//
//	mk/tool.sh zstd IN OUT
package main

import (
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: mk/tool.sh zstd IN OUT")
		os.Exit(2)
	}
	if err := compress(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "zstd:", err)
		os.Exit(1)
	}
}

func compress(in, out string) error {
	file, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	// Without concurrency, so that the same module results in the same bytes.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return os.WriteFile(out, encoder.EncodeAll(file, nil), 0o644)
}
