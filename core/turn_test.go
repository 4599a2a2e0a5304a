// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// flags are the facts that a phase combines.
type flags struct{ open, over, awaiting bool }

func flagsOf(p phase) flags { return flags{p.open(), p.ended(), p.awaiting()} }

// TestAHappeningChangesWhatItIsAbout compares the table of transitions with the effect of each event on each of the
// three flags.
func TestAHappeningChangesWhatItIsAbout(t *testing.T) {
	rules := [turnEvents]func(flags) flags{
		turnStarted:           func(flags) flags { return flags{open: true, over: true, awaiting: true} },
		turnStartedFirst:      func(f flags) flags { return flags{open: true, over: f.over, awaiting: true} },
		turnEnded:             func(flags) flags { return flags{over: true} },
		turnEndedFirst:        func(f flags) flags { return flags{over: f.over} },
		requestMeasured:       func(f flags) flags { return flags{open: f.open} },
		turnRefused:           func(f flags) flags { return flags{open: f.open, over: f.over} },
		conversationCompacted: func(f flags) flags { return flags{open: f.open} },
		rewoundInTurn:         func(f flags) flags { return flags{open: f.open} },
		rewoundBeforeTurn:     func(f flags) flags { return flags{open: f.open, over: true} },
		rewoundToNothing:      func(f flags) flags { return flags{open: f.open, over: f.over} },
	}
	for p := phaseIdle; p < phases; p++ {
		for h, rule := range rules {
			if want, got := rule(flagsOf(p)), flagsOf(transitions[p][h]); got != want {
				t.Errorf("phase %d, happening %d: %+v, want %+v", p, h, got, want)
			}
		}
	}
}

func TestEveryPhaseIsReachedAndLikeNoOther(t *testing.T) {
	reached := map[phase]bool{phaseIdle: true}
	for range phases {
		for p := range reached {
			for _, next := range transitions[p] {
				reached[next] = true
			}
		}
	}
	by := map[flags]phase{}
	for p := phaseIdle; p < phases; p++ {
		if other, taken := by[flagsOf(p)]; taken {
			t.Errorf("phases %d and %d have the same flags", p, other)
		}
		by[flagsOf(p)] = p
		if !reached[p] {
			t.Errorf("nothing leads to phase %d", p)
		}
	}
}

func TestTurnsGoThroughTheirPhases(t *testing.T) {
	said := Appended{Item{Kind: User, Tokens: 5}}
	for _, c := range []struct {
		name   string
		events []Event
		want   phase
	}{
		{"nothing has happened", nil, phaseIdle},
		{"the person spoke first", []Event{TurnStarted{}}, phaseBegun},
		{"the first answer came", []Event{TurnStarted{}, said, measured(100, 10)}, phaseWorking},
		{"the agent handed back", []Event{TurnStarted{}, said, measured(100, 10), TurnEnded{}}, phaseEnded},
		{"the person spoke again", []Event{TurnStarted{}, said, measured(100, 10), TurnEnded{}, TurnStarted{}}, phaseAsked},
		{"the second turn was refused", []Event{TurnStarted{}, said, measured(100, 10), TurnEnded{}, TurnStarted{}, Overflowed{Unknown, Unknown, 90, LimitTotal, Exact, Text{}, false}}, phaseUnanswered},
		{"what was refused was measured by it", []Event{TurnStarted{}, said, measured(100, 10), TurnEnded{}, TurnStarted{}, Overflowed{120, Unknown, 90, LimitTotal, Exact, Text{}, false}}, phaseWorking},
		{"the turn was compacted", []Event{TurnStarted{}, said, measured(100, 10), TurnEnded{}, TurnStarted{}, Compacted{Tokens: Unknown, Before: Unknown}}, phaseWorking},
		{"nobody tells turns: an item begins one", []Event{said, measured(100, 10), said}, phaseAsked},
		{"turns are told: an item begins none", []Event{TurnStarted{}, said, measured(100, 10), said}, phaseWorking},
		{"the second turn was rewound", []Event{TurnStarted{}, said, measured(100, 10), TurnStarted{}, said, measured(200, 10), said, Truncated{1}}, phaseUnanswered},
		{"the turn was rewound within", []Event{TurnStarted{}, said, measured(100, 10), said, measured(200, 10), said, Truncated{2}}, phaseWorking},
		{"everything was cleared", []Event{TurnStarted{}, said, measured(100, 10), TurnEnded{}, Truncated{0}}, phaseIdle},
	} {
		s := New(Identity{}, plain{})
		for _, e := range c.events {
			s.Apply(e)
		}
		if s.turn.phase != c.want {
			t.Errorf("%s: phase %d, want %d", c.name, s.turn.phase, c.want)
		}
	}
}

