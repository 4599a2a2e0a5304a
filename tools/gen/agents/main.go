// Copyright The ctx-lsp authors. MIT licence.

// Command agents generates what editors need from core/agent and core/promptfile: the names of agents, their commands
// and tabs, and the paths of prompt files.
//
//	mk/tool.sh gen/agents            writes them; `make generated` does the same
//	mk/tool.sh gen/agents -check     fails if one of them is not up to date
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
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

// The text at the top of every file, after the comment mark.
const (
	copyright = "Copyright The ctx-lsp authors. MIT licence."
	origin    = "Code generated from core/agent and core/promptfile by `make generated`. DO NOT EDIT."
)

type target struct {
	path string
	make func() string
}

// targets are the generated files, with their paths in the checkout.
var targets = []target{
	{"extensions/vscode/src/agents.gen.ts", typescript},
	{"extensions/neovim/lua/ctx/promptfiles.lua", lua},
}

// proved is the document with the agents sorted by proof, between the lines begin and end.
const proved, begin, end = "docs/agents.md", "<!-- generated: proofs -->\n\n", "\n<!-- end -->"

// document returns the document with the current paragraph.
func document(before string) string {
	head, rest, _ := strings.Cut(before, begin)
	_, tail, ok := strings.Cut(rest, end)
	if !ok {
		return before + begin + end // neither was found, so the check fails
	}
	return head + begin + filled(agent.ProofParagraph(), 120) + end + tail
}

// filled breaks a text into lines of at most width bytes.
func filled(text string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column > 0 && column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		case column > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String() + "\n"
}

func run(root string, check bool) error {
	var stale []error
	all := append(slices.Clone(targets), target{path: proved})
	for _, target := range all {
		path := filepath.Join(root, filepath.FromSlash(target.path))
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		var text []byte
		if target.path == proved {
			text = []byte(document(strings.ReplaceAll(string(before), "\r\n", "\n")))
		} else {
			text = []byte(target.make())
		}
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
