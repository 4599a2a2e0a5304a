// Copyright The ctx-lsp authors. MIT licence.

// Command bench measures the speed of ctx-lsp.
//
//	mk/tool.sh bench against [-n PAIRS] [-only NAME] BASE [COMMIT]
//	mk/tool.sh bench statusline [-ctx-lsp PROGRAM] [-tools DIR]
//	mk/tool.sh bench top [-ctx-lsp PROGRAM] [-sessions N] [-every 5s] [-for 60s]
//	mk/tool.sh bench sessions [-ctx-lsp PROGRAM] [-for 60s] [-mb SIZE]
//	mk/tool.sh bench commands [-ctx-lsp PROGRAM] [-base PROGRAM] [-tools DIR]
//	mk/tool.sh bench opening [-ctx-lsp PROGRAM] [-sessions 100,10000] [-engine wasm] [-state DIR|none]
//	mk/tool.sh bench modules [-ctx-lsp PROGRAM] [-n ROUNDS] [-rest 20s] [MODULE...]
//	mk/tool.sh bench memory [-ctx-lsp PROGRAM] [-sessions 1,60,10000] [-rest 20s] [MODULE...]
//
// "against" compares two commits, "statusline" compares the status line with alternatives that users might choose,
// "top" measures the screen while many sessions grow, "sessions" measures a machine with a hundred thousand of them,
// "commands" measures the commands that read sessions, and tools that users might choose, on 1 GB of them, "opening"
// measures a daemon that opens many sessions and ends, "modules" compares daemons with TinyGo's and Go's WebAssembly
// module, and "memory" measures the memory of daemons with many sessions.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// A benchmark defines its flags and returns the function that runs it with the remaining arguments.
type benchmark func(*flag.FlagSet) func(args []string) error

var benchmarks = map[string]benchmark{
	"against":    againstFlags,
	"statusline": statusLineFlags,
	"top":        topFlags,
	"sessions":   sessionsFlags,
	"commands":   commandsFlags,
	"opening":    openingFlags,
	"modules":    modulesFlags,
	"memory":     memoryFlags,
}

func main() {
	if len(os.Args) < 2 || benchmarks[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: bench against|statusline|top|sessions|commands|opening|modules|memory [flags]")
		os.Exit(2)
	}
	name := os.Args[1]
	flags := flag.NewFlagSet("bench "+name, flag.ExitOnError)
	run := benchmarks[name](flags)
	_ = flags.Parse(os.Args[2:]) // it exits on an error
	if err := run(flags.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "bench %s: %v\n", name, err)
		os.Exit(1)
	}
}

// programFlag defines the flag for the program to measure. The returned function makes its path absolute.
func programFlag(flags *flag.FlagSet) func() (string, error) {
	path := flags.String("ctx-lsp", "bin/ctx-lsp", "the program")
	return func() (string, error) { return filepath.Abs(*path) }
}
