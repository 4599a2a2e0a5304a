// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func TestTheLargestThingsAreNamedOnce(t *testing.T) {
	item := func(state api.ForgotState, label string, tokens int64) api.ForgotItem {
		return api.ForgotItem{Kind: "toolResults", Label: label, State: state, Tokens: &tokens}
	}
	items := []api.ForgotItem{item("gone", "Bash ls", 40), item("kept", "Read a.go", 9000), item("gone", "Bash ls", 50), item("inSummary", "Read b.go", 8000)}
	items[1].Kept = 9000
	for i := range 12 {
		items = append(items, item("gone", fmt.Sprintf("Read %d.go", i), int64(80-i)))
	}
	items = append(items, api.ForgotItem{Kind: "media", Label: "Image", State: "gone"})
	largest, more := largestDropped(items)
	if len(largest) != 10 || largest[0].Label != "Bash ls" || largest[0].Tokens != 90 || largest[0].Items != 2 {
		t.Errorf("largest: %+v", largest)
	}
	if want := (api.ForgotSum{Items: 4, Tokens: 71 + 70 + 69}); more != want {
		t.Errorf("more is %+v, not %+v", more, want)
	}
	for _, thing := range largest[1:] {
		if thing.Tokens > largest[0].Tokens || thing.Label[:4] != "Read" {
			t.Errorf("unexpected %+v", thing)
		}
	}
	if largest, more := largestDropped(items[1:2]); len(largest) != 0 || more.Items != 0 {
		t.Errorf("kept items are listed: %+v %+v", largest, more)
	}
}

// TestWhatIsNotKeptOfAnItemIsListed checks that the list and the sum of what was dropped are the same tokens, and that
// no row has none.
func TestWhatIsNotKeptOfAnItemIsListed(t *testing.T) {
	tokens := int64(9000)
	image := api.ForgotItem{Kind: "media", Label: "Image", State: "gone"}
	items := []api.ForgotItem{{Kind: "toolResults", Label: "Read a.go", State: "kept", Tokens: &tokens, Kept: 2000}, image}
	largest, more := largestDropped(items)
	if len(largest) != 1 || largest[0].Label != "Read a.go (not all of it)" || largest[0].Tokens != 7000 {
		t.Errorf("largest: %+v", largest)
	}
	if more != (api.ForgotSum{Items: 1}) {
		t.Errorf("more: %+v", more)
	}
	a := &api.ForgotAnswer{Items: items, Largest: largest, More: more, SummaryTells: true, Compaction: 1, Compactions: 1}
	for list, want := range map[ForgotList]string{
		LargestDropped: "      7,000  Read a.go (not all of it)\n          ?  and 1 more of an unknown size\n",
		AllDropped:     "kept            2,000 of 9,000  Read a.go\n",
	} {
		var out strings.Builder
		WriteForgotten(&out, a, "", list, false)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
