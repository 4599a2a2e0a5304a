// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func againstFlags(flags *flag.FlagSet) func([]string) error {
	pairs := flags.Int("n", 9, "pairs of runs")
	only := flags.String("only", "", "measure only what has this in its name")
	return func(args []string) error {
		if len(args) < 1 || len(args) > 2 || *pairs < 1 {
			return errors.New("expects BASE [COMMIT]")
		}
		commit := "HEAD"
		if len(args) == 2 {
			commit = args[1]
		}
		return compare(args[0], commit, *pairs, *only)
	}
}

// compare builds ctx-lsp of two commits, runs them in turns on generated sessions, and prints the CPU time of each and
// the ratio. "-" means that a commit has no such command. Built programs are kept in bin/bench.
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
	measured := map[string]times{}
	for _, m := range measurements {
		if !strings.Contains(m.name, only) {
			continue
		}
		measured[m.name] = measure(m, programs, pairs)
		fmt.Println(row(m, measured[m.name]))
	}
	few, both := measured[openingFew]
	many, also := measured[openingMany]
	if !both || !also {
		return nil
	}
	return growth(few, many)
}
