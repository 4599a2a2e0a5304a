// Copyright The ctx-lsp authors. MIT licence.

// Command vectors packs the conformance vectors for the program, which runs them without a checkout.
//
//	mk/tool.sh vectors DIRECTORY OUT
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/ctx-lsp/ctx-lsp/testdata/conformance"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: mk/tool.sh vectors DIRECTORY OUT")
		os.Exit(2)
	}
	var packed bytes.Buffer
	err := conformance.Pack(&packed, os.DirFS(os.Args[1]))
	if err == nil {
		err = os.WriteFile(os.Args[2], packed.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}
