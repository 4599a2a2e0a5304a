// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"testing"
	"time"
)

func TestADeadlineCountsTheTimeInWhichTheCallRuns(t *testing.T) {
	p := newPatience(10 * time.Second)
	now := p.checked
	for range 9_900 {
		now = now.Add(time.Millisecond)
		if p.usedUp(now) {
			t.Fatalf("it was over after %s", now.Sub(p.checked))
		}
	}
	now = now.Add(11 * time.Second) // the daemon was suspended
	if p.usedUp(now) {
		t.Error("a suspended daemon ends a call")
	}
	now = now.Add(-time.Hour) // and the clock set back
	if p.usedUp(now) {
		t.Error("a clock that is set back ends a call")
	}
	steps := 0
	for !p.usedUp(now) {
		now = now.Add(time.Millisecond)
		steps++
	}
	if steps < 80 || steps > 100 {
		t.Errorf("it was over %d ms after 9.9 s of work", steps)
	}
	// With a quarter of a CPU, one second of CPU time takes four.
	p, begin := newPatience(time.Second), now
	p.checked = now
	for !p.usedUp(now) {
		now = now.Add(40 * time.Millisecond)
	}
	if took := now.Sub(begin); took < 4*time.Second || took > 5*time.Second {
		t.Errorf("under load it was over after %s", took)
	}
}
