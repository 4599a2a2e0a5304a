// Copyright The ctx-lsp authors. MIT licence.

// Command agents writes what editors need of core/agent and core/promptfile: the names of agents, their commands and
// tabs, and the places of prompt files.
//
//	go run ./tools/gen/agents            writes them; `make generated` does the same
//	go run ./tools/gen/agents -check     fails if one of them is not up to date
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
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}

// head is the text at the top of every file, behind the mark of a comment.
const (
	copyright = "Copyright The ctx-lsp authors. MIT licence."
	origin    = "Code generated from core/agent and core/promptfile by `make generated`. DO NOT EDIT."
)

// targets lists the generated files, by their paths in the checkout.
var targets = []struct {
	path string
	make func() string
}{
	{"extensions/vscode/src/agents.gen.ts", typescript},
	{"extensions/neovim/lua/ctx/promptfiles.lua", lua},
}

func run(root string, check bool) error {
	var stale []error
	for _, target := range targets {
		path := filepath.Join(root, filepath.FromSlash(target.path))
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		text := []byte(target.make())
		if bytes.Equal(bytes.ReplaceAll(before, []byte("\r\n"), []byte("\n")), text) {
			continue
		}
		if check {
			stale = append(stale, fmt.Errorf("%s is not what core/agent and core/promptfile say: run make generated", target.path))
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return errors.Join(stale...)
}
