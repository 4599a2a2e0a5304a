// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestOneClientsInputIsBounded checks that a client that sends notifications or requests faster than they can be
// processed has to wait, and that all of them are processed in the end.
func TestOneClientsInputIsBounded(t *testing.T) {
	engine := newFakeEngine()
	var stopped atomic.Bool
	engine.delay = func(string) {
		for stopped.Load() {
			time.Sleep(time.Millisecond)
		}
	}
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { return engine, nil }})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"slow"}`)
	stopped.Store(true)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	text := strings.Repeat("x", 4<<20)
	sent := make(chan bool)
	go func() {
		for i := range 10 {
			c.send(`{"jsonrpc":"2.0","method":"ctx/session/update","params":{"id":"slow","text":"` + text + `"}}`)
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"big%d","method":"ctx/session/update","params":{"id":"slow","text":%q}}`, i, text))
		}
		close(sent)
	}()
	read := of.waits.Waiting
	// The backlog is full if nothing more has been accepted for seconds, even on a busy machine.
	before, since := -1, time.Now()
	for taken := false; !taken && time.Since(since) < 3*time.Second; time.Sleep(50 * time.Millisecond) {
		if now, _ := read(); now != before {
			before, since = now, time.Now()
		}
		select {
		case <-sent:
			taken = true
		default:
		}
	}
	select {
	case <-sent:
		t.Errorf("80 MB were taken, %d wait", before)
	default:
	}
	start(t, s) // another client is served in the meantime
	stopped.Store(false)
	<-sent
	c.call("ctx/sessions", "{}")
	for range 10 {
		c.note("(answer)")
	}
	if _, highest := read(); highest > wire.MaxBacklog {
		t.Errorf("%d bytes have waited", highest)
	}
	s.lanes.Wait()
	if now, _ := read(); now != 0 {
		t.Errorf("%d bytes are counted that nobody waits for", now)
	}
}

// TestSettingsAreAskedForOneAtATime checks that many changes in a row lead to one request for the settings, and a
// second one for the changes made in the meantime.
func TestSettingsAreAskedForOneAtATime(t *testing.T) {
	c := connect(t, newTestServer(t, Options{}))
	var asked, open, most atomic.Int64
	c.requests = func(m testMessage) any {
		asked.Add(1)
		most.Store(max(most.Load(), open.Add(1)))
		time.Sleep(20 * time.Millisecond)
		open.Add(-1)
		return []any{nil}
	}
	c.call("initialize", `{"capabilities":{"workspace":{"configuration":true}}}`)
	for range 300 {
		c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":null}}`)
	}
	c.call("ctx/sessions", "{}")
	time.Sleep(100 * time.Millisecond)
	if n := asked.Load(); n == 0 || n > 40 {
		t.Errorf("the settings were asked for %d times", n)
	}
}

// TestNotificationsWithAnIDAreAnswered checks that a client that sends a notification as a request gets a response.
func TestNotificationsWithAnIDAreAnswered(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	for _, call := range []struct{ method, params string }{
		{"$/setTrace", `{"value":"off"}`},
		{"$/cancelRequest", `{"id":99}`},
		{"initialized", `{}`},
	} {
		if m := c.ask(call.method, call.params); m.Error != nil || string(m.Result) != "null" {
			t.Errorf("%s: %+v", call.method, m)
		}
	}
	if m := c.ask("exit", `{}`); m.Error == nil && string(m.Result) != "null" {
		t.Errorf("exit: %+v", m)
	}
}
