// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"strings"
)

// equivalents maps the changes that make no difference, as "function: line before => line after", to the reasons.
type equivalents map[string]string

// readEquivalents reads a file of entries: a change as mutate prints it, without position and kind, and on the next
// line the reason, indented.
func readEquivalents(file string) (equivalents, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := equivalents{}
	last := ""
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			if last == "" {
				return nil, fmt.Errorf("%s:%d: a reason without a change", file, i+1)
			}
			list[last] += strings.TrimSpace(line)
		default:
			if last != "" && list[last] == "" {
				return nil, fmt.Errorf("%s:%d: the change above has no reason", file, i+1)
			}
			last = line
			list[last] = ""
		}
	}
	if last != "" && list[last] == "" {
		return nil, fmt.Errorf("%s: the last change has no reason", file)
	}
	return list, nil
}

func (e equivalents) has(c change) bool { return e[c.entry()] != "" }

// entry returns the change without its position, as in equivalent.txt.
func (c change) entry() string {
	return strings.TrimSpace(c.function + ": " + c.before + " => " + c.after)
}
