// Copyright The ctx-lsp authors. MIT licence.

// Command gotally reads the output of `go test -json` and prints failures, a line for each package, the slowest tests,
// and finally "N passed, M failed, K skipped". A test with subtests is not counted itself, unless it failed.
//
//	gotally [TARGET]
//
// TARGET is the name that mk/test.sh expects in lines about slow tests.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
	Elapsed    float64
}

type testID struct{ pkg, test string }

func main() {
	output := map[testID][]string{}
	parents := map[testID]bool{}
	result := map[testID]string{}
	seconds := map[testID]float64{}
	var order []testID
	failedPackages := 0
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Print(string(line))
				continue
			}
			pkg := e.Package
			if pkg == "" {
				pkg = e.ImportPath
			}
			id := testID{pkg, e.Test}
			switch e.Action {
			case "output", "build-output":
				output[id] = append(output[id], e.Output)
			case "build-fail":
				fmt.Print(strings.Join(output[id], ""))
			case "pass", "fail", "skip":
				if e.Test == "" {
					fmt.Printf("%-4s  %s  %.1f s\n", e.Action, pkg, e.Elapsed)
					if e.Action == "fail" {
						failedPackages++
						fmt.Print(strings.Join(output[id], ""))
					}
					continue
				}
				result[id] = e.Action
				seconds[id] = e.Elapsed
				order = append(order, id)
				for at := strings.LastIndexByte(e.Test, '/'); at > 0; at = strings.LastIndexByte(e.Test[:at], '/') {
					parents[testID{pkg, e.Test[:at]}] = true
				}
				switch e.Action {
				case "fail":
					fmt.Print(strings.Join(output[id], ""))
				case "skip":
					fmt.Printf("skip  %s %s: %s\n", pkg, e.Test, reason(output[id]))
				}
				delete(output, id)
			}
		}
		if err != nil {
			break
		}
	}
	count := map[string]int{}
	for _, id := range order {
		if !parents[id] || result[id] == "fail" {
			count[result[id]]++
		}
	}
	if count["fail"] < failedPackages {
		count["fail"] = failedPackages // a package that does not build, or crashes, has no failed test
	}
	target := "go"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	var leaves []testID
	for _, id := range order {
		if !parents[id] {
			leaves = append(leaves, id)
		}
	}
	slices.SortStableFunc(leaves, func(a, b testID) int { return cmp.Compare(seconds[b], seconds[a]) })
	for _, id := range leaves[:min(len(leaves), 10)] {
		fmt.Printf("slow: %.1f %s: %s %s\n", seconds[id], target, id.pkg, id.test)
	}
	fmt.Printf("%d passed, %d failed", count["pass"], count["fail"])
	if count["skip"] > 0 {
		fmt.Printf(", %d skipped", count["skip"])
	}
	fmt.Println()
	if count["fail"] > 0 {
		os.Exit(1)
	}
}

// reason returns from the output of a test why it was skipped.
func reason(lines []string) string {
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			return line
		}
	}
	return ""
}
