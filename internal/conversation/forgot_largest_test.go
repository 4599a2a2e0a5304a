// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"fmt"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func TestTheLargestThingsAreNamedOnce(t *testing.T) {
	item := func(state api.ForgotState, label string, tokens int64) api.ForgotItem {
		return api.ForgotItem{Kind: "toolResults", Label: label, State: state, Tokens: &tokens}
	}
	items := []api.ForgotItem{item("gone", "Bash ls", 40), item("kept", "Read a.go", 9000), item("gone", "Bash ls", 50), item("inSummary", "Read b.go", 8000)}
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
