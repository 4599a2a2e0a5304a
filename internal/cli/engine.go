// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"flag"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// engineFlags are the flags of every command that lets the user choose where the core runs.
type engineFlags struct {
	name   *choice
	module *string
}

// newEngineFlags defines --engine and --module. Commands that give one answer use the native engine by default, because
// it has nothing to compile.
func newEngineFlags(fs *flag.FlagSet) engineFlags {
	return engineFlags{
		name:   choiceFlag(fs, "engine", "native", "wasm"),
		module: fs.String("module", "", "the WebAssembly module"),
	}
}

// open starts the engine that was asked for.
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