// TestReasoningThatCameBackLeavesWithTheNextTurn checks that after a long pause a prompt may contain the reasoning of
// all earlier turns again, and that the next turn drops it.
func TestReasoningThatCameBackLeavesWithTheNextTurn(t *testing.T) {
	s := after(TurnStarted{}, item(User, 10), measured(10_000, 2_000, reasoning(1_900)), TurnEnded{}, Resumed{}, TurnStarted{}, item(User, 10))
	expected := s.Reading().Used
	s.Apply(measured(expected+1_890, 500, reasoning(400)))
	s.Apply(TurnEnded{})
	s.Apply(TurnStarted{})
	s.Apply(item(User, 10))
	if got, want := s.Reading().Used, expected+100+10; got != want {
		t.Errorf("in the next turn %d are used, want %d", got, want)
	}
	s.Apply(measured(s.Reading().Used, 0))
	s.Apply(TurnEnded{})
	s.Apply(TurnStarted{})
	if r := s.Reading(); r.Leaving.Tokens != 0 {
		t.Errorf("in the turn after it %d leave", r.Leaving.Tokens)
	}
}

// TestReasoningThatComesBackEveryTurnWasNeverDropped checks that a return without a pause is assumed only if reasoning
// had left before, and not in two consecutive turns.
func TestReasoningThatComesBackEveryTurnWasNeverDropped(t *testing.T) {
	s := after(TurnStarted{}, item(User, 10), measured(10_000, 2_000, reasoning(1_000)))
	turn := func(longer int64) {
		s.Apply(TurnEnded{})
		s.Apply(TurnStarted{})
		s.Apply(item(User, 10))
		s.Apply(measured(s.Reading().Used+longer, 2_000, reasoning(1_000)))
	}
	turn(0)
	turn(2_000) // all reasoning that two turns have dropped
	if s.calibration.mode != ReasoningTurn || s.turn.returned != 2_000 {
		t.Fatalf("mode %s, %d came back", s.calibration.mode, s.turn.returned)
	}
	turn(3_000) // it did not leave
	if s.calibration.mode != ReasoningAlways || s.turn.returned != 0 {
		t.Fatalf("mode %s, %d came back", s.calibration.mode, s.turn.returned)
	}
	turn(0)
	if r := s.Reading(); r.Accuracy.Last.Error != 0 {
		t.Errorf("the next turn: %+v", r.Accuracy.Last)
	}
}

// TestAUsageBeforeItsMessagesBeginsOneTurn checks the turns of a host that sends the usage of a request before the
// messages of its prompt.
func TestAUsageBeforeItsMessagesBeginsOneTurn(t *testing.T) {
	user, hidden, answer := item(User, 100), Appended{Item{Kind: User, Tokens: 100, Hidden: true}}, item(Assistant, 50)
	for name, c := range map[string]struct {
		before []Event
		items  []Appended
		turn   int64
		open   bool
	}{
		"a message":                     {nil, []Appended{user, answer}, 2, true},
		"two messages":                  {nil, []Appended{user, user, answer}, 2, true},
		"a message that the user hid":   {nil, []Appended{hidden, answer}, 1, false},
		"no message":                    {nil, []Appended{answer}, 1, false},
		"a message after the response":  {nil, []Appended{answer, user}, 1, false},
		"a turn that the host reported": {[]Event{TurnStarted{}}, []Appended{user, answer}, 1, true},
	} {
		s := after(append(c.before, measured(5000, 50), Synced{Items: c.items})...)
		if s.turn.number != c.turn || s.turn.phase.open() != c.open {
			t.Errorf("%s: turn %d, open %t", name, s.turn.number, s.turn.phase.open())
		}
	}
}

// TestATurnWithoutARequestIsNotTheLastRequests checks the phase after a turn with and without a measured request.
func TestATurnWithoutARequestIsNotTheLastRequests(t *testing.T) {
	if s := after(TurnStarted{}, TurnEnded{}); s.turn.phase.ended() {
		t.Error("the turn of no request has ended")
	}
	if s := after(TurnStarted{}, measured(100, 5), TurnEnded{}); !s.turn.phase.ended() {
		t.Error("the turn of the last request has not ended")
	}
}
