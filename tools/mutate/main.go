// Copyright The ctx-lsp authors. MIT licence.

// Command mutate makes one change to a package at a time, runs the tests that concern the package, and lists the
// changes that no test noticed. The changes are selected at random with a seed. The source tree is never written to:
// each change is an overlay of one file.
//
//	mutate [-n 150] [-seed N] PACKAGE       e.g. mutate core; without a seed the clock gives one, and it is printed
//	mutate -at FILE:LINE[,FILE:LINE] PACKAGE    tries every change at these lines instead of a sample
//	mutate -equivalent PACKAGE              tries the changes in equivalent.txt, and prints those that a test notices
//
// Changes are compiled together, and one is selected for each run of the tests; a change that must be compiled
// separately and does not compile is replaced with another. equivalent.txt lists the changes that make no difference,
// each with a reason; they are not selected otherwise. The last line is the score; the exit code is 0 whatever it is.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	n := flag.Int("n", 150, "how many changes to try")
	seed := flag.Uint64("seed", 0, "seed of the sample; 0 takes it from the clock")
	at := flag.String("at", "", "try every change at these places, FILE:LINE separated by commas")
	listed := flag.Bool("equivalent", false, "try the changes in equivalent.txt, and print those that a test notices")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "mutate: expected one package, such as core or core/provider")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.TrimPrefix(filepath.ToSlash(filepath.Clean(flag.Arg(0))), "./"), *n, *seed, *at, *listed); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, pkg string, n int, seed uint64, at string, listed bool) error {
	begun := time.Now()
	src, err := read(pkg)
	if err != nil {
		return err
	}
	all := src.changes()
	known, err := readEquivalents("tools/mutate/equivalent.txt")
	if err != nil {
		return err
	}
	switch {
	case listed:
		all = slices.DeleteFunc(all, func(c change) bool { return !known.has(c) })
		n = len(all)
		fmt.Printf("%s: the %d changes of equivalent.txt\n", pkg, n)
	case at != "":
		all = slices.DeleteFunc(all, func(c change) bool {
			return !slices.Contains(strings.Split(at, ","), fmt.Sprintf("%s:%d", filepath.Base(c.file), c.line))
		})
		n = len(all)
		fmt.Printf("%s: every change at %s, %d\n", pkg, at, n)
	default:
		if seed == 0 {
			seed = uint64(time.Now().UnixNano())
		}
		fmt.Printf("%s: %d of %d changes, seed %d\n", pkg, min(n, len(all)), len(all), seed)
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	if !listed {
		all = slices.DeleteFunc(all, known.has)
	}
	files, err := src.together(pkg, all[:min(n+n/5, len(all))])
	if err != nil {
		return err
	}
	b, err := newBench(ctx, pkg, files)
	if err != nil {
		return err
	}
	defer b.close()
	s := score{}
	try(ctx, b, all, n, workersFor(pkg), &s, listed)
	if err := b.unchanged(ctx); err != nil {
		return fmt.Errorf("the result is worthless, because files that tests read have changed: %w", err)
	}
	fmt.Print(s.String())
	fmt.Printf("%s in %.0f s\n", s.total(), time.Since(begun).Seconds())
	return nil
}

// try tests changes in order until n of them have compiled, and prints each that no test noticed, or instead each that
// one did.
func try(ctx context.Context, b *bench, all []change, n, workers int, s *score, printNoticed bool) {
	var mu sync.Mutex
	next, tried := 0, 0
	take := func() (change, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(all) || tried == n || ctx.Err() != nil {
			return change{}, false
		}
		next, tried = next+1, tried+1
		return all[next-1], true
	}
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for c, ok := take(); ok; c, ok = take() {
				result, detail := b.notices(ctx, c)
				mu.Lock()
				if result == broken {
					tried--
				}
				s.add(c, result)
				if ctx.Err() == nil && (result == slow || result == survived && !printNoticed || result == noticed && printNoticed) {
					fmt.Printf("%-8s %s %s\n", result, c, detail)
				}
				mu.Unlock()
			}
		})
	}
	running.Wait()
}
