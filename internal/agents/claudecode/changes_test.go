// Copyright The ctx-lsp authors. MIT licence.

package claudecode

import (
	"fmt"
	"strings"
	"testing"
)

// TestOnlyChangedPlacesAreShown holds the places that are found against changes whose places are known.
func TestOnlyChangedPlacesAreShown(t *testing.T) {
	was := make([]string, 60)
	for i := range was {
		was[i] = fmt.Sprintf("line %d", i+1)
	}
	edit := func(do func(lines []string) []string) string {
		is := do(append([]string(nil), was...))
		return changes(sums(was), sums(is), is)
	}
	for name, test := range map[string]struct {
		shown       string
		first, last string
		places      int
	}{
		"nothing":      {edit(func(l []string) []string { return l }), "", "", 0},
		"one line":     {edit(func(l []string) []string { l[29] = "new"; return l }), "    22→line 22", "    38→line 38", 1},
		"a line gone":  {edit(func(l []string) []string { return append(l[:29], l[30:]...) }), "    22→line 22", "    37→line 38", 1},
		"the last one": {edit(func(l []string) []string { return append(l, "more") }), "    53→line 53", "    61→more", 1},
		"two far":      {edit(func(l []string) []string { l[4], l[49] = "a", "b"; return l }), "     1→line 1", "    58→line 58", 2},
		"two near":     {edit(func(l []string) []string { l[20], l[30] = "a", "b"; return l }), "    13→line 13", "    39→line 39", 1},
	} {
		shown := strings.Split(test.shown, "\n")
		if shown[0] != test.first || shown[len(shown)-1] != test.last || test.places > 0 && strings.Count(test.shown, "\n...\n") != test.places-1 {
			t.Errorf("%s: shown is\n%s", name, test.shown)
		}
	}
}
