// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestEveryInstanceKnowsEveryLesson checks that a new session begins with the size of an earlier one's first prompt
// in whichever instance either was open, also after the earlier one was closed and the lessons were gathered again.
func TestEveryInstanceKnowsEveryLesson(t *testing.T) {
	p := nativePool(t, Options{Instances: 3})
	const kinds = 9
	open := func(id string, kind int) {
		must(t, p, "ctx/session/open", fmt.Sprintf(`{"id":%q,"model":"gpt-5.5","workspace":"/w/%d"}`, id, kind))
	}
	for i := range kinds {
		id := fmt.Sprint("earlier ", i)
		open(id, i)
		must(t, p, "ctx/session/usage", fmt.Sprintf(`{"id":%q,"provider":"ctx","usage":{"in":%d,"out":20}}`, id, 5000+i))
		must(t, p, "ctx/learned/get", `{}`)
		must(t, p, "ctx/session/close", fmt.Sprintf(`{"id":%q}`, id))
	}
	must(t, p, "ctx/learned/get", `{}`)
	for i := range kinds {
		for n := range 4 {
			id := fmt.Sprintf("later %d %d", i, n)
			open(id, i)
			must(t, p, "ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","tokens":3}]}`, id))
			if reading := must(t, p, "ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id)); !strings.Contains(reading, fmt.Sprintf(`"used":%d,`, 5003+i)) {
				t.Errorf("%s does not begin with %d tokens: %.600s", id, 5003+i, reading)
			}
		}
	}
}
