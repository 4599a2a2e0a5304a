// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"cmp"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// mostLargest is how many dropped things are named one by one.
const mostLargest = 10

// largestDropped returns the largest things that were dropped, by name, and the sum of the others. Items of one name
// are one thing. If the summary is not recorded, all that it may mention is listed.
func largestDropped(items []api.ForgotItem) (largest []api.ForgotThing, more api.ForgotSum) {
	at := map[[2]string]int{}
	largest = []api.ForgotThing{}
	for i := range items {
		it := &items[i]
		if it.State != "gone" && it.State != "unknown" {
			continue
		}
		name := [...]string{it.Label, it.Excerpt}
		place, known := at[name]
		if !known {
			place = len(largest)
			at[name] = place
			largest = append(largest, api.ForgotThing{Kind: it.Kind, Label: it.Label, Excerpt: it.Excerpt})
		}
		largest[place].Tokens += tokensOf(it)
		largest[place].Items++
	}
	slices.SortStableFunc(largest, func(a, b api.ForgotThing) int { return cmp.Compare(b.Tokens, a.Tokens) })
	if len(largest) > mostLargest {
		for _, thing := range largest[mostLargest:] {
			more.Items += thing.Items
			more.Tokens += thing.Tokens
		}
		largest = largest[:mostLargest]
	}
	return largest, more
}
