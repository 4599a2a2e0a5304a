// Copyright The ctx-lsp authors. MIT licence.

// Command ctx-lsp shows how full a coding agent's context window is, what fills it, and when it will be compacted.
package main

import (
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
