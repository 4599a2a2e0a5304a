// Copyright The ctx-lsp authors. MIT licence.

package agents

import "regexp"

// ExitCodes returns patterns that find a command's exit code in its output: an agent's own, then those of the other
// agents, because many have copied another's.
func ExitCodes(of string) []*regexp.Regexp {
	var own, others []*regexp.Regexp
	for _, a := range all {
		if a.ID == of {
			own = append(own, a.ExitCodes...)
			continue
		}
		others = append(others, a.ExitCodes...)
	}
	return append(own, others...)
}

func patterns(list ...string) (compiled []*regexp.Regexp) {
	for _, each := range list {
		compiled = append(compiled, regexp.MustCompile(each))
	}
	return compiled
}
