// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// events makes random events that fit a session: all types of events, in any order.
type events struct {
	*rand.Rand
	small bool // most numbers are 0 to 3, so that a comparison that is off by one changes what a session shows
}

func (r events) Int64N(n int64) int64 {
	switch {
	case !r.small || n < 100:
		return r.Rand.Int64N(n)
	case r.Rand.IntN(4) > 0:
		return r.Rand.Int64N(4)
	}
	return r.Rand.Int64N(n/100 + 1)
}

func (r events) some(n int64) int64 {
	if r.IntN(4) == 0 {
		return Unknown
	}
	return r.Int64N(n)
}

func (r events) once(in int) bool { return r.IntN(in) == 0 }

func (r events) item() Item {
	it := Item{
		Kind: Kind(r.IntN(int(Messages))), Tokens: r.Int64N(3000), Label: Named("label " + itoa(r.Int64N(5))), NotReply: r.once(8), Hidden: r.once(10),
	}
	if r.once(2) {
		it.Kind = User + Kind(r.IntN(5))
	}
	if r.once(2) {
		it.Tokens, it.Text = Unknown, make([]byte, r.IntN(4000))
	}
	return it
}

func (r events) metered(s *Session) Metered {
	in := max(s.predictNext().used+r.Int64N(4000)-r.Int64N(1500), 1)
	if r.once(5) {
		in = r.some(60_000)
	}
	m := measured(in, r.some(3000), reasoning(r.some(1000)))
	m.CacheRead, m.CacheWrite, m.KeptLong = r.some(60_000), r.some(5000), r.Int64N(3000)
	if r.once(3) {
		m.Request = itoa(r.Int64N(12))
	}
	if r.once(4) {
		m.ThroughSet, m.Through = true, max(s.Len()+2-r.IntN(5), 0)
	}
	if r.once(12) {
		m.Model.Model = [...]string{"one", "two"}[r.IntN(2)]
	}
	for _, flag := range []*bool{&m.Partial, &m.Sum, &m.SideRequest, &m.ServerTools, &m.ServerStays, &m.Volatile, &m.OutPlaceholder, &m.Ambiguous, &m.Counted, &m.Own} {
		*flag = r.once(14)
	}
	return m
}

func (r events) next(s *Session) Event {
	switch r.IntN(30) {
	case 0:
		return At{r.Int64N(1 << 40)}
	case 1:
		return ModelSet{Model: [...]string{"one", "two", ""}[r.IntN(3)]}
	case 2:
		return LimitsKnown{Limits{r.some(300_000), r.some(200_000), r.some(64_000)}, FromRegistry + LimitSource(r.IntN(int(limitSources)-1))}
	case 3, 4:
		e := ContextSet{Kind: Kind(r.IntN(int(Summary)))}
		for range r.IntN(4) {
			e.Parts = append(e.Parts, Part{Label: Named("part"), Tokens: r.some(5000), Text: make([]byte, r.IntN(900)), Deferred: r.once(5), Ephemeral: r.once(3)})
		}
		return e
	case 5, 6, 7, 8, 9, 10, 11, 12:
		return Appended{r.item()}
	case 13:
		return Replaced{r.IntN(s.Len() + 2), r.item(), Named("cut")}
	case 14:
		return Dropped{r.IntN(s.Len() + 2), Named("pruned")}
	case 15:
		return Truncated{max(s.Len()-r.IntN(8), 0)}
	case 16, 17:
		return TurnStarted{}
	case 18:
		return TurnEnded{}
	case 19:
		return [...]Event{Steered{}, MessagedByAgent{}}[r.IntN(2)]
	case 20:
		return [...]Event{Drafted{Item: r.item()}, Drafted{Cleared: true}, Resumed{r.once(2)}, ToolsChanged{}, CompletenessKnown{r.once(2)}}[r.IntN(5)]
	case 21:
		if r.once(4) {
			return PastUnread{r.Int64N(3), r.once(3)}
		}
		return [...]Event{AgentPercent{r.Int64N(10_000), Named("own")}, Warned{Sentence: Named("Odd."), OfUsage: true}, Skipped{9, Named("no JSON"), true}, WrittenSince{"An agent", r.Int64N(1 << 40)}, WorkspaceSeen{"/w"}, BranchSeen{"main"}}[r.IntN(6)]
	case 22:
		return Adjusted{r.Int64N(3000) - r.Int64N(2999), Named("agent")}
	case 23:
		summary := r.item()
		return [...]Event{
			Compacted{Kept: r.IntN(5), Tokens: r.some(30_000), Before: r.some(90_000), Summary: &summary, Again: []int{0, 1}, AgainMost: 2000},
			Overflowed{r.some(200_000), Unknown, r.some(200_000), LimitKind(r.IntN(3)), Exactness(r.IntN(3)), Named(""), false},
			LimitsForgotten{FromError},
			AgentSeen{"agent", "1"},
			ActivitySeen{Activity(r.IntN(int(activities))), ForPrompt, Unknown},
			TitleSeen{"title", TitleBy(r.IntN(3))},
		}[r.IntN(6)]
	}
	return r.metered(s)
}

