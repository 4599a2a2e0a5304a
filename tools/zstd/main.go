// Copyright The ctx-lsp authors. MIT licence.

// Command zstd compresses the WebAssembly module for Go programs, which unpack it when an engine needs it. The output
// starts with a frame that decoders skip. It contains the name of the module's compiler, which programs read without
// unpacking.
//
//	mk/tool.sh zstd IN OUT
package main

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
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
	return os.WriteFile(out, encoder.EncodeAll(file, skipped(interrupt.Compiler(file))), 0o644)
}

// skipped returns a skippable frame of zstd.
func skipped(content string) []byte {
	const magic = 0x184D2A50
	frame := binary.LittleEndian.AppendUint32(nil, magic)
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(content)))
	return append(frame, content...)
}
