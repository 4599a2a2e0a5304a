// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"strings"
)

// A score counts results by kind of change.
type score struct {
	noticed, tried map[string]int
	broken         int // changes that do not compile
}

func (s *score) add(c change, r result) {
	if r == broken {
		s.broken++
		return
	}
	if s.tried == nil {
		s.noticed, s.tried = map[string]int{}, map[string]int{}
	}
	s.tried[c.kind]++
	if r != survived {
		s.noticed[c.kind]++
	}
}

// counts returns the score of some kinds as text.
func (s *score) counts(kinds ...string) string {
	noticed, tried := 0, 0
	for _, k := range kinds {
		noticed, tried = noticed+s.noticed[k], tried+s.tried[k]
	}
	if tried == 0 {
		return "none tried"
	}
	return fmt.Sprintf("%d of %d noticed, %.1f%%", noticed, tried, 100*float64(noticed)/float64(tried))
}

func (s *score) String() string {
	var out strings.Builder
	for _, k := range []string{condition, operator, statement, boundary, constant} {
		fmt.Fprintf(&out, "%-10s %s\n", k, s.counts(k))
	}
	fmt.Fprintf(&out, "conditions, operators and statements: %s\n", s.counts(condition, operator, statement))
	fmt.Fprintf(&out, "boundaries and constants: %s\n", s.counts(boundary, constant))
	return out.String()
}

func (s *score) total() string {
	return fmt.Sprintf("%s (%d more do not compile)", s.counts(condition, operator, statement, boundary, constant), s.broken)
}
