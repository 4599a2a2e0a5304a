// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"strings"
	"testing"
)

// outdatedMark returns the mark of a session's number, and its first warning.
func outdatedMark(s *Session) (mark, first string) {
	r := s.Reading()
	if len(r.Warnings) > 0 {
		first = r.Warnings[0].String()
	}
	return r.Display.Mark, first
}

// TestNumbersAreMarkedOld checks that numbers are marked as old only while unknown records are the newest, or while an
// agent has written since in a form that cannot be read.
func TestNumbersAreMarkedOld(t *testing.T) {
	begun := func() *Session {
		s := New(Identity{}, plain{})
		for _, e := range []Event{At{1_000}, item(User, 50), measured(10_000, 200), item(Assistant, 200)} {
			s.Apply(e)
		}
		return s
	}
	unknown := Skipped{Bytes: 90, Reason: Named("unknown"), Unknown: true}
	const records, since = "The newest 2 records are in a form", "OpenCode has written since, in a form that this version does not read"
	for _, c := range []struct {
		name   string
		events []Event
		want   string // "" if the numbers are not old
	}{
		{"one unknown record", []Event{unknown}, ""},
		{"records that are not JSON", []Event{Skipped{Bytes: 9}, Skipped{Bytes: 9}, Skipped{Bytes: 9}}, ""},
		{"two unknown records", []Event{unknown, unknown}, records},
		{"a time after them", []Event{unknown, unknown, At{2_000}}, records},
		{"a known item after them", []Event{unknown, unknown, item(User, 9)}, ""},
		{"a compaction after them", []Event{unknown, unknown, Compacted{Before: Unknown}}, ""},
		{"an item between them", []Event{unknown, item(User, 9), unknown}, ""},
		{"data written later", []Event{WrittenSince{"OpenCode", 1_001}}, since},
		{"data written before", []Event{WrittenSince{"OpenCode", 1_000}}, ""},
		{"a record after data written later", []Event{WrittenSince{"OpenCode", 1_500}, At{2_000}}, ""},
	} {
		s := begun()
		s.Apply(Behind{true})
		if mark, first := outdatedMark(s); mark != "!" || !strings.Contains(first, "still being read") {
			t.Errorf("a host that is behind: mark %q, warning %q", mark, first)
		}
		s.Apply(Behind{})
		for _, e := range c.events {
			s.Apply(e)
		}
		again, ok := Restore(s.Save(), plain{})
		if !ok {
			t.Fatal("not restored")
		}
		for _, s := range []*Session{s, again} {
			mark, first := outdatedMark(s)
			if old := mark == "!"; old != (c.want != "") || old && !strings.HasPrefix(first, c.want) {
				t.Errorf("%s: mark %q, warning %q, want %q", c.name, mark, first, c.want)
			}
		}
	}
}
