// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"testing"
)

func toolPart(name string, tokens int64) PrefixPart {
	return PrefixPart{Part: Part{Label: Named(name), Tokens: tokens}}
}

func called(name string) []Event {
	return []Event{
		Appended{Item{Kind: ToolCalls, Name: name, Tokens: 10}},
		Appended{Item{Kind: ToolResults, Name: name, Tokens: 50}},
	}
}

// TestTheRestIsOfConfiguredServers checks the name of a first prompt's unrecorded rest: if a table has the system
// prompt and tools, and the agent's own files were read, it is the tools of servers in the settings. Recorded tools
// include those of servers, so the rest is something else.
func TestTheRestIsOfConfiguredServers(t *testing.T) {
	for _, c := range []struct {
		name    string
		tools   PrefixSource
		servers []string
		listed  []string
		want    map[Kind]int64
	}{
		{"tools that are only listed", FromTable, nil, []string{"mcp__git__log"}, map[Kind]int64{Prefix: 1700}},
		{"no server", FromTable, nil, nil, map[Kind]int64{Prefix: 1700}},
		{"settings without a server", FromTable, []string{}, nil, map[Kind]int64{Prefix: 1700}},
		{"a server", FromTable, []string{"tracker"}, nil, map[Kind]int64{MCPTools: 1700}},
		{"a server, and tools that are recorded", FromRecord, []string{"tracker"}, nil, map[Kind]int64{Prefix: 1700}},
		{"a server, and tools that the agent has printed", FromPrinted, []string{"tracker"}, nil, map[Kind]int64{Prefix: 1700}},
	} {
		s := New(Identity{ID: "s"}, plain{})
		s.Apply(item(User, 100))
		s.Apply(measured(10_000, 0))
		s.Apply(known(FromTable, System, builtIn(2000, 0)))
		s.Apply(known(c.tools, Tools, builtIn(6000, 0)))
		s.Apply(known(FromFiles, Memory, builtIn(200, 0)))
		s.Apply(ToolsListed{Added: c.listed})
		if c.servers != nil {
			s.Apply(ServersConfigured{Names: c.servers})
		}
		by := rowsOf(t, s)
		for _, k := range []Kind{Prefix, MCPTools} {
			if by[k] != c.want[k] {
				t.Errorf("%s: %s takes %d, want %d", c.name, k, by[k], c.want[k])
			}
		}
		if r := s.Reading(); c.want[MCPTools] > 0 && (len(r.Servers) != 1 || r.Servers[0].Tokens != 1700) {
			t.Errorf("%s: %+v", c.name, r.Servers)
		}
	}
}

