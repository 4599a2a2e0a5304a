// Copyright The ctx-lsp authors. MIT licence.

// Package cli is the command line of ctx-lsp.
//
// Each command is one file: it registers itself in an init function and is passed an environment, so that tests run
// commands without a process. Results go to standard output, messages to standard error.
package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// Main runs the command line of this process and returns its exit code.
func Main(args []string) int {
	if err := assets.Missing(); err != nil {
		fmt.Fprintln(os.Stderr, "ctx-lsp:", err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first interrupt asks the command to end, and soon ends it. A second one ends the process at once, whatever the
	// command saves.
	context.AfterFunc(ctx, stop)
	return runBounded(ctx, processEnvironment(), args, newDeadline())
}
