// Copyright The ctx-lsp authors. MIT licence.

// Command prefix writes what the system prompts and built-in tools of agents take: core/agent/prefix_table.go, from
// claude-code.json, whose sizes are frozen, and from sizes.json, which it measures itself.
//
//	go run ./tools/gen/prefix                            writes the table; `make generated` does the same
//	go run ./tools/gen/prefix -check                     fails if it is not what the two files say
//	go run ./tools/gen/prefix -measure                   measures all that pins.json names, anew
//	go run ./tools/gen/prefix -measure -only=opencode    those whose agent or agent@version begins so
//
// To measure, it installs the published package with npm, without its scripts, and starts it once for each family of
// models in a name space of Linux that has no network: what the agent sends to a server in there, which stands in for
// the provider's, is counted and thrown away. Nothing but numbers is written.
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
	cache := flag.String("packages", filepath.Join(os.TempDir(), "ctx-lsp-prefix"), "where packages are installed")
	inside := flag.Bool("inside", false, "only for itself: run one agent, in the name space")
	flag.Parse()
	var err error
	switch {
	case *inside:
		err = runInside(os.Stdin, os.Stdout)
	case *again:
		if err = measureAll(*root, *cache, *only); err == nil {
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
