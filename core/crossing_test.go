// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"testing"
)

// TestALevelIsCrossedOnce checks that users get no false alarms: each level is announced once, the announcement is
// withdrawn when the session falls far, is compacted or is no longer live, and idle sessions are not announced. A host
// may save the state between any two Readings.
func TestALevelIsCrossedOnce(t *testing.T) {
	live := func(level Level, percent, compactions int64) LevelState {
		return LevelState{Level: level, Fullness: percent * 100, Live: true, Compactions: compactions}
	}
	idle := func(level Level, percent, compactions int64) LevelState {
		return LevelState{Level: level, Fullness: percent * 100, Compactions: compactions}
	}
	type step struct {
		now  LevelState
		want string
	}
	for name, steps := range map[string][]step{
		"up, and once": {
			{live(OK, 50, 0), ""},
			{live(Soon, 91, 0), "ok-soon up first"},
			{live(OK, 89, 0), ""},
			{live(Soon, 91, 0), ""},
			{live(Now, 99, 0), "soon-now up first"},
			{live(Soon, 97, 0), ""},
			{live(Now, 99, 0), ""},
		},
		"first seen beyond the threshold": {{live(Over, 101, 3), "ok-over up first"}, {live(Over, 105, 3), ""}},
		"fallen far": {
			{live(Now, 99, 0), "ok-now up first"},
			{live(OK, 89, 0), ""},
			{live(OK, 88, 0), "ok-ok down"},
			{live(Soon, 92, 0), "ok-soon up"},
			{live(Now, 99, 0), "soon-now up"},
			{live(Over, 101, 0), "now-over up first"},
		},
		"compacted": {
			{live(Now, 99, 0), "ok-now up first"},
			{live(Soon, 92, 1), "now-soon down compacted"},
			{live(Soon, 93, 1), ""},
			{live(Now, 99, 1), "soon-now up"},
		},
		"compacted while nobody looked": {
			{live(Now, 99, 0), "ok-now up first"},
			{idle(OK, 20, 1), "now-ok down compacted"},
			{live(Soon, 92, 1), "ok-soon up"},
		},
		"idle": {
			{idle(Over, 110, 0), ""},
			{live(Over, 110, 0), "over-over up first"},
			{idle(Over, 110, 0), "over-over down"},
			{idle(Over, 110, 0), ""},
			{live(Over, 110, 0), ""},
		},
		"without a window": {{live(OK, 0, 0), ""}, {LevelState{Fullness: Unknown, Live: true}, ""}},
	} {
		var kept Crossings
		for i, s := range steps {
			c, ok := RestoreCrossings(kept.Save())
			if !ok || c != kept {
				t.Fatalf("%s, before step %d: %v was kept and %v came back", name, i, kept, c)
			}
			got := ""
			if e, is := c.Next(s.now); is {
				got = fmt.Sprint(e.Before, "-", e.Level, map[bool]string{true: " up", false: " down"}[e.Up])
				if e.First {
					got += " first"
				}
				if e.Compacted {
					got += " compacted"
				}
			}
			if got != s.want {
				t.Errorf("%s, step %d: %q, want %q", name, i, got, s.want)
			}
			kept = c
		}
	}
	// In order: the two flags, three levels, the fullness and the compactions, each number twice as large.
	for _, wrong := range []string{"", "\x08\x00\x00\x00\x00\x00", "\x00\x08\x00\x00\x00\x00", "\x00\x01\x00\x00\x00\x00", "\x00\x00\x08\x00\x00\x00", "\x00\x00\x00\x08\x00\x00", "\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00"} {
		if c, ok := RestoreCrossings([]byte(wrong)); ok {
			t.Errorf("%q is the state of %v", wrong, c)
		}
	}
}
