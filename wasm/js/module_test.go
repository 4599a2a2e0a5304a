// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

package js

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestTheModuleIsTheBuiltOne checks that a program includes the same module that JavaScript hosts load.
func TestTheModuleIsTheBuiltOne(t *testing.T) {
	want, err := os.ReadFile("ctx.wasm")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the module is not built; make wasm builds it")
	}
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	if got, err := decoder.DecodeAll(Packed(), nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the module has %d bytes, and ctx.wasm %d: %v", len(got), len(want), err)
	}
	if name := Compiler(); name == "" || !bytes.Contains(want[:min(256, len(want))], []byte(name)) {
		t.Errorf("the name of its compiler is %q, and ctx.wasm starts with another one", name)
	}
}
