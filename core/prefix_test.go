// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

func known(from PrefixSource, k Kind, parts ...PrefixPart) PrefixKnown {
	return PrefixKnown{Source: from, Kind: k, Parts: parts}
}

func builtIn(tokens int64, cached Cached) PrefixPart {
	return PrefixPart{Part: Part{Tokens: tokens}, Cached: cached}
}

// rowsOf returns the sums of a Reading's rows by kind, and checks that they add up to used.
func rowsOf(t *testing.T, s *Session) map[Kind]int64 {
	t.Helper()
	r, sum := s.Reading(), int64(0)
	by := map[Kind]int64{}
	for _, row := range r.Breakdown {
		if !row.Deferred {
			by[row.Kind] += row.Tokens
			sum += row.Tokens
		}
	}
	if sum != r.Used {
		t.Errorf("the rows sum to %d, used is %d: %+v", sum, r.Used, r.Breakdown)
	}
	return by
}

// TestThePrefixIsToldApart checks that the known parts of the prefix divide its measured size, the better source first,
// and that used is the same with and without them.
func TestThePrefixIsToldApart(t *testing.T) {
	optional := builtIn(5000, IsCached)
	optional.Optional = true
	cached := func(n int64) func(*Metered) { return func(m *Metered) { m.CacheRead = n } }
	for _, c := range []struct {
		name  string
		known []PrefixKnown
		read  int64
		want  map[Kind]int64
	}{
		{"nothing", nil, 0, map[Kind]int64{Prefix: 9900}},
		{"a table", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromTable, Tools, builtIn(6000, 0))}, 0, map[Kind]int64{System: 2000, Tools: 6000, Prefix: 1900}},
		{"a table a little too large is scaled", []PrefixKnown{known(FromTable, System, builtIn(2200, 0)), known(FromTable, Tools, builtIn(8800, 0))}, 0, map[Kind]int64{System: 1980, Tools: 7920}},
		{"a table of another platform is not forced", []PrefixKnown{known(FromTable, System, builtIn(9000, 0)), known(FromTable, Tools, builtIn(9000, 0))}, 0, map[Kind]int64{Prefix: 9900}},
		{"a tool that is not there is left out", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromTable, Tools, builtIn(6000, 0), optional)}, 0, map[Kind]int64{System: 2000, Tools: 6000, Prefix: 1900}},
		{"the record beats the table", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromRecord, System, builtIn(3000, 0))}, 0, map[Kind]int64{System: 3000, Tools: 6900}},
		{"a snapshot larger than the prompt", []PrefixKnown{known(FromRecord, System, builtIn(10_000, 0)), known(FromRecord, Tools, builtIn(20_000, 0))}, 0, map[Kind]int64{System: 3300, Tools: 6600}},
		{"the user's skills and those that come with the agent", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromTable, Tools, builtIn(6000, 0)), known(FromTable, Skills, builtIn(1500, 0)), known(FromFiles, Skills, builtIn(60, 0))}, 0, map[Kind]int64{System: 2000, Tools: 6000, Skills: 1560, Prefix: 340}},
		{"recorded skills beat both", []PrefixKnown{known(FromTable, Skills, builtIn(1500, 0)), known(FromFiles, Skills, builtIn(60, 0)), known(FromRecord, Skills, builtIn(900, 0))}, 0, map[Kind]int64{Skills: 900, Prefix: 9000}},
		{"the cache scales a table", []PrefixKnown{known(FromTable, System, builtIn(2000, IsCached), builtIn(500, NotCached)), known(FromTable, Tools, builtIn(6000, IsCached))}, 8080, map[Kind]int64{System: 2520, Tools: 6060, Prefix: 1320}},
		{"the cache tells tools that nobody records", []PrefixKnown{known(FromTable, System, builtIn(1000, IsCached)), known(FromTable, Tools, builtIn(4000, IsCached))}, 8000, map[Kind]int64{System: 1000, Tools: 4000, MCPTools: 3000, Prefix: 1900}},
		{"a read of nearly everything is of another conversation", []PrefixKnown{known(FromTable, System, builtIn(2000, IsCached)), known(FromTable, Tools, builtIn(6000, IsCached))}, 9850, map[Kind]int64{System: 2000, Tools: 6000, Prefix: 1900}},
	} {
		s := New(Identity{ID: "s"}, plain{})
		s.Apply(item(User, 100))
		s.Apply(measured(10_000, 0, cached(c.read)))
		used := s.Reading().Used
		for _, k := range c.known {
			s.Apply(k)
		}
		by := rowsOf(t, s)
		if by[User] != 100 || s.Reading().Used != used {
			t.Errorf("%s: rows %v, used %d and then %d", c.name, by, used, s.Reading().Used)
		}
		for _, k := range []Kind{System, Tools, MCPTools, Prefix} {
			if by[k] != c.want[k] {
				t.Errorf("%s: %s takes %d, want %d", c.name, k, by[k], c.want[k])
			}
		}
	}
}

