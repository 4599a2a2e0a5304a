// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
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
