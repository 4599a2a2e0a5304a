// Copyright The ctx-lsp authors. MIT licence.

// Command ctx-lsp tells how full a coding agent's context window is, what fills it, and when it will be compacted.
//
// Each command is one file of this directory: it registers itself in an init function and is handed an environment,
// so that tests run commands without a process. Results go to standard output, messages to standard error.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/internal/pack"
)

func main() {
	if err := pack.Missing(); err != nil {
		fmt.Fprintln(os.Stderr, "ctx-lsp:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first interrupt asks the command to end. A second one ends the process, whatever the command waits for.
	context.AfterFunc(ctx, stop)
	code := run(ctx, processEnvironment(), os.Args[1:])
	stop()
	os.Exit(code)
}