func TestAServerSaysWhatItsToolsTake(t *testing.T) {
	var twelve []PrefixPart
	for i := range 12 {
		twelve = append(twelve, toolPart(fmt.Sprintf("mcp__github__tool%d", i), 675))
	}
	unrecorded := func(m *Metered) { m.CacheRead = 8000 }
	table := []Event{known(FromTable, System, builtIn(1000, IsCached)), known(FromTable, Tools, builtIn(4000, IsCached))}
	for _, c := range []struct {
		name  string
		read  func(*Metered)
		told  []Event
		calls []string
		want  []string
	}{
		{"none", nil, nil, []string{"Bash"}, nil},
		{
			"a snapshot", nil,
			[]Event{known(FromRecord, MCPTools, twelve...)},
			[]string{"mcp__github__tool1", "mcp__github__tool2", "mcp__github__tool3", "mcp__github__tool3"},
			[]string{"12 tools of github, 9 never called, 8.1k in every request, switch off with claude mcp remove github"},
		},
		{
			"a tool that no listing has", nil,
			[]Event{known(FromRecord, MCPTools, toolPart("mcp__a__x", 300))},
			[]string{"mcp__a__y"},
			[]string{"2 tools of a, 1 never called, 300 in every request, switch off with claude mcp remove a"},
		},
		{
			"listed and loaded on demand", nil,
			[]Event{ToolsListed{Added: []string{"mcp__a__x", "WebFetch", "mcp__a__y"}}, ToolsListed{Removed: []string{"mcp__a__y"}}},
			nil,
			[]string{"1 tool of a, none called, loaded on demand, switch off with claude mcp remove a"},
		},
		{
			"called alone", nil, nil,
			[]string{"mcp__a__x", "mcp__a__y", "mcp__a__x"},
			[]string{"a, 2 tools called, size unknown, switch off with claude mcp remove a"},
		},
		{
			"configured", nil,
			[]Event{ServersConfigured{[]string{"git", "github"}}},
			[]string{"github_get_issue"},
			[]string{"git, configured and not called, size unknown, switch off with claude mcp remove git", "github, 1 tool called, size unknown, switch off with claude mcp remove github"},
		},
		{
			"shared out of what is left", unrecorded, append(table, ServersConfigured{[]string{"b"}}),
			[]string{"mcp__a__x", "mcp__a__y"},
			[]string{"a, 2 tools called, ~2k in every request, switch off with claude mcp remove a", "b, configured and not called, ~1k in every request, switch off with claude mcp remove b"},
		},
		{
			"a snapshot larger than the prompt", nil,
			[]Event{known(FromRecord, MCPTools, toolPart("mcp__a__x", 30_000), toolPart("mcp__b__x", 10_000))},
			nil,
			[]string{"1 tool of a, none called, ~7.4k in every request, switch off with claude mcp remove a", "1 tool of b, none called, ~2.5k in every request, switch off with claude mcp remove b"},
		},
	} {
		s := New(Identity{ID: "s"}, plain{})
		s.Apply(RuleSet{Rule{Commands: Commands{ServerOff: "claude mcp remove NAME"}}})
		s.Apply(item(User, 100))
		s.Apply(measured(10_000, 0, func(m *Metered) {
			if c.read != nil {
				c.read(m)
			}
		}))
		used := s.Reading().Used
		for _, e := range c.told {
			s.Apply(e)
		}
		if s.Reading().Used != used {
			t.Errorf("%s: used is %d and then %d", c.name, used, s.Reading().Used)
		}
		for _, name := range c.calls {
			for _, e := range called(name) {
				s.Apply(e)
			}
		}
		rowsOf(t, s)
		var texts []string
		for _, v := range s.Reading().Servers {
			texts = append(texts, v.Text.String())
		}
		if fmt.Sprint(texts) != fmt.Sprint(c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, texts, c.want)
		}
		again, ok := Restore(s.Save(), plain{})
		if !ok {
			t.Fatalf("%s: the ledger cannot be read", c.name)
		}
		again.Apply(RuleSet{s.rule})
		if got := again.Reading().Servers; fmt.Sprint(got) != fmt.Sprint(s.Reading().Servers) {
			t.Errorf("%s: restored, the servers are %+v, they were %+v", c.name, got, s.Reading().Servers)
		}
	}
}

// TestAToolCalledBeforeACompactionWasCalled checks that a tool called before a compaction is not shown as never called.
func TestAToolCalledBeforeACompactionWasCalled(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(known(FromRecord, MCPTools, toolPart("mcp__a__x", 300), toolPart("mcp__a__y", 300)))
	s.Apply(item(User, 100))
	for _, e := range called("mcp__a__x") {
		s.Apply(e)
	}
	s.Apply(measured(10_000, 0))
	s.Apply(Compacted{Tokens: Unknown, Before: Unknown})
	if v := s.Reading().Servers; len(v) != 1 || v[0].NeverCalled != 1 || v[0].Calls != 0 {
		t.Errorf("servers after the compaction: %+v", v)
	}
}

