// Copyright The ctx-lsp authors. MIT licence.

// Command generate writes types.d.ts, the protocol for TypeScript, from the Go types of core/api and lsp.
//
//	go run ./wasm/js/generate            writes it
//	go run ./wasm/js/generate -check     fails if it is not up to date
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	check := flag.Bool("check", false, "fail if the file is not up to date")
	root := flag.String("root", ".", "the checkout")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	text, err := declarations(filepath.Join(root, "core", "api"), filepath.Join(root, "lsp"))
	if err != nil {
		return err
	}
	path := filepath.Join(root, "wasm", "js", "types.d.ts")
	if check {
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, text) {
			return fmt.Errorf("%s is not what the Go types say: run make types", path)
		}
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}
