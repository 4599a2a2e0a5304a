// Copyright The ctx-lsp authors. MIT licence.

// Command prefix generates core/agent/prefix_table.go: how many tokens the system prompts and built-in tools of agents
// occupy. It makes the table from claude-code.json, which contains fixed sizes, and from sizes.json, which it measures.
//
//	mk/tool.sh gen/prefix                            writes the table; `make generated` does the same
//	mk/tool.sh gen/prefix -check                     fails if the table is not what the two files say
//	mk/tool.sh gen/prefix -measure                   measures again all versions that pins.json names
//	mk/tool.sh gen/prefix -measure -only=opencode    measures those whose agent@version begins so
//	mk/tool.sh gen/prefix -measure -only=roo-code -sources=../Roo-Code    reads those that are not at npm in a clone
//
// To measure a version, it installs the published package with npm, without running the package's scripts. It starts
// the agent once for each family of models, in a Linux namespace without a network. A server in that namespace stands
// in for the provider. The agent's request is counted and discarded: only numbers are written. Roo Code is published
// only for editors; its prompt and tools are read from its sources, which are not run.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	check := flag.Bool("check", false, "fail if the table is not up to date")
	again := flag.Bool("measure", false, "install the agents and measure them anew")
	only := flag.String("only", "", "measure only these")
	root := flag.String("root", ".", "the checkout")
	clone := flag.String("sources", "", "a clone of the repository of an agent that is not at npm")
	cache := flag.String("packages", filepath.Join(os.TempDir(), "ctx-lsp-prefix"), "where packages are installed")
	inside := flag.Bool("inside", false, "the program calls itself with this: run one agent in the name space")
	flag.Parse()
	var err error
	switch {
	case *inside:
		err = runInside(os.Stdin, os.Stdout)
	case *again:
		if err = measureAll(*root, *cache, *only, *clone); err == nil {
			err = writeTable(*root, false)
		}
	default:
		err = writeTable(*root, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prefix:", err)
		os.Exit(1)
	}
}

const folder = "tools/gen/prefix"
