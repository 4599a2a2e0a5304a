// Copyright The ctx-lsp authors. MIT licence.

// Command fuzz runs every fuzz target of this module in turn, and counts the executions.
//
//	fuzz [-minutes 30] [-workers 2] [-only NAME,...]    runs them; a failing input is left in testdata/fuzz
//	fuzz -list                                          prints folder and name of each
//	fuzz -keep 8                                        keeps so many of the inputs that led to new code
//	fuzz -archive FOLDER [-only NAME,...]               builds each for libFuzzer, as NAME.a
//	fuzz -seeds FOLDER -only NAME                       writes the kept inputs of one as libFuzzer reads them
//
// The last line is "N executions of M targets, F failed". It ends with code 1 when a target has failed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// target is one fuzz target.
type target struct{ folder, name string }

var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// targets returns every fuzz target below a directory.
func targets(root string) ([]target, error) {
	var found []target
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := entry.Name(); {
		case entry.IsDir() && path != root && (name == "node_modules" || name == "testdata" || name[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, match := range declared.FindAllSubmatch(text, -1) {
				found = append(found, target{filepath.Dir(path), string(match[1])})
			}
		}
		return nil
	})
	return found, err
}

func main() {
	minutes := flag.Float64("minutes", 30, "how long in all")
	workers := flag.Int("workers", 2, "processes at a time")
	only := flag.String("only", "", "names of targets, separated by commas")
	keep := flag.Int("keep", 0, "keep so many inputs of each target in testdata/fuzz, and run nothing")
	archives := flag.String("archive", "", "build archives for libFuzzer in this folder, and run nothing")
	seeds := flag.String("seeds", "", "write the inputs in testdata/fuzz into this folder for libFuzzer, and run nothing")
	list := flag.Bool("list", false, "print the targets, and run nothing")
	flag.Parse()
	found, err := targets(".")
	if err == nil && *only != "" {
		wanted := strings.Split(*only, ",")
		found = slices.DeleteFunc(found, func(t target) bool { return !slices.Contains(wanted, t.name) })
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("there is no fuzz target of such a name")
	}
	switch {
	case err != nil:
	case *list:
		for _, each := range found {
			fmt.Println(each.folder, each.name)
		}
	case *archives != "":
		err = archiveAll(found, *archives)
	case *seeds != "":
		err = writeSeeds(found, *seeds)
	case *keep > 0:
		err = keepInputs(found, *keep)
	default:
		var failed int
		if failed, err = runAll(found, time.Duration(*minutes*float64(time.Minute)), *workers); err == nil && failed > 0 {
			os.Exit(1)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
}
