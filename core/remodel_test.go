// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// remodeled returns a session whose next request another model with the same tokenizer will answer.
func remodeled(t *testing.T) *Session {
	t.Helper()
	s := New(Identity{Model: "one"}, plain{})
	s.Apply(measured(20_000, 0))
	s.Apply(measured(60_000, 0))
	s.Apply(ModelSet{Model: "two"})
	return s
}

// TestANewModelIsMarked checks that a change to a model that the session has not had gives the number a mark, a range
// for other tools and another system prompt, and the reason, until a request is measured.
func TestANewModelIsMarked(t *testing.T) {
	s := remodeled(t)
	r := s.Reading()
	if r.Used != 60_000 || r.Basis != MeasuredEstimated || r.RangeCause.String() != "another model may get other tools and another system prompt" {
		t.Errorf("used %d (%v): %q", r.Used, r.Basis, r.RangeCause)
	}
	if r.Low > 56_000 || r.High < 64_000 || r.High-r.Low > r.Used/4 {
		t.Errorf("the range is %d to %d", r.Low, r.High)
	}
	s.Apply(measured(63_800, 0))
	if r := s.Reading(); r.Used != 63_800 || r.Basis != Measured || !r.RangeCause.Empty() {
		t.Errorf("measured: used %d (%v): %q", r.Used, r.Basis, r.RangeCause)
	}
}

// TestAModelThatIsBackIsPredicted checks that the session knows how its models differ: a change back to a model, and
// to the other one again, changes the prompt by the difference that was measured.
func TestAModelThatIsBackIsPredicted(t *testing.T) {
	s := remodeled(t)
	s.Apply(measured(63_800, 0))
	s.Apply(ModelSet{Model: "one"})
	r := s.Reading()
	if r.Used != 60_000 || r.Basis != MeasuredEstimated || r.Leaving.Tokens != 3800 || !r.RangeCause.Empty() {
		t.Errorf("used %d (%v), leaving %+v: %q", r.Used, r.Basis, r.Leaving, r.RangeCause)
	}
	s.Apply(ModelSet{Model: "two"})
	if r := s.Reading(); r.Used != 63_800 || r.Leaving.Tokens != 0 {
		t.Errorf("changed again before a request: used %d, leaving %+v", r.Used, r.Leaving)
	}
	s.Apply(ModelSet{Model: "one"})
	s.Apply(measured(60_500, 0))
	s.Apply(ModelSet{Model: "two"})
	if r := s.Reading(); r.Used != 64_300 {
		t.Errorf("used %d", r.Used)
	}
	ledger := s.Save()
	again, ok := Restore(ledger, plain{})
	if !ok || again.Reading().Used != 64_300 {
		t.Error("the difference is not in the ledger")
	}
}

// TestATokenizersErrorIsNotTheModels checks that a model with another tokenizer gets no shift, and that the range then
// has the tokenizer as its reason.
func TestATokenizersErrorIsNotTheModels(t *testing.T) {
	s := New(Identity{Model: "one"}, dense{"one": 1000, "two": 1300})
	s.Apply(measured(20_000, 0))
	s.Apply(ModelSet{Model: "two"})
	if r := s.Reading(); r.RangeCause.String() != "another tokenizer measured the last prompt" {
		t.Errorf("the reason is %q", r.RangeCause)
	}
	s.Apply(measured(25_000, 0))
	s.Apply(ModelSet{Model: "one"})
	if r := s.Reading(); r.Used != 19_230 {
		t.Errorf("used %d", r.Used)
	}
}

// TestARewindGoesBackToAnEarlierModel checks that a prompt which another model measured is the measured one again with
// that model's difference, also after a restore.
func TestARewindGoesBackToAnEarlierModel(t *testing.T) {
	s := New(Identity{Model: "one"}, plain{})
	s.Apply(Appended{Item{Kind: User, Tokens: 10}})
	s.Apply(measured(60_000, 0))
	s.Apply(ModelSet{Model: "two"})
	s.Apply(Appended{Item{Kind: User, Tokens: 100}})
	s.Apply(measured(63_900, 10))
	again, ok := Restore(s.Save(), plain{})
	if !ok {
		t.Fatal("the ledger is refused")
	}
	for _, s := range []*Session{s, again} {
		s.Apply(Truncated{From: 1})
		if r := s.Reading(); r.Used != 63_800 || r.Basis == Measured {
			t.Errorf("used %d (%v)", r.Used, r.Basis)
		}
	}
}
