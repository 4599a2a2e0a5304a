// Copyright The ctx-lsp authors. MIT licence.

// Command style checks what the linters of the languages do not: that every source file starts with the same header,
// that comments and prose stay within 120 columns, that external dependencies are pinned, and how commits are named.
//
//	style source [FILE...]    headers and comments of source files
//	style prose [FILE...]     lines and tables of Markdown
//	style supply [FILE...]    workflows and lock files
//	style commits RANGE       subjects of commits
//	style commits --message FILE    the subject of a message that git is about to use
//
// Without files it checks all files known to git. It prints one finding a line and exits with code 1 if there are any.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// columns is the maximum width of a comment or a line of prose.
const columns = 120

// A finding is a violation in one line of a file.
type finding struct {
	file string
	line int
	what string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.what) }

func main() {
	findings, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "style:", err)
		os.Exit(2)
	}
	print(os.Stdout, findings)
	if len(findings) > 0 {
		os.Exit(1)
	}
}

func print(w io.Writer, findings []finding) {
	out := bufio.NewWriter(w)
	for _, f := range findings {
		fmt.Fprintln(out, f)
	}
	_ = out.Flush() // the exit code reports the result
}

func run(args []string) ([]finding, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("expected a check: source, prose, supply or commits")
	}
	if args[0] == "commits" {
		return runCommits(args[1:])
	}
	var check func(file, text string) []finding
	switch args[0] {
	case "source":
		check = checkSource
	case "prose":
		check = checkProse
	case "supply":
		check = checkSupply
	default:
		return nil, fmt.Errorf("expected source, prose, supply or commits, not %q", args[0])
	}
	files := args[1:]
	if len(files) == 0 {
		var err error
		if files, err = known(); err != nil {
			return nil, err
		}
	}
	var findings []finding
	for _, file := range files {
		info, err := os.Lstat(file)
		if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
			continue // removed but not committed yet, or a link to a file that is itself checked
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		findings = append(findings, check(file, string(text))...)
	}
	return findings, nil
}

// known returns the files of the repository: those that git tracks, and new ones that it does not ignore.
func known() ([]string, error) {
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git cannot list the files: %w", err)
	}
	names := strings.Split(string(bytes.TrimRight(out, "\x00")), "\x00")
	return names, nil
}
