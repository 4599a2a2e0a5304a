// Copyright The ctx-lsp authors. MIT licence.

// Command interrupt adds a hook to a WebAssembly module; see package interrupt.
//
//	mk/tool.sh interrupt IN OUT
package main

import (
	"fmt"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: mk/tool.sh interrupt IN OUT")
		os.Exit(2)
	}
	in, err := os.ReadFile(os.Args[1])
	if err == nil {
		var out []byte
		if out, err = interrupt.Add(in); err == nil {
			err = os.WriteFile(os.Args[2], out, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "interrupt:", err)
		os.Exit(1)
	}
}
