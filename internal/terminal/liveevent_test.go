// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestALineOfTopHasOneMarkAfterTheName checks that a title's own period does not stand before the colon, and that a
// forecast of many requests is worded as everywhere.
func TestALineOfTopHasOneMarkAfterTheName(t *testing.T) {
	left := int64(40_000)
	l := Live{Title: "Please look into it.", Left: &left, Calls: &api.Range{Low: 90, Likely: 120, High: 150}}
	l.Display.Percent, l.Display.Left = "80%", "40k"
	for _, line := range []string{l.Fullness(Style{}), l.Rose(Style{}, "soon"), l.Compacted(Style{}, "90%"), l.Moved(Style{}, &api.ThresholdMove{})} {
		if !strings.Contains(line, "Please look into it: ") {
			t.Errorf("the line is %q", line)
		}
	}
	if line := l.Fullness(Style{}); !strings.HasSuffix(line, ", 40k until it compacts, more than 99 requests") {
		t.Errorf("the line is %q", line)
	}
	if got := l.calls(); got != ">99" {
		t.Errorf("the column says %q", got)
	}
}
