// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"fmt"
	"slices"
	"testing"
)

// TestALonelyLineIsNotFoundElsewhere checks that one line of a row, whose neighbors are other ones at the place where
// its text is found, does not move the row there; and that one line is enough if there is nothing else to compare.
func TestALonelyLineIsNotFoundElsewhere(t *testing.T) {
	const once = "type options struct {"
	row := func(start, at int, n int, name string) []token {
		ids, lines := testIdentifiers, make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("%s, line %d of the file", name, i)
		}
		lines[at] = once
		tokens, _ := tokensOf(lines, ids, start)
		return tokens
	}
	for name, test := range map[string]struct {
		a, b []token
		want int // tokens found
	}{
		"first of a row":        {row(97, 0, 14, "old"), row(1, 37, 43, "new"), 0},
		"in the middle of it":   {row(97, 5, 14, "old"), row(1, 37, 43, "new"), 0},
		"last of a row":         {row(97, 13, 14, "old"), row(1, 37, 43, "new"), 0},
		"alone in the other":    {row(97, 5, 14, "old"), row(40, 0, 1, "new"), 1},
		"alone in the first":    {row(40, 0, 1, "old"), row(1, 37, 43, "new"), 1},
		"where its number says": {row(33, 5, 14, "old"), row(1, 37, 43, "new"), 1},
	} {
		found := align(test.a, test.b, false, false)
		if n := len(found) - len(slices.DeleteFunc(slices.Clone(found), func(at int32) bool { return at >= 0 })); n != test.want {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

var testIdentifiers = newIdentifiers()
