// Copyright The ctx-lsp authors. MIT licence.

package terminal

import "testing"

// TestInASCIIATildeIsAnEstimate checks that cut texts end in three dots, or in > if these do not fit.
func TestInASCIIATildeIsAnEstimate(t *testing.T) {
	s := Style{}
	for _, c := range []struct{ got, want string }{
		{s.Clean("Fix the parser…"), "Fix the parser..."},
		{s.ascii("~26% · Fix…"), "~26% - Fix..."},
		{s.Cut("Fix the parser", 10), "Fix the..."},
		{s.Cut("Fix the parser", 5), "Fix >"},
		{s.Cut("Fix the parser", 1), ">"},
		{s.cutLeft("/home/w/projects/shop", 12), "...ects/shop"},
		{Style{Unicode: true}.Cut("Fix the parser", 5), "Fix …"},
	} {
		if c.got != c.want {
			t.Errorf("it is %q, want %q", c.got, c.want)
		}
	}
}
