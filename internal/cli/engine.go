// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// engineFlags are the flags of every command that lets the user choose the engine.
type engineFlags struct {
	name   *choice
	module *string
}

// newEngineFlags defines --engine and --module. Commands that print one result use the native engine by default,
// because it does not need to be compiled.
func newEngineFlags(fs *pflag.FlagSet) engineFlags {
	return engineFlags{
		name:   choiceFlag(fs, "engine", "run the core natively or as WebAssembly", "native", "wasm"),
		module: fs.String("module", "", "use the WebAssembly module in this `FILE` (or CTX_WASM)"),
	}
}

// open starts the requested engine.
func (f engineFlags) open(env *environment, options engine.Options) (*engine.Pool, error) {
	if options.Log == nil {
		options.Log = func(sentence string) {
			if env.StderrTerminal {
				fmt.Fprintf(env.Stderr, "ctx-lsp: %s\n", terminal.Sentence(sentence))
			}
		}
	}
	path := *f.module
	if path == "" {
		path = env.Getenv("CTX_WASM")
	}
	return engine.Open(f.name.value, path, options)
}
