// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestAPartIsNotNamedByTheSourceOfItsSize checks that the only row of a kind is shown by the kind if its label says
// where its size is from.
func TestAPartIsNotNamedByTheSourceOfItsSize(t *testing.T) {
	tools := Tools.Label().Text()
	for want, label := range map[string]Text{
		tools.String():                 phrase.AsEarlier.Text(phrase.Named("Built-in tools").Arg()),
		"Deferred tools of the server": Named("Deferred tools of the server"),
	} {
		g := group{kind: Tools, label: tools, names: []Text{label}}
		if got := g.name().String(); got != want {
			t.Errorf("%q is shown as %q, want %q", label.String(), got, want)
		}
	}
}
