// Copyright The ctx-lsp authors. MIT licence.

// Command types generates everything that follows from the schema in core/api: the readers of parameters and the
// writers of results, the types for TypeScript, Lua and Python, and the tables of docs/protocol.md.
//
//	mk/tool.sh gen/types            writes them; `go generate ./core/api` does the same
//	mk/tool.sh gen/types -check     fails if one of them is not up to date
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	check := flag.Bool("check", false, "fail if a file is not up to date")
	root := flag.String("root", ".", "the checkout")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(1)
	}
}

// header is the first line of every generated file, after the comment mark.
const header = "Copyright The ctx-lsp authors. MIT licence."

// origin is the line that marks a file as generated, in the form that Go's tools recognize.
const origin = "Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT."

// targets are the generated files, with their paths in the checkout. make receives the present content.
var targets = []struct {
	path string
	make func(s *schema, before []byte) ([]byte, error)
}{
	{"core/api/read_gen.go", readers},
	{"core/api/write_gen.go", writers},
	{"core/api/glance_gen.go", glances},
	{"core/api/errors_gen.go", errorKinds},
	{"wasm/js/types.d.ts", typescript},
	{"extensions/neovim/lua/ctx/types.lua", lua},
	{"internal/client/methods_gen.go", clientMethods},
	{"python/ctx_lsp/types.py", pythonTypes},
	{"python/ctx_lsp/methods.py", pythonMethods},
	{"internal/phrase/list_gen.go", phraseList},
	{"extensions/vscode/src/phrases.gen.ts", phraseFunctions},
	{"extensions/vscode/src/words.gen.ts", wordFunctions},
	{"extensions/neovim/lua/ctx/phrases.lua", phraseTable},
	{"docs/protocol.md", tables},
	{"docs/daemon.md", tables},
	{"docs/hosts.md", tables},
}

func run(root string, check bool) error {
	s, err := load(filepath.Join(root, "core", "api"))
	if err != nil {
		return err
	}
	var stale []error
	for _, target := range targets {
		path := filepath.Join(root, filepath.FromSlash(target.path))
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		before = bytes.ReplaceAll(before, []byte("\r\n"), []byte("\n")) // Git may check files out with these line ends
		text, err := target.make(s, before)
		if err != nil {
			return fmt.Errorf("%s: %w", target.path, err)
		}
		if bytes.Equal(before, text) {
			continue
		}
		if check {
			stale = append(stale, fmt.Errorf("%s is not what the schema in core/api says: run make generated", target.path))
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return errors.Join(stale...)
}
