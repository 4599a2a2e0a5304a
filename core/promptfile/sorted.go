// Copyright The ctx-lsp authors. MIT licence.

package promptfile

// The lists below are put in order by sort.Stable. The generic functions of package slices are compiled once more for
// each type of element, which would be 7 KB of the module for each of these.

type linksByTarget []Link

func (l linksByTarget) Len() int           { return len(l) }
func (l linksByTarget) Less(i, j int) bool { return l[i].Target < l[j].Target }
func (l linksByTarget) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

type hintsByLine []Hint

func (l hintsByLine) Len() int           { return len(l) }
func (l hintsByLine) Less(i, j int) bool { return l[i].Position.Line < l[j].Position.Line }
func (l hintsByLine) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

type heaviestSections []Section

func (l heaviestSections) Len() int           { return len(l) }
func (l heaviestSections) Less(i, j int) bool { return l[i].Own > l[j].Own }
func (l heaviestSections) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
