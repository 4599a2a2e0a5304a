// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math"
	"strings"
	"testing"
)

// countedParts returns parts of known sizes, named a, b, c and so on.
func countedParts(sizes ...int64) []Part {
	var parts []Part
	for i, n := range sizes {
		parts = append(parts, Part{Label: Named(string(rune('a' + i))), Tokens: n})
	}
	return parts
}

// fitted returns a session with a window of 200,000 tokens that compacts at 160,000 and contains 121,000.
func fitted() *Session {
	s := New(Identity{ID: "a"}, plain{})
	s.Apply(LimitsKnown{Limits: Limits{Window: 200_000, Input: Unknown, Output: Unknown}, Source: FromUser})
	s.Apply(RuleSet{Rule{Name: "custom", Percent: 80_00}})
	s.Apply(Metered{In: 120_000, Out: 1000, CacheRead: Unknown, CacheWrite: Unknown, Reasoning: Unknown})
	return s
}

func TestAskingWhetherTextFitsChangesNothing(t *testing.T) {
	s := fitted()
	s.Apply(Drafted{Item: Item{Kind: User, Tokens: 700}})
	before := s.Reading()
	for _, sizes := range [][]int64{nil, {1}, {90_000, 4}, {math.MaxInt64 / 2, math.MaxInt64 / 2}} {
		s.Fit(countedParts(sizes...))
	}
	if after := s.Reading(); after.Used != before.Used || after.Compaction.Level != before.Compaction.Level || after.New != before.New {
		t.Errorf("used was %d, and is %d after asking", before.Used, after.Used)
	}
}

func TestTheLargestPartsAreLeftOutFirst(t *testing.T) {
	for _, c := range []struct {
		name    string
		sizes   []int64
		level   Level
		leftOut string
		fewer   int64 // tokens; 0 if nothing helps or is needed
	}{
		{"all fits", []int64{1000, 2000}, OK, "", 0},
		{"one is too large", []int64{1000, 60_000, 2000}, Over, "b", 3000},
		{"two are", []int64{50_000, 1000, 60_000}, Over, "ca", 1000},
		{"the level stays", []int64{20_000, 15_000, 10_000}, Over, "ab", 10_000},
		{"the smallest leaves little", []int64{32_000, 30_000}, Over, "a", 30_000},
		{"the only one", []int64{60_000}, Over, "", 0},
		{"each alone is too much", []int64{60_000, 70_000}, Over, "", 0},
		{"more than can be", []int64{math.MaxInt64, math.MaxInt64, 5}, Over, "ab", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			fit := fitted().Fit(countedParts(c.sizes...))
			out := ""
			for _, p := range fit.Parts {
				if p.LeftOut {
					out += p.Label.String()
				}
			}
			fewer := int64(0)
			if fit.Fewer != nil {
				fewer = fit.Fewer.Tokens
			}
			if fit.Level != c.level || out != c.leftOut || fewer != c.fewer {
				t.Errorf("level %s, left out %q, fewer %d; want %s, %q, %d: %s", fit.Level, out, fewer, c.level, c.leftOut, c.fewer, fit.Text)
			}
		})
	}
}

func TestNothingIsLeftOutOfASessionThatIsOverAlready(t *testing.T) {
	s := fitted()
	s.Apply(Appended{Item{Kind: User, Tokens: 50_000}})
	fit := s.Fit(countedParts(10, 20))
	if fit.Fewer != nil || !strings.HasSuffix(fit.Text.String(), "compacts next turn with it or without") {
		t.Errorf("%q, fewer %v", fit.Text.String(), fit.Fewer)
	}
}

// TestAPartIsAtMostTwoBillionTokens checks the bound of a part, and of all parts together.
func TestAPartIsAtMostTwoBillionTokens(t *testing.T) {
	fit := fitted().Fit(countedParts(1<<31-1, 1<<31, 1<<31+1, 7))
	for i, want := range []int64{1 << 31, 1 << 31, 1<<31 - 1, 7} {
		if got := fit.Parts[i].Tokens; got != want {
			t.Errorf("part %d has %d tokens, want %d", i, got, want)
		}
	}
	if fit.Tokens != 1<<31 {
		t.Errorf("all add %d tokens", fit.Tokens)
	}
}
