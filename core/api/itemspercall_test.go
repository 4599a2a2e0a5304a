// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"
	"testing"
)

// TestACallOfTooManyItemsChangesNothing checks that both ways to send a conversation refuse more items than one call
// may contain, name the limit, and leave the session as it was.
func TestACallOfTooManyItemsChangesNothing(t *testing.T) {
	c := New()
	must(t, c, "ctx/session/open", `{"id":"a"}`)
	must(t, c, "ctx/session/update", `{"id":"a","append":[{"kind":"user","tokens":1000}]}`)
	list := func(item string, n int) string { return strings.Repeat(item+",", n-1) + item }
	const item, message = `{"kind":"user","tokens":1}`, `{"role":"user","content":"a"}`
	for _, n := range []int{itemsPerCall + 1, 200_000} {
		for method, params := range map[string]string{
			"ctx/session/update":   `{"id":"a","append":[` + list(item, n) + `]}`,
			"ctx/session/messages": `{"id":"a","messages":[` + list(message, n) + `]}`,
		} {
			answer := string(c.Call(method, []byte(params)))
			if !strings.Contains(answer, `"kind":"limit_exceeded"`) || !strings.Contains(answer, strconv.Itoa(itemsPerCall)) {
				t.Errorf("%s of %d items: %s", method, n, answer[:min(len(answer), 300)])
			}
			if answer := string(c.Call("ctx/session/reading", []byte(`{"id":"a"}`))); !strings.Contains(answer, `"used":1000,`) {
				t.Errorf("after %s of %d items: %s", method, n, answer[:min(len(answer), 600)])
			}
		}
	}
	must(t, c, "ctx/session/update", `{"id":"a","append":[`+list(item, itemsPerCall)+`]}`)
	if answer := string(c.Call("ctx/session/reading", []byte(`{"id":"a"}`))); !strings.Contains(answer, `"used":21000,`) {
		t.Errorf("after as many items as are allowed: %s", answer[:min(len(answer), 600)])
	}
}
