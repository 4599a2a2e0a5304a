// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestOldResultsAreClearedWithoutARecord checks which results versions up to 2.1.5 leave out of the next request: none
// below the warning; above it the oldest, until the others have at most 40,000 tokens, never the last three, and only
// if that frees 20,000.
func TestOldResultsAreClearedWithoutARecord(t *testing.T) {
	const warning = 200_000 - 32_000 - 13_000 - 20_000
	for name, c := range map[string]struct {
		version string
		tool    string
		results []int // tokens, at four characters each
		size    int   // of the last request and of everything after it
		want    []int // calls, from 1
	}{
		"below the warning":                     {"2.1.5", "Read", []int{20_000, 20_000, 20_000, 20_000, 20_000}, warning - 1, nil},
		"at the warning":                        {"2.1.5", "Read", []int{20_000, 20_000, 20_000, 20_000, 20_000}, warning, []int{1, 2}},
		"until 40,000 are left":                 {"2.1.5", "Bash", []int{20_000, 10_000, 10_000, 10_000, 10_000}, warning, []int{1}},
		"until less are left":                   {"2.1.5", "Grep", []int{20_000, 10_000, 10_000, 10_000, 10_001}, warning, []int{1, 2}},
		"what frees too little":                 {"2.1.5", "Glob", []int{19_999, 10_000, 10_000, 10_000, 10_000}, warning, nil},
		"several that free too little together": {"2.1.5", "WebFetch", []int{9_000, 9_000, 14_000, 14_000, 11_000}, warning, nil},
		"never the last three":                  {"2.1.5", "Edit", []int{30_000, 30_000, 30_000}, warning, nil},
		"the one before them":                   {"2.1.5", "Write", []int{30_000, 30_000, 30_000, 30_000}, warning, []int{1}},
		"in a window of a million":              {"2.1.5", "Read", []int{20_000, 20_000, 20_000, 20_000, 20_000}, 250_000, nil},
		"results of another tool":               {"2.1.5", "Task", []int{20_000, 20_000, 20_000, 20_000, 20_000}, warning, nil},
		"a newer version":                       {"2.1.6", "Read", []int{20_000, 20_000, 20_000, 20_000, 20_000}, warning, nil},
	} {
		f := &claudeFile{version: c.version}
		f.says("Work.")
		for i, tokens := range c.results {
			in := 1_000
			if i == len(c.results)-1 {
				in = c.size - 20 - tokens // 20 is the response
			}
			f.calls(i+1, in, i+1, c.tool, `{}`)
			f.add("", "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":%q}]}`, i+1, strings.Repeat("a", 4*tokens)))
		}
		f.calls(len(c.results)+1, c.size+1, len(c.results)+1, "Bash", `{}`)
		if cleared := clearedResults(f.events(t)); !slices.Equal(cleared, c.want) {
			t.Errorf("%s: the results of %v are cleared, want %v", name, cleared, c.want)
		}
	}
}

// clearedResults returns which results are cleared, by their order from 1; 0 is another item.
func clearedResults(events []core.Event) (cleared []int) {
	results := map[int]int{} // by index
	index, n := 0, 0
	for _, e := range events {
		switch e := e.(type) {
		case core.Appended:
			if e.Item.Kind == core.ToolResults {
				n++
				results[index] = n
			}
			index++
		case core.Truncated:
			for i := e.From; i < index; i++ {
				delete(results, i)
			}
			index = e.From
		case core.Replaced:
			if e.Reason.Is(phrase.LeavesClearing) {
				cleared = append(cleared, results[e.Index])
			}
		}
	}
	return cleared
}

// TestResultsThatARewindRemovedAreNotCleared checks that results before a rewind are not cleared, and that what is
// left of the others does not include them.
func TestResultsThatARewindRemovedAreNotCleared(t *testing.T) {
	for tokens, want := range map[int][]int{20_000: {1, 4}, 10_000: nil} {
		f := &claudeFile{version: "2.1.5"}
		long := func(call, tokens int) {
			f.add("", "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":%q}]}`, call, strings.Repeat("a", 4*tokens)))
		}
		f.says("Work.")
		f.calls(1, 1_000, 1, "Bash", `{}`)
		back := f.result("", 1)
		for call := 2; call <= 3; call++ {
			f.calls(call, 1_000, call, "Read", `{}`)
			long(call, 20_000)
		}
		f.add(back, "user", `"message":{"role":"user","content":"Work in another way."}`)
		for call := 4; call <= 7; call++ {
			f.calls(call, 140_000, call, "Read", `{}`)
			long(call, tokens)
		}
		f.calls(8, 150_000, 8, "Bash", `{}`)
		if cleared := clearedResults(f.events(t)); !slices.Equal(cleared, want) {
			t.Errorf("with %d tokens a result: the results of %v are cleared, want those of %v", tokens, cleared, want)
		}
	}
}
