// Copyright The ctx-lsp authors. MIT licence.

package main

import "testing"

func TestAPackageBelowInternalHasTheSuitesAroundIt(t *testing.T) {
	for pkg, want := range map[string]string{
		"core/token":              "core/token core/api internal/vocabulary",
		"core/token/internal/bpe": "core/token/internal/bpe core/token core/api internal/vocabulary",
		"core/agent":              "core/agent core/api core/agent",
		"lsp":                     "lsp",
		"internal/promptload":     "internal/promptload internal/agents internal/follow",
		"internal/fairqueue":      "internal/fairqueue",
	} {
		got := ""
		for i, s := range suitesOf(pkg) {
			if i > 0 {
				got += " "
			}
			got += s.pkg
		}
		if got != want {
			t.Errorf("%s: the suites are %s, not %s", pkg, got, want)
		}
	}
}