// TestWhatStandsBehindTheCacheIsMemory covers an agent with all its listings in the descriptions of its tools: the
// cache shows the size of the tools, and the content after them is memory.
func TestWhatStandsBehindTheCacheIsMemory(t *testing.T) {
	for _, c := range []struct {
		read int64
		told []PrefixKnown
		want map[Kind]int64
	}{
		{8080, nil, map[Kind]int64{Memory: 1820}},
		{0, nil, map[Kind]int64{Prefix: 1900}},
		{8080, []PrefixKnown{known(FromFiles, Memory, builtIn(1500, 0))}, map[Kind]int64{Memory: 1500, Prefix: 320}},
	} {
		s := New(Identity{ID: "s"}, plain{})
		s.Apply(RuleSet{Rule{AfterCache: "Memory files, not recorded"}})
		s.Apply(item(User, 100))
		s.Apply(measured(10_000, 0, func(m *Metered) { m.CacheRead = c.read }))
		for _, k := range append(c.told, known(FromTable, System, builtIn(2000, IsCached)), known(FromTable, Tools, builtIn(6000, IsCached))) {
			s.Apply(k)
		}
		by := rowsOf(t, s)
		if by[Memory] != c.want[Memory] || by[Prefix] != c.want[Prefix] {
			t.Errorf("%d read, %d told: %v, want %v", c.read, len(c.told), by, c.want)
		}
	}
}

// TestTenThousandSkillsAreBounded checks that a list of any length keeps its sum and a few names.
func TestTenThousandSkillsAreBounded(t *testing.T) {
	skills := make([]PrefixPart, 10_000)
	for i := range skills {
		skills[i] = builtIn(3, 0)
	}
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(item(User, 100))
	s.Apply(measured(50_000, 0))
	s.Apply(known(FromRecord, Skills, skills...))
	if by := rowsOf(t, s); by[Skills] != 30_000 || len(s.prefix.parts) != prefixPartsKept {
		t.Errorf("%v in %d parts", by, len(s.prefix.parts))
	}
}

// TestWhatAStepTookMoreIsWhatItBrought checks that an excess is assigned to text within the error of its estimate, and
// then to unrecorded content, and that a rewind undoes both.
func TestWhatAStepTookMoreIsWhatItBrought(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(item(User, 100))
	s.Apply(measured(10_000, 0))
	s.Apply(Appended{Item{Kind: User, Tokens: Unknown, Text: make([]byte, 4000)}})
	s.Apply(measured(11_400, 0))
	by := rowsOf(t, s)
	if by[User] != 1220 || by[Prefix] != 9900 || by[Unattributed] != 280 {
		t.Errorf("after the step %v", by)
	}
	s.Apply(Truncated{From: 1})
	if by := rowsOf(t, s); by[User] != 100 || by[Prefix] != 9900 || by[Unattributed] != 0 {
		t.Errorf("after the rewind %v", by)
	}
}

// TestWhatARowCannotGiveIsNotHandedOut checks that an estimate that was too high absorbs at most the tokens of its row,
// and that the other rows then get no more than the unexplained tokens.
func TestWhatARowCannotGiveIsNotHandedOut(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	s.excess.rows[Assistant-firstExcessRow], s.excess.rows[Reasoning-firstExcessRow] = 900, -877
	rows := []Row{{Kind: Assistant, Tokens: 8000}, {Kind: Reasoning, Tokens: 799}}
	if left := s.addExcess(rows, 60); left < 0 || rows[0].Tokens+rows[1].Tokens+left != 8000+799+60 {
		t.Errorf("%d is left, the rows are %+v", left, rows)
	}
	// A later row's reduction is included, though an earlier row absorbs more first.
	s.excess.rows[Assistant-firstExcessRow], s.excess.rows[Reasoning-firstExcessRow] = 81, -130
	rows = []Row{{Kind: Assistant, Tokens: 700}, {Kind: Reasoning, Tokens: 4000}}
	if left := s.addExcess(rows, 3); left != 52 || rows[0].Tokens != 781 || rows[1].Tokens != 3870 {
		t.Errorf("%d is left, the rows are %+v", left, rows)
	}
}

