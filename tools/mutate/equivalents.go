// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// equivalents maps the changes that make no difference, as "function: line before => line after", to the reasons.
type equivalents map[string]string

// readEquivalents reads a file of groups: changes as mutate prints them, without position and kind, and below them the
// reason, indented.
func readEquivalents(file string) (equivalents, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := equivalents{}
	var group []string // the changes that still have no reason
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			if list[line] != "" || slices.Contains(group, line) {
				return nil, fmt.Errorf("%s:%d: the change is listed twice", file, i+1)
			}
			group = append(group, line)
		case group == nil:
			return nil, fmt.Errorf("%s:%d: a reason without a change", file, i+1)
		default:
			for _, change := range group {
				list[change] = strings.TrimSpace(line)
			}
			group = nil
		}
	}
	if group != nil {
		return nil, fmt.Errorf("%s: the last changes have no reason", file)
	}
	return list, nil
}

func (e equivalents) has(c change) bool { return e[c.entry()] != "" }

// entry returns the change without its position, as in equivalent.txt.
func (c change) entry() string {
	return strings.TrimSpace(c.function + ": " + c.before + " => " + c.after)
}
