// Copyright The ctx-lsp authors. MIT licence.

// Command bench compares the speed of two commits: it builds ctx-lsp of both, runs them in turns on generated sessions,
// and prints the CPU time of each and the ratio.
//
//	go run ./tools/bench [-n PAIRS] [-only NAME] BASE [COMMIT]
//
// COMMIT is HEAD if missing. Built programs are kept in bin/bench. "-" means that a commit has no such command.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	pairs := flag.Int("n", 9, "pairs of runs")
	only := flag.String("only", "", "measure only what has this in its name")
	flag.Parse()
	if flag.NArg() < 1 || flag.NArg() > 2 || *pairs < 1 {
		fmt.Fprintln(os.Stderr, "usage: bench [-n PAIRS] [-only NAME] BASE [COMMIT]")
		os.Exit(2)
	}
	commit := "HEAD"
	if flag.NArg() == 2 {
		commit = flag.Arg(1)
	}
	if err := compare(flag.Arg(0), commit, *pairs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(base, commit string, pairs int, only string) error {
	var programs [2]program
	for i, name := range []string{base, commit} {
		built, err := build(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		home, err := os.MkdirTemp("", "ctx-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(home)
		programs[i] = program{path: built, home: home}
		if err := prepare(home); err != nil {
			return err
		}
	}
	fmt.Printf("CPU time of %s and %s, medians of %d pairs\n", base, commit, pairs)
	fmt.Printf("%-28s %12s %12s %8s\n", "", "base", "now", "ratio")
	for _, m := range measurements {
		if !strings.Contains(m.name, only) {
			continue
		}
		fmt.Println(row(m, measure(m, programs, pairs)))
	}
	return nil
}