// TestRestoredSessionsGoOnAlike saves and restores random sessions: both have equal Readings and equal ledgers, and
// stay equal when they continue.
func TestRestoredSessionsGoOnAlike(t *testing.T) {
	goOnAlike(t, 6146234204096585765) // an item changes whose prompt counts more items than are left
	goOnAlike(t, rand.Uint64())
}

func goOnAlike(t *testing.T, seed uint64) {
	t.Logf("seed %d", seed)
	r := events{Rand: rand.New(rand.NewPCG(seed, 1))}
	models := dense{"one": 1000, "two": 1300, "": 1000}
	for round := range 60 {
		s := New(Identity{ID: "a", Model: "one"}, models)
		s.Apply(RuleSet{Rule{Reserve: 20_000, CountsDropped: round%2 == 0}})
		if round%7 == 0 {
			s.FixReasoning(ReasoningMode(round / 7 % 3))
		}
		for i := range 60 {
			s.Apply(r.next(s))
			reading := s.Reading()
			if s.Mode == Hybrid {
				holds(t, "random session", &reading)
			}
			if i%5 != 0 {
				continue
			}
			saved := s.Save()
			restored, ok := Restore(saved, models)
			if !ok {
				t.Fatalf("round %d, event %d: its ledger is refused", round, i)
			}
			restored.rule = s.rule
			if again := restored.Save(); !slices.Equal(again.State, saved.State) || !slices.Equal(again.Names, saved.Names) {
				t.Fatalf("round %d, event %d: restored, it is saved as\n%v\nand was\n%v", round, i, again, saved)
			}
			if after := restored.Reading(); !alike(&reading, &after) {
				t.Fatalf("round %d, event %d: restored\n%+v\nbefore\n%+v", round, i, after, reading)
			}
			if i%2 == 0 {
				s = restored
			}
			if t.Failed() {
				t.Fatalf("round %d, event %d", round, i)
			}
		}
	}
}

// alike reports whether two Readings show the same.
func alike(a, b *Reading) bool {
	x, y := *a, *b
	x.storage, y.storage = storage{}, storage{}
	return len(x.Warnings) == len(y.Warnings) && reflect.DeepEqual(x, y)
}

// withNumber returns the state with another number at a byte, if a number begins there.
func withNumber(state []byte, at int, number int64) []byte {
	end := at
	for end < len(state)-1 && state[end] >= 0x80 {
		end++
	}
	changed := binary.AppendVarint(slices.Clone(state[:at]), number)
	return append(changed, state[end+1:]...)
}

// TestDamagedLedgersDoNoHarm changes each number of a ledger in turn: the ledger is refused, or the restored session
// can be read and continued without a panic.
func TestDamagedLedgersDoNoHarm(t *testing.T) {
	s := after(
		fixed(System, 3000), TurnStarted{}, item(User, 50), measured(10_000, 500, reasoning(400)), item(Assistant, 90), item(ToolResults, 300),
		Replaced{0, Item{Kind: User, Tokens: 9}, Named("edited")}, measured(10_900, 200), TurnEnded{}, Warned{Sentence: Named("Odd.")}, Skipped{9, Named("no JSON"), true}, Drafted{Item: Item{Tokens: 4}},
	)
	saved := s.Save()
	refused := 0
	for i := range saved.State {
		for _, n := range [...]int64{80, -1, -2, 255, 1 << 40, -1 << 40, 1<<55 + 3, 1<<56 + 1} {
			restored, ok := Restore(Ledger{saved.Format, saved.Names, withNumber(saved.State, i, n)}, plain{})
			if !ok {
				refused++
				continue
			}
			restored.Reading()
			for _, e := range []Event{TurnStarted{}, item(User, 9), measured(11_000, 10), item(ToolResults, 9), Truncated{2}, Compacted{Kept: 1, Tokens: Unknown, Before: Unknown}} {
				restored.Apply(e)
				restored.Reading()
			}
			restored.Save()
		}
	}
	if refused == 0 || refused == 8*len(saved.State) {
		t.Errorf("%d damages of %d are refused", refused, 8*len(saved.State))
	}
	for cut := range saved.State {
		if _, ok := Restore(Ledger{saved.Format, saved.Names, saved.State[:cut]}, plain{}); ok {
			t.Fatalf("a ledger of %d bytes of %d is restored", cut, len(saved.State))
		}
	}
	for _, l := range []Ledger{
		{saved.Format, saved.Names, append(slices.Clone(saved.State), 0)},
		{saved.Format, append(slices.Clone(saved.Names), ""), saved.State},
		{"another format", saved.Names, saved.State},
		{"", saved.Names, saved.State},
	} {
		if _, ok := Restore(l, plain{}); ok {
			t.Errorf("restored: %+v", l)
		}
	}
}
