// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/tools/internal/longsession"
)

const (
	longBytes    = 20 << 20
	fewBytes     = 30 << 10
	sessionCount = 200
	textWords    = 300
)

// prepare writes the files to measure to a home directory: a long session, replayed separately from the others, short
// ones, and a text.
func prepare(home string) error {
	if _, err := longsession.Write(long(home), longBytes); err != nil {
		return err
	}
	for i := range sessionCount {
		name := fmt.Sprintf("0197f1c2-0000-7000-8000-%012d.jsonl", 100+i)
		path := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-w-%d", i%20), name)
		if _, err := longsession.Write(path, fewBytes); err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		own := strings.ReplaceAll(string(content), longsession.ID, strings.TrimSuffix(name, ".jsonl"))
		if err := os.WriteFile(path, []byte(own), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(text(home), []byte(words(0)), 0o644)
}

// long returns the path of the long session.
func long(home string) string {
	return filepath.Join(home, "long", "-w-shop", longsession.ID+".jsonl")
}

// text returns the path of a text to count.
func text(home string) string { return filepath.Join(home, "text.md") }

// words returns a text of some hundred words, different for each n.
func words(n int) string {
	var b strings.Builder
	for i := range textWords {
		fmt.Fprintf(&b, "word%d and total_%d; ", n*31+i, i)
	}
	return b.String()
}
