// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestASharedSessionThatIsClosedEndsForAll checks that the other clients of a shared session are notified when one
// closes it, get no Reading afterwards, and can open its id again.
func TestASharedSessionThatIsClosedEndsForAll(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(t.TempDir())})
	closing, other, third := start(t, s), start(t, s), start(t, s)
	closing.call("ctx/session/open", `{"id":"a","shared":true}`)
	for _, c := range []*testClient{other, third} {
		c.call("ctx/session/open", `{"id":"a","shared":true}`)
		c.call("ctx/session/update", `{"id":"a","system":5}`)
	}
	closing.call("ctx/session/close", `{"id":"a"}`)
	for _, c := range []*testClient{other, third} {
		if got := string(c.note("ctx/closed").Params); got != `{"session":"a"}` {
			t.Errorf("the client gets %s", got)
		}
		c.quiet("ctx/reading", 2*publishEvery)
		if m := c.ask("ctx/session/update", `{"id":"a","system":6}`); m.Error == nil {
			t.Errorf("a closed session is updated: %s", m.Result)
		}
	}
	closing.quiet("ctx/closed", 50*time.Millisecond)
	if got := used(t, other.call("ctx/session/open", `{"id":"a","shared":true,"resume":true}`)); got != 0 {
		t.Errorf("it is opened again with %d", got)
	}
}
