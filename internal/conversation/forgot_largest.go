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
		tokens := droppedOf(it)
		if tokens == 0 && it.State != "gone" && it.State != "unknown" {
			continue
		}
		label := it.Label
		if it.State == "kept" {
			label += " (not all of it)"
		}
		name := [...]string{label, it.Excerpt}
		place, known := at[name]
		if !known {
			place = len(largest)
			at[name] = place
			largest = append(largest, api.ForgotThing{Kind: it.Kind, Label: label, Excerpt: it.Excerpt})
		}
		largest[place].Tokens += tokens
		largest[place].Items++
	}
	slices.SortStableFunc(largest, func(a, b api.ForgotThing) int { return cmp.Compare(b.Tokens, a.Tokens) })
	named := min(len(largest), mostLargest)
	for named > 0 && largest[named-1].Tokens == 0 { // of an unknown size, such as an image
		named--
	}
	for _, thing := range largest[named:] {
		more.Items += thing.Items
		more.Tokens += thing.Tokens
	}
	return largest[:named], more
}

// droppedOf returns the tokens of an item that are not sent again, and that no summary mentions as far as is known.
func droppedOf(it *api.ForgotItem) int64 {
	switch it.State {
	case "gone", "unknown":
		return tokensOf(it)
	case "kept":
		return tokensOf(it) - it.Kept
	}
	return 0
}
