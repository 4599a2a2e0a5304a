// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/recorded.sum, after an intended change of Readings")

// rare makes events that events.next does not make: parts of the prefix, tools of servers, and named items.
func (r events) rare(s *Session) Event {
	tools := []string{"mcp__files__read", "mcp__files__write", "mcp__web__fetch", "mcp__db__query"}
	switch r.IntN(8) {
	case 0:
		e := PrefixKnown{Source: PrefixSource(r.IntN(int(prefixSources))), Kind: System + Kind(r.IntN(int(Summary-System)))}
		for range r.IntN(4) {
			e.Parts = append(e.Parts, PrefixPart{
				Part:   Part{Label: Named(tools[r.IntN(len(tools))]), Tokens: r.some(2500), Text: make([]byte, r.IntN(900)), Deferred: r.once(5)},
				Cached: Cached(r.IntN(int(cachedKinds))), Optional: r.once(5), Reference: r.once(3),
			})
		}
		return e
	case 1:
		return ToolsListed{Added: tools[r.IntN(len(tools)):], Removed: tools[:r.IntN(2)]}
	case 2:
		return ServersConfigured{[]string{"files", "db", "idle"}[r.IntN(3):]}
	case 3:
		return UsageRead{Request: itoa(r.Int64N(6)), First: r.once(2), Complete: r.once(2)}
	case 4:
		rule := Rule{Percent: r.Int64N(10_000), Threshold: r.Int64N(90_000), OutputCap: r.Int64N(9000), Growth: 900, Warning: r.Int64N(3000), Margin: r.Int64N(900), SummaryLow: 500, SummaryHigh: 3000, TargetTokens: r.Int64N(9000), CountsDropped: r.once(2), DroppedItem: 7, FirstMost: 20_000, FirstUsual: 9000}
		if r.once(2) {
			rule.Percent, rule.OfWindow = 0, true
		}
		if r.once(2) {
			rule.Threshold, rule.Target = 0, r.Int64N(50_000)
		}
		return RuleSet{rule}
	}
	about := Subject{What: SubjectKind(r.IntN(int(subjectKinds))), Name: []string{"/w/src/a.go", "src/b.go", "example.com/x", "npm test"}[r.IntN(4)]}
	it := Item{Kind: ToolCalls, Tokens: r.Int64N(2000), Name: tools[r.IntN(len(tools))], About: about}
	if r.once(2) {
		it.Kind, it.Name = ToolResults, "Read"
	}
	return Appended{it}
}

// coherent makes the events of one turn of an agent with prompts measured as predicted, or nearly.
func (r events) coherent(s *Session) []Event {
	list := []Event{At{max(s.now, 0) + r.Int64N(100_000)}, TurnStarted{}, Appended{Item{Kind: User, Tokens: 20 + r.Int64N(300)}}}
	for _, e := range list {
		s.Apply(e)
	}
	for range 1 + r.IntN(5) {
		out := 50 + r.Int64N(900)
		m := measured(s.predictNext().used+r.Int64N(40)*r.Int64N(2), out, reasoning(r.Int64N(3)*out/4))
		m.CacheRead = m.In * 9 / 10
		for _, e := range []Event{
			m,
			Appended{Item{Kind: Assistant, Text: make([]byte, r.IntN(900)), Tokens: Unknown}},
			Appended{Item{Kind: ToolCalls, Tokens: 30, Name: "Read"}},
			Appended{Item{Kind: ToolResults, Text: make([]byte, 100+r.IntN(9000)), Tokens: Unknown}},
		} {
			s.Apply(e)
			list = append(list, e)
		}
	}
	return list
}

// shown returns everything that a session shows, as JSON.
func shown(t *testing.T, s *Session) []byte {
	t.Helper()
	var other Reading
	s.Read(ProviderOnly+Hybrid-s.Mode, &other)
	points, landings := s.Curve()
	lesson, _ := s.Lesson()
	lines, _ := s.LimitsLesson()
	text, err := json.Marshal([]any{s.Reading(), other, points, landings, s.Largest(20), lesson, lines, s.Verdicts(), s.Fit([]Part{{Tokens: 9000, Label: Named("a")}, {Tokens: 70}, {Tokens: Unknown, Text: make([]byte, 50)}})})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSessionsShowWhatIsRecorded compares everything that random sessions show after each event with recorded digests,
// so that a number without its own assertion cannot change unnoticed. make vectors records an intended change.
func TestSessionsShowWhatIsRecorded(t *testing.T) {
	compareSessions(t, "testdata/recorded.sum", 40, 90, func(round int) (s *Session, next func() any) {
		r := events{Rand: rand.New(rand.NewPCG(7, uint64(round)))}
		s = New(Identity{ID: "a", Model: "one", Agent: "agent", Workspace: "/w"}, dense{"one": 1000, "two": 1300, "": 1000})
		s.Recording = true
		s.Apply(LimitsKnown{Limits{30_000 + 5000*int64(round), Unknown, Unknown}, FromRegistry})
		apply := func(e Event) any {
			s.Apply(e)
			return e
		}
		return s, func() any {
			switch {
			case round%2 == 0 && r.once(3):
				return r.coherent(s)
			case r.once(4):
				return apply(r.rare(s))
			case round%2 == 1 || r.once(6):
				return apply(r.next(s))
			}
			return r.coherent(s)
		}
	})
}

// compareSessions plays sessions and compares what they show after each step with the digests in a file. begin returns
// a session, and a function that applies its next events and returns them.
func compareSessions(t *testing.T, path string, sessions, steps int, begin func(round int) (s *Session, next func() any)) {
	recorded, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := strings.Split(string(recorded), "\n")
	var out strings.Builder
	for round := range sessions {
		s, next := begin(round)
		var line strings.Builder
		for i := range steps {
			e := next()
			text := shown(t, s)
			if i%10 == 9 {
				taken, err := json.Marshal(s.TakeSteps())
				if err != nil {
					t.Fatal(err)
				}
				text = append(text, taken...)
			}
			sum := sha256.Sum256(text)
			fmt.Fprintf(&line, "%.1x", sum[:])
			if os.Getenv("CTX_EVENT") == fmt.Sprintf("%d/%d", round, i) {
				t.Logf("after %T %+v\n%s", e, e, text)
			}
			if got := line.String(); !*update && (round >= len(want) || !strings.HasPrefix(want[round], got)) {
				t.Fatalf("session %d differs after event %d, %T. Only digests are recorded. To see the difference, run this with -v and CTX_EVENT=%d/%d "+
					"before and after the change, and compare. If the change is meant, make vectors records it.", round, i, e, round, i)
			}
		}
		out.WriteString(line.String() + "\n")
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
