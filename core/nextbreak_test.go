// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"testing"
)

// TestTheNextBreakIsKnownBefore checks the changes that make the next request write the cache again, and that the
// warning ends with that request.
func TestTheNextBreakIsKnownBefore(t *testing.T) {
	for name, c := range map[string]struct {
		events []Event
		want   string
	}{
		"nothing":              {nil, "none"},
		"another model":        {[]Event{ModelSet{Model: "another"}}, "model 50000 true"},
		"another effort":       {[]Event{EffortSet{"high"}}, "effort 50000 true"},
		"a loaded tool":        {[]Event{PromptTouched{Kind: Tools}}, "tools 40000 true"},
		"an edited memory":     {[]Event{PromptTouched{Kind: Memory}}, "system 40000 false"},
		"a memory file":        {[]Event{FilesChanged{Servers: Unknown, Memory: 1_010_500}}, "system 40000 false"},
		"an older memory file": {[]Event{FilesChanged{Servers: Unknown, Memory: 1_000_000}}, "none"},
		"configured servers":   {[]Event{FilesChanged{Servers: 1_010_500, Memory: Unknown}}, "tools 40000 false"},
		"the process ended":    {[]Event{ProcessEnded{Certain: true}}, "process 40000 false"},
		"compacted as well":    {[]Event{EffortSet{"high"}, Compacted{Recorded: true, Before: 50_000, Tokens: Unknown, Summary: &Item{Kind: Summary, Tokens: 4000}}}, "none"},
		"cold already":         {[]Event{EffortSet{"high"}, At{1_010_001 + CacheShort}}, "none"},
	} {
		s := after(EffortSet{"low"}, At{1_000_000}, cached(15_000, 10_000), At{1_010_000}, item(ToolResults, 34_900), cached(50_000, 15_000))
		for _, e := range c.events {
			s.Apply(e)
		}
		show := func() string {
			var r Reading
			s.Read(s.Mode, &r)
			if r.NextBreak == nil {
				return "none"
			}
			return fmt.Sprint(r.NextBreak.Cause, " ", r.NextBreak.Written, " ", r.NextBreak.Certain)
		}
		if got := show(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		s.Apply(item(User, 100))
		s.Apply(At{s.now + 1000})
		s.Apply(cached(51_000, 10_000))
		if got := show(); got != "none" {
			t.Errorf("%s: after the request, %s", name, got)
		}
	}
}
