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

// countingEngine counts the completed calls of one method, how many of them came before the last call of another, and
// how many came while that was waiting.
type countingEngine struct {
	Engine
	method, other         string
	done, before, between atomic.Int64
}

func (e *countingEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	begun := e.done.Load()
	answer, err := e.Engine.Call(ctx, method, params)
	switch {
	case err != nil:
	case method == e.method:
		e.done.Add(1)
	case method == e.other:
		e.before.Store(e.done.Load())
		e.between.Store(e.done.Load() - begun)
	}
	return answer, err
}

// oneInstance returns a server with a single instance of the core, which counts calls.
func oneInstance(t *testing.T, method, other string) (*Server, *countingEngine) {
	t.Helper()
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	counting := &countingEngine{Engine: pool, method: method, other: other}
	return newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { return counting, nil }}), counting
}

// TestOneClientsCallsDelayNoOther has one client request thousands of lists; another client must still get its
// turn.
func TestOneClientsCallsDelayNoOther(t *testing.T) {
	const flood = 3000
	s, counting := oneInstance(t, "ctx/models", "ctx/session/update")
	many, other := start(t, s), start(t, s)
	other.call("ctx/session/open", `{"id":"chat"}`)
	go func() {
		for n := range flood {
			many.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"m%d","method":"ctx/models","params":{}}`, n))
		}
	}()
	for counting.done.Load() < 5 { // most of them are waiting for the engine now
		time.Sleep(time.Millisecond)
	}
	delayed := 0
	for range 5 {
		other.call("ctx/session/update", `{"id":"chat","append":[{"kind":"user","tokens":5}]}`)
		// The other client waits for one call, or for a few if the machine is busy.
		if between := counting.between.Load(); between > flood/10 {
			t.Logf("%d calls came first", between)
			delayed++
		}
	}
	if delayed > 2 { // a busy machine may stop the thread of one call while the others go on
		t.Errorf("%d of 5 calls were delayed", delayed)
	}
}

// TestSessionsOfTheSameNameDoNotWait has one client query its session thousands of times, while another client
// has a session with the same name.
func TestSessionsOfTheSameNameDoNotWait(t *testing.T) {
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
	other.call("ctx/terminals", `{"pids":[]}`) // the reading is waiting in its lane by now
	close(release)
	other.wait(answer)
	if done := counting.before.Load(); done > flood/10 {
		t.Errorf("%d calls came first", done)
	}
}

// TestRequestsOfADisconnectedClientAreDropped has a client request thousands of lists and disconnect.
func TestRequestsOfADisconnectedClientAreDropped(t *testing.T) {
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
