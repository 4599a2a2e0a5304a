// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"runtime"
	"testing"
	"time"
)

// TestMemoryIsReleasedUntilThereIsNone checks that memory which becomes free late is released too, and that releasing
// ends.
func TestMemoryIsReleasedUntilThereIsNone(t *testing.T) {
	had := []bool{true, false, true, true, false, false}
	released := make(chan int, 100)
	r := rest{after: time.Millisecond}
	calls := 0
	r.give = func() bool {
		calls++
		released <- calls
		return calls <= len(had) && had[calls-1]
	}
	r.busy()
	r.left()
	for range had {
		select {
		case <-released:
		case <-time.After(time.Minute):
			t.Fatalf("memory was released %d times, want %d", calls, len(had))
		}
	}
	r.mu.Lock() // the last release has ended
	timer := r.timer
	r.mu.Unlock()
	if timer.Stop() {
		t.Error("memory will be released once more")
	}
}

// restingEngine has memory to release, once; the third time, a defect shows.
type restingEngine struct {
	*fakeEngine
	rests int
}

func (e *restingEngine) Rest() bool {
	if e.rests++; e.rests == 3 {
		panic("a defect")
	}
	return e.rests == 1
}

// TestTheEngineGivesItsMemoryBack checks that the engine's memory is released after the last client has left, and not
// after the daemon has ended.
func TestTheEngineGivesItsMemoryBack(t *testing.T) {
	resting := &restingEngine{fakeEngine: newFakeEngine()}
	s := newTestServer(t, Options{Engine: using(resting)})
	if s.giveMemoryBack() {
		t.Error("an engine that was never started has memory")
	}
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, want := range []bool{true, false, false} {
		if got := s.giveMemoryBack(); got != want {
			t.Errorf("released: %v", got)
		}
	}
	if runtime.ReadMemStats(&after); after.NumForcedGC != before.NumForcedGC+2 { // the third time, a defect came first
		t.Errorf("Go's memory was released %d times", after.NumForcedGC-before.NumForcedGC)
	}
	if n := s.metrics.defects.Load(); n != 1 {
		t.Errorf("%d defects are counted", n)
	}
	s.Close()
	if s.giveMemoryBack() || resting.rests != 3 {
		t.Errorf("memory was released %d times", resting.rests)
	}
	s = newTestServer(t, Options{})
	s.RestAfter(1)
	released := make(chan struct{}, 10)
	s.rest.give = func() bool { released <- struct{}{}; return false }
	c = start(t, s)
	c.conn.Close()
	c.exitCode()
	for range restsQuiet {
		if _, came := receive(30_000_000_000, released); !came {
			t.Fatal("after the last client nothing is released")
		}
	}
}
