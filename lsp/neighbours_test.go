// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// countingEngine counts the calls of one method that were carried out, and how many were before the last of another.
type countingEngine struct {
	Engine
	method, other string
	done, before  atomic.Int64
}

func (e *countingEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	answer, err := e.Engine.Call(ctx, method, params)
	switch {
	case err != nil:
	case method == e.method:
		e.done.Add(1)
	case method == e.other:
		e.before.Store(e.done.Load())
	}
	return answer, err
}

// oneInstance is a server whose only instance of the core counts calls.
func oneInstance(t *testing.T, method, other string) (*Server, *countingEngine) {
	t.Helper()
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	counting := &countingEngine{Engine: pool, method: method, other: other}
	return newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { return counting, nil }}), counting
}

// TestOneClientsCallsKeepNobodyWaiting has one client ask for thousands of lists; another has its turn all the same.
func TestOneClientsCallsKeepNobodyWaiting(t *testing.T) {
	const flood = 3000
	s, counting := oneInstance(t, "ctx/models", "ctx/session/update")
	many, other := start(t, s), start(t, s)
	other.call("ctx/session/open", `{"id":"chat"}`)
	go func() {
		for n := range flood {
			many.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"m%d","method":"ctx/models","params":{}}`, n))
		}
	}()
	for counting.done.Load() < 5 { // now most of them wait for the engine
		time.Sleep(time.Millisecond)
	}
	for range 5 {
		before := counting.done.Load()
		other.call("ctx/session/update", `{"id":"chat","append":[{"kind":"user","tokens":5}]}`)
		// What the other asks waits for one call, or a few where the processors are busy elsewhere.
		if between := counting.before.Load() - before; between > flood/10 {
			t.Errorf("%d calls came first", between)
		}
	}
}

// TestNobodyWaitsBehindASessionOfTheSameName has one client ask about its session thousands of times; another's is
// called alike.
func TestNobodyWaitsBehindASessionOfTheSameName(t *testing.T) {
	const flood = 3000
	s, counting := oneInstance(t, "ctx/session/history", "ctx/session/reading")
	many, other := start(t, s), start(t, s)
	many.call("ctx/session/open", `{"id":"chat"}`)
	other.call("ctx/session/open", `{"id":"chat"}`)
	release := make(chan struct{})
	s.lanes.Run("session chat", 0, func() { <-release })
	for n := range flood {
		many.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"h%d","method":"ctx/session/history","params":{"id":"chat"}}`, n))
	}
	_, answer := other.begin("ctx/session/reading", `{"id":"chat"}`)
	other.call("ctx/terminals", `{"pids":[]}`) // the reading waits in its lane by now
	close(release)
	other.wait(answer)
	if done := counting.before.Load(); done > flood/10 {
		t.Errorf("%d calls came first", done)
	}
}

// TestWhatAClientAskedThatIsGoneIsNotDone has a client ask for thousands of lists and go.
func TestWhatAClientAskedThatIsGoneIsNotDone(t *testing.T) {
	const flood = 3000
	s, counting := oneInstance(t, "ctx/models", "")
	c := start(t, s)
	for n := range flood {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"m%d","method":"ctx/models","params":{}}`, n))
	}
	c.conn.Close()
	c.exitCode()
	at := counting.done.Load()
	s.lanes.Wait()
	if more := counting.done.Load() - at; more > flood/10 {
		t.Errorf("%d calls were made for nobody, after %d", more, at)
	}
}
