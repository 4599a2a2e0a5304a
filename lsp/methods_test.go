// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestEveryMethodOfTheProtocolIsAnswered compares the handlers with the tables that describe the methods.
func TestEveryMethodOfTheProtocolIsAnswered(t *testing.T) {
	known := map[string]bool{}
	for _, m := range slices.Concat(api.Methods, api.DaemonMethods) {
		known[m.Name] = true
		if methods[m.Name].run == nil {
			t.Errorf("nothing carries out %s", m.Name)
		}
		if m.Reaches != api.NothingKept && m.Reaches != api.AllSessions && methods[m.Name].lane == nil {
			t.Errorf("%s has no lane, so that calls of it overtake each other", m.Name)
		}
	}
	for name := range answers {
		if !known[name] {
			t.Errorf("%s is carried out and stands in no table of core/api", name)
		}
	}
}

func TestMethodsAreListedInOrder(t *testing.T) {
	if all := methodNames(""); !slices.IsSorted(all) || len(all) < 20 {
		t.Errorf("%q", all)
	}
}
