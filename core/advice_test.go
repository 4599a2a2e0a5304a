// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"
)

// claude has the commands of an agent with a threshold of 90,000 in a window of 100,000 tokens.
var claude = RuleSet{Rule{Reserve: 10_000, Commands: Commands{
	Agent: true, Compact: "/compact", New: "/clear", ServerOff: "claude mcp remove NAME", Memory: "/memory", Agents: "/agents",
}}}

// host is a program that edits its own conversation.
var host = RuleSet{Rule{Reserve: 10_000}}

// advised returns the advice with an action, or nil.
func advised(s *Session, action string) *Advice {
	r := s.Reading()
	for i := range r.Advice {
		if r.Advice[i].Action == action {
			return &r.Advice[i]
		}
	}
	return nil
}

// adviceCase is a session and the expected advice with one action: how many tokens it frees, and how; frees 0 means
// that the advice must not appear.
type adviceCase struct {
	name   string
	events []Event
	frees  int64
	atMost bool
	items  int64
	how    string
}

func expectAdvice(t *testing.T, action string, cases ...adviceCase) {
	t.Helper()
	for _, c := range cases {
		a := advised(after(c.events...), action)
		switch {
		case a == nil && c.frees != 0:
			t.Errorf("%s: no advice, want %d", c.name, c.frees)
		case a != nil && (a.Tokens != c.frees || a.AtMost != c.atMost || a.Items != c.items || a.How.String() != c.how || a.Basis == BasisUnknown):
			t.Errorf("%s: %+v, want %d", c.name, *a, c.frees)
		}
	}
}

// join returns one list of single events and lists of events.
func join(events ...any) (out []Event) {
	for _, e := range events {
		switch e := e.(type) {
		case Event:
			out = append(out, e)
		case []Event:
			out = append(out, e...)
		}
	}
	return out
}

