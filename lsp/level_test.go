// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// TestALevelIsToldOnceAndTakenBack protects people from alarms: each threshold is told once, what was told is withdrawn
// when the level falls or nobody works any more, and an idle session tells nothing.
func TestALevelIsToldOnceAndTakenBack(t *testing.T) {
	type step struct {
		level       string
		fullness    float64
		idle        bool
		compactions int64
		want        string
	}
	for name, steps := range map[string][]step{
		"up, and once": {
			{"ok", 50, false, 0, ""},
			{"soon", 91, false, 0, "soon up first"},
			{"ok", 89, false, 0, ""},
			{"soon", 91, false, 0, ""},
			{"now", 99, false, 0, "now up first"},
			{"soon", 97, false, 0, ""},
			{"now", 99, false, 0, ""},
		},
		"fallen far it is taken back, and told again": {
			{"now", 99, false, 0, "now up first"}, {"ok", 80, false, 0, "ok down"}, {"soon", 92, false, 0, "soon up"}, {"now", 99, false, 0, "now up"},
		},
		"compacted": {
			{"now", 99, false, 0, "now up first"}, {"ok", 20, false, 1, "ok down compacted"}, {"soon", 92, false, 1, "soon up"},
		},
		"an idle session never alarms": {
			{"now", 99, true, 0, ""}, {"over", 110, true, 0, ""}, {"over", 110, false, 0, "over up first"},
		},
		"one that becomes idle is taken back once": {
			{"soon", 92, false, 0, "soon up first"}, {"soon", 92, true, 0, "soon down"}, {"soon", 92, true, 0, ""}, {"soon", 92, false, 0, ""}, {"now", 99, false, 0, "now up first"},
		},
	} {
		var l core.Crossings
		for i, s := range steps {
			got := ""
			if e := cross(&l, summary{level: s.level, fullness: s.fullness, live: !s.idle, compactions: s.compactions}); e != nil {
				got = fmt.Sprint(e.Level, " ", map[bool]string{true: "up", false: "down"}[e.Up])
				if e.First {
					got += " first"
				}
				if e.Compacted {
					got += " compacted"
				}
			}
			if strings.TrimSpace(got) != s.want {
				t.Errorf("%s, step %d: %q, want %q", name, i, got, s.want)
			}
		}
	}
}
