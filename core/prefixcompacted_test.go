// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"slices"
	"testing"
)

// compactedRows applies a session with a known prefix. Its first request reads read tokens from the cache, and the
// first one after a compaction later tokens. It returns the rows before the compaction, right after it, and after the
// next measured prompt, with a residual that has changed by changed tokens.
func compactedRows(t *testing.T, rule Rule, read, later, changed int64) (before, at, after map[Kind]int64) {
	t.Helper()
	cached := func(n int64) func(*Metered) { return func(m *Metered) { m.CacheRead = n } }
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(RuleSet{rule})
	s.Apply(known(FromTable, System, builtIn(1000, IsCached), builtIn(500, MayBeCached)))
	s.Apply(known(FromTable, Tools, builtIn(4000, IsCached)))
	s.Apply(item(User, 100))
	s.Apply(measured(30_100, 0, cached(read)))
	s.Apply(item(ToolResults, 50_000))
	s.Apply(measured(80_100, 0, cached(30_100)))
	before = rowsOf(t, s)
	s.Apply(Compacted{Tokens: Unknown, Before: Unknown, Summary: &Item{Tokens: 2000}})
	at = rowsOf(t, s)
	s.Apply(measured(32_000+changed, 0, cached(later)))
	return before, at, rowsOf(t, s)
}

// TestACompactionChangesNoRowOfThePrefix checks that rows divided by the cache of the first request stay divided
// through a compaction, and that the cache of the first request after it divides them if the first one did not.
func TestACompactionChangesNoRowOfThePrefix(t *testing.T) {
	reads := Rule{CompactedReads: true}
	prefix := [...]Kind{System, Tools, MCPTools, Prefix}
	same := func(name string, one, other map[Kind]int64, but int64) {
		for _, k := range prefix {
			want := one[k]
			if k == Prefix {
				want += but
			}
			if other[k] != want {
				t.Errorf("%s: %s takes %d, and then %d", name, k, one[k], other[k])
			}
		}
	}
	for _, rule := range []Rule{reads, {}} {
		before, at, after := compactedRows(t, rule, 15_500, 15_500, 0)
		if before[MCPTools] != 10_000 || before[Prefix] != 14_500 {
			t.Errorf("the cache of the first request divides the prefix into %v", before)
		}
		same("at a compaction", before, at, 0)
		same("after a compaction", before, after, 0)
	}
	before, at, after := compactedRows(t, reads, 15_500, 15_500, -700)
	same("a prompt that grew shorter, before it is measured", before, at, 0)
	same("a prompt that grew shorter", before, after, -700)

	before, at, after = compactedRows(t, reads, 0, 15_500, 0)
	if before[MCPTools] != 0 || at[MCPTools] != 0 || before[Prefix] != 24_500 {
		t.Errorf("nothing was read from the cache, and yet %v, then %v", before, at)
	}
	if after[MCPTools] != 10_000 || after[Prefix] != 14_500 {
		t.Errorf("the cache of the request after the compaction divides the prefix into %v", after)
	}
	if _, _, after = compactedRows(t, Rule{}, 0, 15_500, 0); after[MCPTools] != 0 {
		t.Errorf("an agent whose request may read more from the cache: %v", after)
	}
}

// TestAttachmentsRecordedAnewAreNotCountedTwice checks that an attachment that was sent without a record, and that the
// agent records at a compaction, is subtracted from the residual. Once the next prompt is measured, its residual is
// expected.
func TestAttachmentsRecordedAnewAreNotCountedTwice(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(item(User, 100))
	s.Apply(item(Skills, 1000))
	s.Apply(measured(30_100, 0)) // 29,000 without a record
	s.Apply(item(ToolResults, 50_000))
	s.Apply(measured(80_100, 0))
	compact := func(items ...Event) int64 {
		s.Apply(Compacted{Tokens: Unknown, Before: Unknown, Summary: &Item{Tokens: 2000}})
		for _, e := range items {
			s.Apply(e)
		}
		return s.Reading().Used
	}
	if used := compact(item(Skills, 4000), item(Agents, 500), item(Documents, 700)); used != 29_000+2000+1000+700 {
		t.Errorf("with 3,500 tokens recorded anew %d are expected", used)
	}
	rowsOf(t, s)
	s.Apply(measured(32_000, 0)) // 24,800 without a record
	if used := compact(item(Skills, 9000)); used != 24_800+2000+9000 {
		t.Errorf("after a prompt with a residual of 24,800, %d are expected", used)
	}
}

// TestASizeKeepsItsNameAndItsServer checks that each row of the prefix, and the size of each MCP server, stays the same
// through a compaction, and through a restart and a resume before and after it.
func TestASizeKeepsItsNameAndItsServer(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		s := New(Identity{ID: "s"}, plain{})
		step := func(events ...Event) {
			t.Helper()
			for _, e := range events {
				s.Apply(e)
			}
			if !restarts {
				return
			}
			restored, ok := Restore(s.Save(), plain{})
			if !ok {
				t.Fatal("not restored")
			}
			s = restored
		}
		shown := func() (all []string) {
			r := s.Reading()
			for _, row := range r.Breakdown {
				if row.Kind == System || row.Kind == Tools || row.Kind == MCPTools || row.Kind == Prefix {
					all = append(all, fmt.Sprintf("%s %s %d", row.Kind, row.Label, row.Tokens))
				}
			}
			for _, v := range r.Servers {
				all = append(all, fmt.Sprintf("%s %d", v.Name, v.Tokens))
			}
			return all
		}
		step(RuleSet{Rule{CompactedReads: true}},
			known(FromTable, System, builtIn(1000, IsCached)), known(FromTable, Tools, builtIn(4000, IsCached)))
		step(item(User, 100), measured(30_100, 0, func(m *Metered) { m.CacheRead = 15_500 }))
		step(called("mcp__playwright__open")...)
		step(item(ToolResults, 50_000), measured(80_160, 0, func(m *Metered) { m.CacheRead = 30_100 }))
		before := shown()
		if len(before) < 5 || !slices.Contains(before, "playwright 10500") {
			t.Fatalf("the rows before the compaction are %q", before)
		}
		step(Compacted{Tokens: Unknown, Before: Unknown, Summary: &Item{Tokens: 2000}})
		if at := shown(); !slices.Equal(at, before) {
			t.Errorf("restarts %t: at the compaction %q became %q", restarts, before, at)
		}
		step(measured(32_000, 0, func(m *Metered) { m.CacheRead = 15_500 }))
		if after := shown(); !slices.Equal(after, before) {
			t.Errorf("restarts %t: after the compaction %q became %q", restarts, before, after)
		}
	}
}