// TestManyToolsAreShownByServer checks that beyond the limit for rows, the tools of a server share one row, and the sum
// stays the same.
func TestManyToolsAreShownByServer(t *testing.T) {
	s := New(Identity{ID: "s"}, plain{})
	s.Apply(item(User, 100))
	s.Apply(measured(100_000, 0))
	var tools []PrefixPart
	for i := range 3000 {
		tools = append(tools, toolPart(fmt.Sprintf("mcp__s%d__tool%d", i%20, i), 20))
	}
	s.Apply(known(FromRecord, MCPTools, tools...))
	if by := rowsOf(t, s); by[MCPTools] != 60_000 {
		t.Errorf("the tools take %d", by[MCPTools])
	}
	r := s.Reading()
	if len(r.Servers) != 20 || len(r.Breakdown) > 30 {
		t.Errorf("%d servers in %d rows", len(r.Servers), len(r.Breakdown))
	}
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("mcp__s__tool%d", i)
	}
	s.Apply(ToolsListed{Added: names})
	if n := len(s.prefix.parts); n > 2*prefixToolsKept {
		t.Errorf("%d names are kept", n)
	}
	s = after()
	if s.nameServers(FromEarlier, names); len(s.prefix.parts) != prefixToolsKept {
		t.Errorf("%d of %d names are kept", len(s.prefix.parts), len(names))
	}
	if s.nameServers(FromEarlier, names); len(s.prefix.parts) != prefixToolsKept {
		t.Errorf("%d names are kept with further ones", len(s.prefix.parts))
	}
}

// TestSourcesThatDoNotFitAreLeftOut checks that sources that give more than was measured are not shown, with a warning
// for files and records.
func TestSourcesThatDoNotFitAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		name  string
		known []PrefixKnown
		want  map[Kind]int64
		says  int
	}{
		{"a memory file of another size", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromFiles, Memory, builtIn(20_000, 0))}, map[Kind]int64{System: 2000}, 1},
		{"memory that fits", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromFiles, Memory, builtIn(3000, 0))}, map[Kind]int64{System: 2000, Memory: 3000}, 0},
		{"an earlier session with other tools", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromEarlier, Tools, builtIn(20_000, 0))}, map[Kind]int64{System: 2000}, 0},
		{"a table of another platform", []PrefixKnown{known(FromTable, System, builtIn(20_000, 0)), known(FromFiles, Memory, builtIn(3000, 0))}, map[Kind]int64{Memory: 3000}, 0},
		{"a table and an earlier session", []PrefixKnown{known(FromTable, System, builtIn(20_000, 0)), known(FromEarlier, Tools, builtIn(20_000, 0)), known(FromFiles, Memory, builtIn(3000, 0))}, map[Kind]int64{Memory: 3000}, 0},
		{"files and an earlier session", []PrefixKnown{known(FromTable, System, builtIn(2000, 0)), known(FromEarlier, Tools, builtIn(20_000, 0)), known(FromFiles, Memory, builtIn(20_000, 0))}, map[Kind]int64{System: 2000}, 1},
		{"files and a table", []PrefixKnown{known(FromTable, System, builtIn(20_000, 0)), known(FromEarlier, Tools, builtIn(2000, 0)), known(FromFiles, Memory, builtIn(20_000, 0))}, map[Kind]int64{Tools: 2000}, 1},
		{"all but a record", []PrefixKnown{known(FromTable, System, builtIn(20_000, 0)), known(FromEarlier, Tools, builtIn(20_000, 0)), known(FromFiles, Memory, builtIn(20_000, 0)), known(FromRecord, Skills, builtIn(700, 0))}, map[Kind]int64{Skills: 700}, 1},
		{"a snapshot", []PrefixKnown{known(FromRecord, System, builtIn(30_000, 0))}, map[Kind]int64{System: 9900}, 1},
	} {
		s := New(Identity{ID: "s"}, plain{})
		s.Apply(item(User, 100))
		s.Apply(measured(10_000, 0))
		for _, k := range c.known {
			s.Apply(k)
		}
		by := rowsOf(t, s)
		for _, k := range []Kind{System, Tools, Skills, Memory} {
			if by[k] != c.want[k] {
				t.Errorf("%s: %s takes %d, want %d", c.name, k, by[k], c.want[k])
			}
		}
		if w := s.Reading().Warnings; len(w) < c.says || c.says == 0 && len(w) > 0 {
			t.Errorf("%s: warnings %q", c.name, w)
		}
	}
}

