// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// arrayHost returns the session of a host that has sent its whole conversation: 1,000 tokens of its prompt are in no
// item.
func arrayHost(t *testing.T) *Session {
	t.Helper()
	s := New(Identity{Model: "one"}, plain{})
	sync(s, item(User, 100))
	s.Apply(measured(1100, 50))
	sync(s, item(Assistant, 50), item(User, 2000))
	if r := s.Reading(); r.Used != 3150 || !r.RangeCause.Empty() {
		t.Fatalf("used %d: %q", r.Used, r.RangeCause)
	}
	return s
}

// sync passes the items that are new in the host's array.
func sync(s *Session, items ...Appended) {
	s.Apply(Synced{Items: items})
	for i := range items {
		s.Apply(&items[i])
	}
	s.Apply(SyncEnded{})
}

// TestWhatNothingExplainsNeedsTwoPrompts checks that a prompt with more tokens than its items explain gives the next
// number a mark, a range and a reason, and that a second one with as many more takes them away.
func TestWhatNothingExplainsNeedsTwoPrompts(t *testing.T) {
	s := arrayHost(t)
	s.Apply(measured(3950, 10))
	if r := s.Reading(); r.Used != 3960 || r.Low != r.Used {
		t.Errorf("measured: used %d, at least %d", r.Used, r.Low)
	}
	sync(s, item(Assistant, 10), item(User, 300))
	again, ok := Restore(s.Save(), plain{})
	if !ok {
		t.Fatal("the ledger is refused")
	}
	for _, s := range []*Session{s, again} {
		if r := s.Reading(); r.Used != 4260 || r.Basis == Measured || r.Low > 3460 || r.RangeCause.String() != "the last usage and the messages do not agree" {
			t.Errorf("used %d (%v), at least %d: %q", r.Used, r.Basis, r.Low, r.RangeCause)
		}
		s.Apply(measured(4260, 10))
		if r := s.Reading(); r.Used != 4270 || r.Low != r.Used || !r.RangeCause.Empty() {
			t.Errorf("confirmed: used %d, at least %d: %q", r.Used, r.Low, r.RangeCause)
		}
	}
}

// TestItemsExplainWhereAPromptEnded checks that a prompt that later items explain ended after them.
func TestItemsExplainWhereAPromptEnded(t *testing.T) {
	s := arrayHost(t)
	s.Apply(Synced{})
	s.Apply(item(Assistant, 20))
	s.Apply(item(User, 700))
	s.Apply(item(Assistant, 30))
	early := measured(3870, 30) // that of all but the last response
	early.InArray, early.Through, early.ThroughSet = true, 3, true
	s.Apply(early)
	if used := s.Reading().Used; used == 3900 {
		t.Fatal("the usage is for the right prompt already")
	}
	s.Apply(SyncEnded{})
	if r := s.Reading(); r.Used != 3900 || !r.RangeCause.Empty() {
		t.Errorf("used %d: %q", r.Used, r.RangeCause)
	}
}

// TestWithoutAPromptNothingElseChanges checks that what was measured before decides if a host's array changes what
// nothing explains, and that the range contains both numbers.
func TestWithoutAPromptNothingElseChanges(t *testing.T) {
	s := arrayHost(t)
	s.changes.adjust(-900, Named("counted twice"))
	sync(s)
	if r := s.Reading(); r.Used != 3150 || r.Low > 2250 || r.RangeCause.Empty() {
		t.Errorf("used %d, at least %d: %q", r.Used, r.Low, r.RangeCause)
	}
}

// TestEstimatesDecideNothing checks that estimated texts and records of agents cast no doubt on a usage.
func TestEstimatesDecideNothing(t *testing.T) {
	for _, change := range []func(s *Session){
		func(s *Session) { s.transcribed = true },
		func(s *Session) { s.conversation.rows.basis[User] = Estimated },
		func(s *Session) { s.Apply(ModelSet{Model: "two"}) },
	} {
		s := arrayHost(t)
		change(s)
		s.Apply(measured(3950, 10))
		sync(s, item(Assistant, 10), item(User, 300))
		if r := s.Reading(); r.Used != 4260 || r.RangeCause.String() == "the last usage and the messages do not agree" {
			t.Errorf("used %d (%v): %q", r.Used, r.Basis, r.RangeCause)
		}
	}
}
