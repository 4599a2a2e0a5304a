// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"slices"
	"testing"
)

// TestAnEmptyLineBelongsToAFragment checks that the agent's own lines are found with the empty line at their end: at
// the end of what is known, where that line was not shown, and inside it.
func TestAnEmptyLineBelongsToAFragment(t *testing.T) {
	for name, c := range map[string]struct {
		shown []string
		want  []bool // which lines the agent wrote
	}{
		"it is not shown":        {[]string{"a", "b"}, []bool{false, false}},
		"it is the last one":     {[]string{"a", "b", ""}, []bool{false, true, true}},
		"a line comes after it":  {[]string{"b", "", "c"}, []bool{true, true, false}},
		"another line is there":  {[]string{"b", "c"}, []bool{false, false}},
		"the lines stand twice":  {[]string{"b", "", "b", ""}, []bool{false, false, false, false}},
		"only the first is here": {[]string{"b"}, []bool{false}},
	} {
		var m model
		m.placeless = []fragment{{lines: []string{"b", ""}, by: origin{item: 1, wrote: true}}}
		m.show(block{start: 1, lines: c.shown}, origin{item: 2})
		var got []bool
		for i := range m.cells {
			got = append(got, slices.ContainsFunc(m.cells[i].by, func(o origin) bool { return o.wrote }))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
