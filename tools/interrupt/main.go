// Copyright The ctx-lsp authors. MIT licence.

// Command interrupt adds a hook to a WebAssembly module, and the name of the compiler; see package interrupt.
//
//	mk/tool.sh interrupt IN OUT COMPILER
package main

import (
	"fmt"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/engine/interrupt"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: mk/tool.sh interrupt IN OUT COMPILER")
		os.Exit(2)
	}
	if err := finish(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "interrupt:", err)
		os.Exit(1)
	}
}

func finish(in, out, compiler string) error {
	module, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	if module, err = interrupt.Add(module); err != nil {
		return err
	}
	if module, err = interrupt.NameCompiler(module, compiler); err != nil {
		return err
	}
	return os.WriteFile(out, module, 0o644)
}