func TestAdviceNamesWhatWouldFreeMostFirst(t *testing.T) {
	s := after(
		RuleSet{Rule{Reserve: 10_000, Commands: Commands{Compact: "/compact"}}}, fixed(Memory, 8000), item(User, 50), measured(10_000, 0),
		item(ToolResults, 60_000), item(ToolResults, 3000), item(ToolResults, 1000), item(ToolResults, 1000), item(Media, 6000), measured(89_500, 0),
	)
	var got []string
	r := s.Reading()
	for i, a := range r.Advice {
		got = append(got, a.Action)
		if i > 0 && a.Tokens > r.Advice[i-1].Tokens {
			t.Errorf("%s frees more than %s", a.Action, r.Advice[i-1].Action)
		}
	}
	if want := []string{"newSession", "compact", "dropToolResults", "shortenMemory"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if calm := after(fixed(Memory, 8000), measured(10_000, 0)).Reading(); len(calm.Advice) != 0 {
		t.Errorf("advice before the window fills: %v", calm.Advice)
	}
}

func TestCompactingFreesWhatItsLandingLeaves(t *testing.T) {
	begun := []Event{item(User, 50), measured(10_000, 500)}
	first := "Summarize the conversation and continue from the summary."
	expectAdvice(t, "compact",
		adviceCase{"the threshold is near", join(claude, begun, measured(89_500, 0)), 89_500 - 9950 - 7000, false, 1, "/compact"},
		adviceCase{"it may be asked for earlier", join(claude, begun, measured(80_000, 0)), 80_000 - 9950 - 7000, false, 1, "/compact"},
		adviceCase{name: "a host has no command for it before it is time", events: join(host, begun, measured(80_000, 0))},
		adviceCase{name: "the window has space", events: join(claude, begun, measured(40_000, 0))},
		adviceCase{name: "a first prompt", events: join(claude, fixed(System, 80_000))},
		adviceCase{"a host at its own threshold", join(RuleSet{Rule{Threshold: 90_000}}, begun, measured(89_500, 0)), 72_550, false, 1, first},
		adviceCase{"its size after compaction is unknown", join(RuleSet{Rule{Threshold: 90_000}}, fixed(System, 2000), item(User, 80_000), item(Assistant, 9000)), 89_000, true, 2, first},
	)
}

func TestOnlyOldToolResultsCanBeDropped(t *testing.T) {
	how := "Clear results that the model has already used."
	results := func(sizes ...int64) (out []Event) {
		for _, n := range sizes {
			out = append(out, item(ToolCalls, 10), item(ToolResults, n))
		}
		return out
	}
	expectAdvice(t, "dropToolResults",
		adviceCase{"old and new", join(host, item(User, 50), results(40_000, 10_000, 8000, 8000, 8000), measured(80_000, 0)), 50_000, false, 2, how},
		adviceCase{name: "the newest is the large one", events: join(host, item(User, 50), results(1000, 1000, 1000, 70_000), measured(80_000, 0))},
		adviceCase{name: "not read yet", events: join(host, item(User, 50), measured(9000, 0), results(40_000, 10_000, 8000, 8000, 8000))},
		adviceCase{name: "too few to be old", events: join(host, item(User, 50), results(70_000, 1000), measured(80_000, 0))},
		adviceCase{name: "an agent has no command for it", events: join(claude, item(User, 50), results(40_000, 10_000, 8000, 8000, 8000), measured(80_000, 0))},
		adviceCase{name: "none", events: join(host, item(User, 70_000), measured(80_000, 0))},
	)
}

func TestOnlyOldMediaCanBeDropped(t *testing.T) {
	pictures := []Event{item(Media, 20_000), item(Media, 3000), item(Media, 3000), item(Media, 3000)}
	expectAdvice(t, "dropMedia",
		adviceCase{"old and new", join(host, item(User, 50), pictures, measured(80_000, 0)), 20_000, false, 1, "Remove attachments from the history."},
		adviceCase{name: "attached now", events: join(host, item(User, 50), measured(60_000, 0), item(Media, 20_000))},
		adviceCase{name: "an agent has no command for it", events: join(claude, item(User, 50), pictures, measured(80_000, 0))},
	)
}

func TestDocumentsAreFewerAtMostByAll(t *testing.T) {
	expectAdvice(t, "dropDocuments",
		adviceCase{"attached", join(host, fixed(Documents, 20_000), item(User, 50), measured(80_000, 0)), 20_000, true, 1, "They are sent again with every turn."},
		adviceCase{name: "none", events: join(host, item(User, 50), measured(80_000, 0))},
		adviceCase{name: "small ones", events: join(host, fixed(Documents, 2000), item(User, 50), measured(80_000, 0))},
	)
}

func TestAServerInUseIsNotDisabled(t *testing.T) {
	servers := known(FromRecord, MCPTools, toolPart("mcp__a__x", 4000), toolPart("mcp__a__y", 4000), toolPart("mcp__b__x", 6000), toolPart("mcp__c__x", 7000))
	full := join(item(User, 50), measured(80_000, 0))
	expectAdvice(t, "disableMcpTools",
		adviceCase{"the command names one server, and frees that one", join(claude, servers, full), 8000, false, 2, "claude mcp remove a"},
		adviceCase{"a server in use stays", join(claude, servers, full, called("mcp__a__x")), 7000, false, 1, "claude mcp remove c"},
		adviceCase{"without a command, all that are not used", join(host, servers, full, called("mcp__a__x")), 13_000, false, 2, "Their definitions are in every request."},
		adviceCase{name: "all are in use", events: join(claude, servers, full, called("mcp__a__y"), called("mcp__b__x"), called("mcp__c__x"))},
		adviceCase{
			name:   "the only one was used before a compaction",
			events: join(claude, known(FromRecord, MCPTools, toolPart("mcp__a__x", 10_000)), item(User, 50), called("mcp__a__x"), measured(80_000, 0), Compacted{Tokens: Unknown, Before: Unknown}, measured(80_000, 0)),
		},
		adviceCase{name: "what is not used is small", events: join(claude, known(FromRecord, MCPTools, toolPart("mcp__a__x", 20_000), toolPart("mcp__b__x", 1000)), full, called("mcp__a__x"))},
		adviceCase{name: "loaded on demand", events: join(claude, ToolsListed{Added: []string{"mcp__a__x"}}, full)},
	)
}

func TestMemoryIsShortenedAtMostByAll(t *testing.T) {
	expectAdvice(t, "shortenMemory",
		adviceCase{"an agent's", join(claude, fixed(Memory, 13_000), item(User, 50), measured(80_000, 0)), 13_000, true, 1, "/memory"},
		adviceCase{"a host's", join(host, fixed(Memory, 13_000), item(User, 50), measured(80_000, 0)), 13_000, true, 1, "They are in every request."},
		adviceCase{name: "none", events: join(claude, item(User, 50), measured(80_000, 0))},
	)
}

func TestSkillsAndAgentsInUseStay(t *testing.T) {
	for _, c := range []struct {
		action, how string
		kind        Kind
		what        SubjectKind
	}{
		{"disableSkills", "Their descriptions are in every request.", Skills, OfSkill},
		{"disableAgents", "/agents", Agents, OfAgent},
	} {
		parts := ContextSet{Kind: c.kind, Parts: []Part{{Label: Named("~/.claude/x/pdf/SKILL.md"), Tokens: 6000}, {Label: Named("review.md"), Tokens: 7000}}}
		full := join(item(User, 50), measured(80_000, 0))
		memory := ContextSet{Kind: Memory, Parts: []Part{{Label: Named("pdf.md"), Tokens: 900}}}
		pdf, review := about(ToolCalls, 20, "Skill", c.what, "pdf"), about(ToolCalls, 20, "Skill", c.what, "review")
		expectAdvice(t, c.action,
			adviceCase{"none was used", join(claude, parts, full), 13_000, true, 2, c.how},
			adviceCase{"one was used", join(claude, parts, full, pdf), 7000, true, 2, c.how},
			adviceCase{"one was used, and a memory file has its name", join(claude, parts, memory, full, pdf), 7000, true, 2, c.how},
			adviceCase{name: "all were used", events: join(claude, parts, full, pdf, review)},
			adviceCase{name: "which were used is forgotten", events: join(claude, parts, full, Compacted{Tokens: Unknown, Before: Unknown}, measured(80_000, 0))},
			adviceCase{name: "none", events: join(claude, full)},
		)
	}
}

func TestANewSessionFreesTheConversation(t *testing.T) {
	begun := join(fixed(System, 4000), item(User, 1000), measured(9000, 500))
	expectAdvice(t, "newSession",
		adviceCase{"the threshold is near", join(claude, begun, measured(89_500, 0)), 89_500 - 8000, false, 1, "/clear"},
		adviceCase{"a host's", join(host, begun, measured(89_500, 0)), 81_500, false, 1, "Ask for a handover note first, and start the new session with it."},
		adviceCase{name: "it is not near", events: join(claude, begun, measured(80_000, 0))},
		adviceCase{name: "there is no conversation", events: join(claude, fixed(System, 89_500))},
	)
}