// TestATextOutranksARoundedPrint checks that rows have the size of a recorded text, whether the agent printed its own
// count before or after it.
func TestATextOutranksARoundedPrint(t *testing.T) {
	text := PrefixKnown{Source: FromRecord, Kind: Tools, Parts: []PrefixPart{{Part: Part{Label: Named("Read"), Tokens: 1_460}}, {Part: Part{Label: Named("Bash"), Tokens: 24_607}}}}
	print := PrefixKnown{Source: FromPrinted, Kind: Tools, Parts: []PrefixPart{{Part: Part{Label: Named("printed"), Tokens: 24_700}}}}
	for _, order := range [][]Event{{text, print}, {print, text}} {
		s := New(Identity{ID: "a"}, plain{})
		for _, e := range order {
			s.Apply(e)
		}
		s.Apply(Appended{Item: Item{Kind: User, Tokens: 100}})
		m := NewMetered()
		m.In, m.Out = 30_000, 0
		s.Apply(m)
		var got []string
		for _, row := range s.Reading().Breakdown {
			if row.Kind == Tools {
				got = append(got, row.Label.String())
			}
		}
		if len(got) != 2 || got[0] == "printed" || got[1] == "printed" {
			t.Errorf("the rows of tools are %q", got)
		}
	}
}

// TestSizesOfASourceAreInTokensOfTheModel checks the size of a row by one source. Parts that were counted with the
// reference tokenizer have another size for another model.
func TestSizesOfASourceAreInTokensOfTheModel(t *testing.T) {
	s := New(Identity{Model: "one"}, dense{"one": 1000, "two": 1500})
	s.Apply(known(FromTable, Tools, PrefixPart{Part: Part{Tokens: 2000}, Reference: true}, builtIn(400, 0)))
	s.Apply(known(FromRecord, Tools, builtIn(7, 0)))
	s.Apply(known(FromTable, System, builtIn(9, 0)))
	if got := s.TokensFrom(FromTable, Tools); got != 2400 {
		t.Errorf("%d tokens", got)
	}
	s.Apply(ModelSet{Model: "two"})
	if got := s.TokensFrom(FromTable, Tools); got != 3400 {
		t.Errorf("%d tokens of the other model", got)
	}
	if got := s.TokensFrom(FromPrinted, Tools); got != 0 {
		t.Errorf("%d tokens by a source that gave none", got)
	}
}

// TestTheRestAfterTheCacheIsNamed checks the name of what a first request has between the part that it read from the
// cache and the conversation: by the agent's rule, if nothing else of notable size can be there.
func TestTheRestAfterTheCacheIsNamed(t *testing.T) {
	skills, agents, memory := item(Skills, 1), item(Agents, 1), known(FromFiles, Memory, builtIn(1, 0))
	for name, c := range map[string]struct {
		rule   Rule
		read   int64
		events []Event
		want   string
	}{
		"no rule":                          {Rule{}, 8000, nil, phrase.Others.Text().String()},
		"after the cache":                  {Rule{AfterCache: phrase.MemoryAndGit}, 8000, nil, phrase.MemoryAndGit.Text().String()},
		"after the tools":                  {Rule{AfterCache: phrase.MemoryAndGit}, 6000, nil, phrase.MemoryAndGit.Text().String()},
		"memory files that are known":      {Rule{AfterCache: phrase.MemoryAndGit}, 8000, []Event{memory}, phrase.Others.Text().String()},
		"after system, skills and agents":  {Rule{AfterSystem: phrase.MemoryUnrecorded}, 8000, []Event{skills, agents}, phrase.MemoryUnrecorded.Text().String()},
		"after the system without skills":  {Rule{AfterSystem: phrase.MemoryUnrecorded}, 8000, []Event{agents}, phrase.Others.Text().String()},
		"after the system without agents":  {Rule{AfterSystem: phrase.MemoryUnrecorded}, 8000, []Event{skills}, phrase.Others.Text().String()},
		"the system prompt was not cached": {Rule{AfterSystem: phrase.MemoryUnrecorded}, 6000, []Event{skills, agents}, phrase.Others.Text().String()},
	} {
		events := append([]Event{RuleSet{c.rule}, item(User, 100)}, c.events...)
		events = append(events, measured(10_500, 0, func(m *Metered) { m.CacheRead = c.read }), known(FromTable, Tools, builtIn(6000, IsCached)), known(FromTable, System, builtIn(2000, MayBeCached)))
		found := ""
		for _, row := range after(events...).Reading().Breakdown {
			if label := row.Label.String(); row.Tokens > 1000 && row.Kind != Tools && row.Kind != System {
				found += label
			}
		}
		if found != c.want {
			t.Errorf("%s: the rest is %q, want %q", name, found, c.want)
		}
	}
}

// TestPrintedToolsAreNotAssumed checks that the usual tools are added to a table's, and not to what the agent printed.
func TestPrintedToolsAreNotAssumed(t *testing.T) {
	rule := RuleSet{Rule{First: FirstPrompt{Tools: Unrecorded{Usual: 4000, Most: 9000}}}}
	for source, want := range map[PrefixSource]int64{FromTable: 6000, FromEarlier: 6000, FromFiles: 6000, FromPrinted: 2000, FromRecord: 2000} {
		s := after(rule, known(source, Tools, builtIn(2000, 0)))
		if used := s.Reading().Used; used != want {
			t.Errorf("source %d: used %d, want %d", source, used, want)
		}
	}
}