// TestAnEarlierSessionTellsThePrefix checks that sizes from records are estimates in the next session of the same kind,
// if no table outranks them; used stays the same, and a session learns nothing from itself.
func TestAnEarlierSessionTellsThePrefix(t *testing.T) {
	begin := func(id string) *Session {
		s := New(Identity{ID: id, Agent: "a", Model: "m", Workspace: "/w"}, plain{})
		s.Apply(item(User, 100))
		s.Apply(measured(10_000, 0))
		return s
	}
	first := begin("first")
	first.Apply(known(FromRecord, Memory, builtIn(3000, 0)))
	first.Apply(known(FromTable, System, builtIn(2000, 0)))
	lesson, ok := first.Lesson()
	if !ok {
		t.Fatal("nothing is taught")
	}
	next := begin("next")
	used := next.Reading().Used
	next.Apply(known(FromTable, Memory, builtIn(500, 0)))
	next.Learn(&lesson)
	by := rowsOf(t, next)
	if by[Memory] != 3000 || by[System] != 0 || next.Reading().Used != used {
		t.Errorf("rows %v, used %d and then %d", by, used, next.Reading().Used)
	}
	for _, row := range next.Reading().Breakdown {
		if row.Kind == Memory && (row.Basis != Estimated || row.Label.String() != "Memory, as in an earlier session") {
			t.Errorf("its row is %+v", row)
		}
	}
	if again, _ := next.Lesson(); len(again.Rows) > 0 {
		t.Errorf("it teaches what it has learned: %v", again.Rows)
	}
	first.Learn(&lesson)
	if best, _ := first.bestPrefix(0); best[Memory] != FromRecord {
		t.Error("a session has learned of itself")
	}
	next.ForgetEarlier()
	if by := rowsOf(t, next); by[Memory] != 500 {
		t.Errorf("of another kind, memory takes %d", by[Memory])
	}
}

// TestALessonDoesNotDependOnReadings checks that files that do not fit the session teach nothing, whether and in which
// mode it was read, and that reading in another mode does not change the session's own.
func TestALessonDoesNotDependOnReadings(t *testing.T) {
	s := New(Identity{ID: "first", Agent: "a", Model: "m", Workspace: "/w"}, plain{})
	s.Apply(item(User, 100))
	s.Apply(measured(10_000, 0))
	s.Apply(known(FromFiles, Memory, builtIn(20_000, 0)))
	s.Mode = ProviderOnly
	for i, mode := range []Mode{ProviderOnly, Hybrid, ProviderOnly} {
		if lesson, ok := s.Lesson(); !ok || len(lesson.Rows) > 0 {
			t.Errorf("after %d readings it teaches %v, %v", i, lesson.Rows, ok)
		}
		var r Reading
		if s.Read(mode, &r); r.Mode != mode || s.Mode != ProviderOnly {
			t.Errorf("read in mode %d as %d, and the session has %d", mode, r.Mode, s.Mode)
		}
	}
}

// TestAToolsNameBeginsWithItsServer checks the server and the tool in a name, by its form or by the configured servers.
func TestAToolsNameBeginsWithItsServer(t *testing.T) {
	for name, want := range map[string]string{
		"mcp__db__query": "db query true", "git_log": "git log true", "git-log": "git log true", "git.log": "git log true", "git/log": "git log true",
		"mcp_git_log": "git log true", "git_hub_x": "git_hub x true", "git_h": "git h true", "git__": "git  false", "git_": "  false", "git": "  false",
		"gitlog": "  false", "log": "  false", "a_git_log": "  false", "": "  false",
	} {
		for _, configured := range [][]string{{"git", "git_hub"}, {"git_hub", "git"}} {
			server, tool, ok := serverOf(name, configured)
			if got := fmt.Sprint(server, " ", tool, " ", ok); got != want {
				t.Errorf("%s with %v: %q, want %q", name, configured, got, want)
			}
		}
	}
}
