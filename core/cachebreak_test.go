// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"testing"
)

// TestABreakHasItsTokensAndItsCause checks requests that miss the cache: what was written again, without the growth of
// the turn, and the cause that was recorded or that the change since the last request explains. Each session has a
// prompt of 50,000 tokens in the cache: 10,000 that other sessions share, 4,000 more of the fixed context, and
// messages.
func TestABreakHasItsTokensAndItsCause(t *testing.T) {
	recorded := func(in, read int64, miss CacheMiss) Metered {
		m := cached(in, read)
		m.CacheMiss = miss
		return m
	}
	compacted := Compacted{Recorded: true, Before: 50_000, Tokens: Unknown, Summary: &Item{Kind: Summary, Tokens: 4000}}
	newModel := measured(51_000, 100, func(m *Metered) {
		m.CacheRead, m.CacheWrite, m.CacheLife, m.Model = 0, 51_000, CacheShort, ModelSet{Model: "another"}
	})
	withoutWrites := measured(51_000, 100, func(m *Metered) { m.CacheRead = 2048 })
	noneWritten := measured(51_000, 100, func(m *Metered) { m.CacheRead, m.CacheWrite = 2048, 0 })
	prompt := item(User, 100)
	long := []Event{prompt}
	for range 24 {
		long = append(long, item(ToolResults, 10))
	}
	step := item(ToolResults, 100)
	for name, c := range map[string]struct {
		pause   int64
		between []Event
		next    Metered
		want    string
	}{
		"an ordinary step":                 {1000, []Event{prompt}, cached(51_000, 50_000), "none"},
		"a hit after a long pause":         {9 * CacheShort, []Event{prompt}, cached(51_000, 50_000), "none"},
		"a prompt that became smaller":     {1000, []Event{prompt}, cached(20_008, 20_000), "none"},
		"a mark that moved":                {1000, []Event{prompt}, cached(51_000, 49_100), "none"},
		"the mark before the newest":       {1000, []Event{step}, cached(51_000, 47_600), "none"},
		"a mark far before the newest":     {1000, []Event{step}, cached(51_000, 47_400), "2600 written, 47400 kept, provider"},
		"a last message that changed":      {1000, []Event{prompt}, cached(51_000, 48_500), "1500 written, 48500 kept, messages"},
		"not compared, a mark that moved":  {1000, []Event{step}, recorded(51_000, 48_500, MissUnavailable), "none"},
		"not found, a mark before":         {1000, []Event{step}, recorded(51_000, 49_100-200, MissNotFound), "1100 written, 48900 kept, process, recorded"},
		"an account of a hit":              {1000, []Event{prompt}, recorded(51_000, 50_000, MissUnavailable), "none"},
		"a pause":                          {CacheShort + 1, []Event{prompt}, cached(51_000, 10_000), "40000 written, 10000 kept, time"},
		"a pause just within the lifetime": {CacheShort, []Event{prompt}, cached(51_000, 10_000), "40000 written, 10000 kept, system"},
		"a compaction":                     {1000, []Event{compacted}, cached(15_000, 10_000), "5000 written, 10000 kept, compaction"},
		"a compaction, by the provider":    {1000, []Event{compacted}, recorded(15_000, 10_000, MissMessages), "5000 written, 10000 kept, compaction, recorded"},
		"tools after a compaction":         {1000, []Event{compacted}, recorded(15_000, 0, MissTools), "15000 written, 0 kept, tools, recorded"},
		"a compaction, not found":          {1000, []Event{compacted}, recorded(15_000, 10_000, MissNotFound), "5000 written, 10000 kept, compaction"},
		"another model":                    {1000, []Event{prompt}, newModel, "50000 written, 0 kept, model"},
		"another model, set before":        {1000, []Event{prompt, ModelSet{Model: "another"}}, cached(51_000, 0), "50000 written, 0 kept, model"},
		"another effort":                   {1000, []Event{prompt, EffortSet{"high"}}, cached(51_000, 10_000), "40000 written, 10000 kept, effort"},
		"a loaded tool":                    {1000, []Event{step, PromptTouched{Kind: Tools}}, cached(51_000, 0), "50000 written, 0 kept, tools"},
		"a loaded tool, seen one later":    {1000, []Event{step, PromptTouched{Kind: Tools}, cached(50_000, 50_000)}, cached(51_000, 0), "50000 written, 0 kept, tools"},
		"an edited memory file":            {1000, []Event{prompt, PromptTouched{Kind: Memory}}, cached(51_000, 10_000), "40000 written, 10000 kept, system"},
		"another process":                  {1000, []Event{prompt, ProcessEnded{Certain: true}}, cached(51_000, 0), "50000 written, 0 kept, process"},
		"another process, the same tools":  {1000, []Event{prompt, ProcessEnded{Certain: true}}, cached(51_000, 10_000), "40000 written, 10000 kept, system"},
		"another version":                  {1000, []Event{prompt, AgentSeen{Agent: "a", Version: "2"}}, cached(51_000, 0), "50000 written, 0 kept, process"},
		"edited messages":                  {1000, []Event{prompt, Adjusted{Tokens: -2000}}, cached(49_000, 14_000), "35000 written, 14000 kept, messages"},
		"the fixed context was read":       {1000, []Event{prompt}, cached(51_000, 14_000), "36000 written, 14000 kept, messages"},
		"a turn of the agent's own":        {1000, []Event{TurnStarted{}, BegunByAgent{}, prompt}, cached(51_000, 10_000), "40000 written, 10000 kept, messages"},
		"too many blocks since the mark":   {1000, long[1:], cached(51_000, 14_000), "36000 written, 14000 kept, provider"},
		"too many blocks, the shared part": {1000, long[1:], cached(51_000, 10_000), "40000 written, 10000 kept, provider"},
		"nothing at all, without a record": {1000, []Event{step}, cached(51_000, 0), "50000 written, 0 kept, tools"},
		"recorded as tools":                {CacheShort + 1, []Event{prompt}, recorded(51_000, 10_000, MissTools), "40000 written, 10000 kept, tools, recorded"},
		"recorded as not found":            {1000, []Event{prompt}, recorded(51_000, 10_000, MissNotFound), "40000 written, 10000 kept, process, recorded"},
		"not found after a pause":          {CacheShort + 1, []Event{prompt}, recorded(51_000, 10_000, MissNotFound), "40000 written, 10000 kept, time"},
		"recorded as the same prompt":      {1000, []Event{prompt}, recorded(51_000, 10_000, MissNone), "40000 written, 10000 kept, provider"},
		"within a turn, the shared part":   {1000, []Event{step}, cached(51_000, 10_000), "40000 written, 10000 kept, unknown"},
		"another effort, not compared":     {1000, []Event{prompt, EffortSet{"high"}}, recorded(51_000, 10_000, MissUnavailable), "40000 written, 10000 kept, effort"},
		"recorded as unavailable":          {1000, []Event{prompt}, recorded(51_000, 10_000, MissUnavailable), "40000 written, 10000 kept, provider, recorded"},
		"a cache without reported writes":  {1000, []Event{prompt}, withoutWrites, "47952 not read, 2048 kept, provider"},
		"a cache that reports no write":    {1000, []Event{prompt}, noneWritten, "47952 not read, 2048 kept, provider"},
		"without writes, another process":  {1000, []Event{prompt, ProcessEnded{Certain: true}}, withoutWrites, "47952 not read, 2048 kept, process"},
		"without writes, a pause of six":   {6 * 60_000, []Event{prompt}, withoutWrites, "47952 not read, 2048 kept, time"},
	} {
		s := New(Identity{ID: "test"}, lookingBack{})
		for _, e := range []Event{EffortSet{"low"}, At{1_000_000}, prompt, cached(15_000, 10_000), At{1_010_000}, item(ToolResults, 34_900), cached(50_000, 15_000), At{1_010_000 + c.pause}} {
			s.Apply(e)
		}
		before := s.history.spent.Calls
		for _, e := range c.between {
			s.Apply(e)
		}
		s.Apply(At{1_010_000 + c.pause + 5_000})
		s.Apply(c.next)
		got := "none"
		count, written, list := s.CacheBreaks()
		if len(list) > 0 {
			b := list[len(list)-1]
			verb := "written"
			if b.Unread {
				verb = "not read"
			}
			got = fmt.Sprintf("%d %s, %d kept, %s", b.Written, verb, b.Kept, b.Cause)
			if b.Recorded {
				got += ", recorded"
			}
			if count != 1 || written != b.Written || b.Call <= before || b.At != 1_015_000+c.pause {
				t.Errorf("%s: %d breaks of %d tokens, the last is %+v", name, count, written, b)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if again, ok := Restore(s.Save(), s.resolver); !ok || fmt.Sprint(again.breaks) != fmt.Sprint(s.breaks) {
			t.Errorf("%s: saved and restored, the breaks are %+v, were %+v", name, again, s.breaks)
		}
	}
}

// lookingBack resolves every model to a provider whose marks find one another over 20 items.
type lookingBack struct{}

func (lookingBack) Resolve(string, string, string) Resolved {
	r := plain{}.Resolve("", "", "")
	r.Caching.Lookback = 20
	return r
}

// TestNothingReadIsAChangeOfToolsOnlyWithEvidence checks that a request which reads nothing is said to have other tools
// only if an earlier one has read what other sessions share, and that a second one in a row has the cause of the first.
func TestNothingReadIsAChangeOfToolsOnlyWithEvidence(t *testing.T) {
	step := item(ToolResults, 100)
	for name, c := range map[string]struct {
		events []Event
		want   string
	}{
		"nothing shared was ever read": {[]Event{measured(50_000, 100, func(m *Metered) { m.CacheRead, m.CacheWrite = 0, 0 }), step, cached(50_050, 0), step, cached(50_100, 50_000), step, cached(50_200, 0)}, "[unknown]"},
		"the shared part was read":     {[]Event{cached(50_000, 10_000), step, cached(50_100, 50_000), step, cached(50_200, 0)}, "[tools]"},
		"twice in a row, a process": {[]Event{cached(50_000, 10_000), step, cached(50_100, 50_000), ProcessEnded{Certain: true}, step, cached(50_200, 0),
			step, cached(50_300, 0)}, "[process process]"},
		"twice, with a hit between": {[]Event{cached(50_000, 10_000), step, cached(50_100, 50_000), ProcessEnded{Certain: true}, step, cached(50_200, 0),
			step, cached(50_300, 50_200), step, cached(50_400, 0)}, "[process tools]"},
	} {
		s := New(Identity{ID: "test"}, lookingBack{})
		for _, e := range append([]Event{At{1_000_000}, item(User, 100)}, c.events...) {
			s.Apply(e)
		}
		var causes []BreakCause
		_, _, list := s.CacheBreaks()
		for _, b := range list {
			causes = append(causes, b.Cause)
		}
		if got := fmt.Sprint(causes); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestABreakNamesWhatChanged checks that the clause of a cause names the tool, the file or the server that was recorded
// before the break, and only if that explains it.
func TestABreakNamesWhatChanged(t *testing.T) {
	prompt, step := item(User, 100), item(ToolResults, 100)
	for name, c := range map[string]struct {
		between []Event
		next    Metered
		want    string
	}{
		"a tool":                     {[]Event{step, PromptTouched{Tools, "WebFetch"}}, cached(51_000, 0), "the tools changed (WebFetch was loaded)"},
		"a tool, seen one later":     {[]Event{step, PromptTouched{Tools, "WebFetch"}, cached(50_000, 50_000)}, cached(51_000, 0), "the tools changed (WebFetch was loaded)"},
		"a server":                   {[]Event{prompt, PromptTouched{System, "docs"}}, cached(51_000, 10_000), "the system prompt changed (MCP server docs)"},
		"a memory file":              {[]Event{prompt, PromptTouched{Memory, "CLAUDE.md"}}, cached(51_000, 10_000), "the system prompt changed (CLAUDE.md was edited)"},
		"a memory file in a message": {[]Event{prompt, PromptTouched{Memory, "CLAUDE.md"}}, cached(51_000, 14_000), "earlier messages changed (CLAUDE.md was edited)"},
		"a server, and a new model":  {[]Event{prompt, PromptTouched{System, "docs"}, ModelSet{Model: "another"}}, cached(51_000, 0), "the model was changed"},
		"a file of an earlier turn":  {[]Event{TurnStarted{}, prompt, PromptTouched{Memory, "CLAUDE.md"}, cached(50_000, 50_000), TurnStarted{}, prompt}, cached(51_000, 10_000), "the system prompt changed"},
		"a change without a name":    {[]Event{step, PromptTouched{Kind: Tools}}, cached(51_000, 0), "the tools changed"},
		"a tool, after a named file": {[]Event{step, PromptTouched{Memory, "CLAUDE.md"}, PromptTouched{Kind: Tools}}, cached(51_000, 0), "the tools changed"},
		"a server, within a turn":    {[]Event{step, PromptTouched{System, "docs"}}, cached(51_000, 10_000), "the system prompt changed (MCP server docs)"},
	} {
		s := New(Identity{ID: "test"}, lookingBack{})
		for _, e := range append([]Event{At{1_000_000}, prompt, cached(15_000, 10_000), item(ToolResults, 34_900), cached(50_000, 15_000)}, c.between...) {
			s.Apply(e)
		}
		s.Apply(c.next)
		again, ok := Restore(s.Save(), s.resolver)
		if !ok {
			t.Fatal(name)
		}
		for _, s := range []*Session{s, again} {
			if _, _, list := s.CacheBreaks(); len(list) != 1 || list[0].CauseText.String() != c.want {
				t.Errorf("%s: %+v, want %q", name, list, c.want)
			}
		}
	}
}

// TestALaterReportCorrectsABreak checks a stream whose first usage has no cache reads: the break is measured by the
// last report of the request.
func TestALaterReportCorrectsABreak(t *testing.T) {
	report := func(read int64) Metered {
		m := cached(51_000, read)
		m.Request = "r"
		return m
	}
	s := after(At{1_000_000}, cached(10_000, 0), At{1_010_000}, item(ToolResults, 39_900), cached(50_000, 10_000), report(0))
	if count, written, _ := s.CacheBreaks(); count != 1 || written != 50_000 {
		t.Errorf("after the first report: %d breaks of %d tokens", count, written)
	}
	s.Apply(report(20_000))
	if count, written, list := s.CacheBreaks(); count != 1 || written != 30_000 || list[0].Kept != 20_000 {
		t.Errorf("after the second report: %d breaks of %d tokens: %+v", count, written, list)
	}
	s.Apply(report(50_000))
	if count, written, _ := s.CacheBreaks(); count != 0 || written != 0 {
		t.Errorf("after a report of a hit: %d breaks of %d tokens", count, written)
	}
}

// TestARewoundConversationExpectsLess checks that a conversation that continues from an earlier request is compared
// with that one, and that a cleared one is compared with none.
func TestARewoundConversationExpectsLess(t *testing.T) {
	for name, c := range map[string]struct {
		from int
		next Metered
		want int64
	}{
		"rewound, and read":     {1, cached(12_000, 10_000), 0},
		"rewound, and not read": {1, cached(12_000, 0), 1},
		"cleared":               {0, cached(12_000, 0), 0},
	} {
		s := after(item(User, 100), cached(10_000, 0), item(ToolResults, 39_900), cached(50_000, 10_000), Truncated{From: c.from}, c.next)
		if count, _, list := s.CacheBreaks(); count != c.want {
			t.Errorf("%s: %d breaks: %+v", name, count, list)
		}
	}
}
