// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestAPoolHasAsManySessionsAsACore opens sessions in two instances until one is refused.
func TestAPoolHasAsManySessionsAsACore(t *testing.T) {
	pool, err := Native(Options{Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	open := func(i int) string {
		t.Helper()
		answer, err := pool.Call(t.Context(), "ctx/session/open", fmt.Appendf(nil, `{"id":"s%d"}`, i))
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	for i := range api.MaxSessions {
		if answer := open(i); strings.Contains(answer, `"error"`) {
			t.Fatalf("session %d: %s", i, answer)
		}
	}
	const limit = `There are 10000 sessions open; close some first.`
	if answer := open(api.MaxSessions); !strings.Contains(answer, limit) {
		t.Errorf("one more: %.200s", answer)
	}
	if answer := open(7); strings.Contains(answer, limit) {
		t.Errorf("one that is open, again: %.200s", answer)
	}
	if _, err := pool.Call(t.Context(), "ctx/session/close", []byte(`{"id":"s7"}`)); err != nil {
		t.Fatal(err)
	}
	if answer := open(api.MaxSessions); strings.Contains(answer, `"error"`) {
		t.Errorf("after one was closed: %.200s", answer)
	}
}
