// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// talk returns a conversation with items of the given kinds, 10 tokens each.
func talk(kinds ...Kind) *conversation {
	c := &conversation{draft: noDraft}
	for _, k := range kinds {
		c.append(storedItem{tokens: 10, kind: k, basis: Counted})
	}
	return c
}

func TestAnItemIsMeasuredOnce(t *testing.T) {
	text := []byte("12345678")
	for _, c := range []struct {
		name   string
		item   Item
		tokens uint32
		basis  Basis
		flags  uint16
	}{
		{"given", Item{Tokens: 7}, 7, Counted, 0},
		{"counted from text", Item{Tokens: Unknown, Text: text}, 2, Estimated, slotText},
		{"wrapped by the agent", Item{Tokens: 7, Wrapping: 5}, 12, Estimated, 0},
		{"sent shorter than it counts", Item{Tokens: 7, Wrapping: -9}, 0, Counted, 0},
		{"too long for a slot", Item{Tokens: MaxTokens}, 1<<32 - 1, Counted, 0},
		{"hidden", Item{Tokens: 7, Hidden: true}, 7, Counted, slotHidden},
		{"of another answer", Item{Tokens: 7, NotReply: true}, 7, Counted, slotNotReply},
	} {
		got := new(conversation).measure(&c.item, plain{})
		if got.tokens != c.tokens || got.basis != c.basis || got.flags != c.flags {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	var c conversation
	labelled := c.measure(&Item{Tokens: 1, Name: "read", Label: Named("main.go")}, plain{})
	named := c.measure(&Item{Tokens: 1, Name: "read"}, plain{})
	again := c.measure(&Item{Tokens: 1, Label: Named("main.go")}, plain{})
	if c.labels.named(labelled.label).shown.String() != "main.go" || c.labels.named(named.label).shown.String() != "read" || again.label != labelled.label || len(c.labels.list) != 2 {
		t.Errorf("labels %+v", c.labels.list)
	}
}

func TestAPromptEndsBeforeTheAnswerThatCameBeforeItsUsage(t *testing.T) {
	edited := talk(User, Assistant)
	edited.items[1].flags = slotNotReply
	for _, c := range []struct {
		name    string
		talk    *conversation
		through int // -1 if not given
		want    int
	}{
		{"a question", talk(User), -1, 1},
		{"a question and its answer", talk(User, Reasoning, Assistant, ToolCalls), -1, 1},
		{"a tool's result", talk(User, ToolCalls, ToolResults), -1, 1},
		{"an answer that the model did not give", edited, -1, 2},
		{"the caller knows", talk(User, Assistant, User, Assistant), 3, 3},
		{"the caller says more than there is", talk(User), 5, 5},
	} {
		m := NewMetered()
		m.Through, m.ThroughSet = max(c.through, 0), c.through >= 0
		s := New(Identity{}, plain{})
		s.conversation = *c.talk
		if got := s.promptEnd(&m); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		c.talk.answer(c.want, len(c.talk.items))
		for i, at := range c.talk.items {
			if reply := at.has(slotReply); reply != (i >= c.want && at.canBeReply()) {
				t.Errorf("%s: item %d as a reply: %v", c.name, i, reply)
			}
		}
	}
}

func TestFoldingMovesItemsIntoRows(t *testing.T) {
	c := talk(User, ToolResults, ToolResults, User)
	moved := c.fold(3, ReasoningTurn)
	if c.folded != 3 || c.rows.tokens[ToolResults] != 20 || c.rows.items[ToolResults] != 2 || c.rows.total() != 30 {
		t.Errorf("%d folded, rows %v", c.folded, c.rows.tokens)
	}
	if moved.rows[ToolResults] != 20 || moved.items != 3 || c.pending.rows[User] != 10 || c.pending.items != 1 {
		t.Errorf("moved %+v, pending %+v", moved, c.pending)
	}
	c.fold(10, ReasoningTurn)
	if c.pending != (pending{}) {
		t.Errorf("something is pending when all is folded: %+v", c.pending)
	}
}

// TestRepliesAreFoldedByWhatTheyCost checks that the counts of a reply's items are not in the rows, because the
// provider's number replaces them.
func TestRepliesAreFoldedByWhatTheyCost(t *testing.T) {
	c := talk(User, Reasoning, Assistant)
	c.answer(1, len(c.items))
	c.fold(1, ReasoningTurn)
	if c.pending.reply[Assistant] != 10 || c.pending.replyItems != 2 || c.pending.replyReasoningItems != 1 || c.pending.items != 0 {
		t.Fatalf("%+v", c.pending)
	}
	c.append(storedItem{tokens: 5, kind: User, basis: Counted})
	c.fold(4, ReasoningTurn)
	if c.rows.total() != 15 {
		t.Errorf("rows %v", c.rows.tokens)
	}
	share := replyShare{replyRows{30, 0, 12}, Estimated}
	c.rows.addReply(&share)
	if c.rows.total() != 57 || c.rows.basis[Assistant] != Estimated || c.rows.basis[Reasoning] != Measured || c.rows.basis[ToolCalls] != BasisUnknown {
		t.Errorf("rows %v of %v", c.rows.tokens, c.rows.basis)
	}
	c.rows.removeReply(&share.replyRows)
	if c.rows.total() != 15 {
		t.Errorf("rows %v after the reply was taken back", c.rows.tokens)
	}
}

func TestReasoningWithoutUsageIsSentAgainAsTheModeSays(t *testing.T) {
	c := talk(Reasoning, User)
	c.closeReasoning()
	c.append(storedItem{tokens: 7, kind: Reasoning, basis: Estimated})
	u := &c.pending.unmeasured
	for mode, want := range map[ReasoningMode]int64{ReasoningNever: 0, ReasoningTurn: 7, ReasoningAlways: 17} {
		if got := u.resent(mode); got != want {
			t.Errorf("mode %v: %d, want %d", mode, got, want)
		}
	}
	if u.basis != Estimated {
		t.Errorf("basis %v", u.basis)
	}
	c.fold(3, ReasoningTurn)
	if c.rows.tokens[Reasoning] != 7 || !c.items[0].has(slotRemoved) {
		t.Errorf("rows %v: reasoning of an earlier turn stays", c.rows.tokens)
	}
}

func TestTakingItemsBackLeavesTheSumsOfTheRest(t *testing.T) {
	c := talk(User, ToolResults, Media, User, User)
	c.fold(4, ReasoningTurn)
	c.truncate(3, 2)
	if len(c.items) != 3 || c.folded != 2 || c.rows.total() != 20 || c.pending.rows[Media] != 10 || c.pending.items != 1 {
		t.Errorf("%d items, %d folded, rows %v, pending %v", len(c.items), c.folded, c.rows.tokens, c.pending.rows)
	}
}

func TestACompactionKeepsTheLastItemsAsPending(t *testing.T) {
	for _, n := range []int{-1, 0, 2, 4, 9} {
		c := talk(User, ToolResults, Media, User)
		c.items[2].flags |= slotReply
		c.fold(4, ReasoningTurn)
		want := slices.Clone(c.items[4-min(max(n, 0), 4):])
		c.keepLast(n, nil, nil, nil)
		for i := range want {
			want[i].flags = 0
		}
		if !slices.Equal(c.items, want) || c.folded != 0 || c.rows.total() != 0 || c.pending.items != len(want) {
			t.Errorf("the last %d: %v, %d folded, %d pending", n, c.items, c.folded, c.pending.items)
		}
	}
}

// TestWhatIsSubtractedFromPendingWasInIt adds random items and subtracts them.
func TestWhatIsSubtractedFromPendingWasInIt(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var p pending
	var all []storedItem
	for range 500 {
		at := storedItem{tokens: r.Uint32N(1000), kind: Kind(r.IntN(int(kinds))), basis: [...]Basis{Counted, Estimated}[r.IntN(2)], flags: uint16(r.IntN(64))}
		all = append(all, at)
		p.add(at, 1)
	}
	for _, at := range all {
		p.add(at, -1)
	}
	p.basis, p.unmeasured.basis = [kinds]Basis{}, BasisUnknown // a basis is not subtracted
	if p != (pending{}) {
		t.Errorf("left over: %+v", p)
	}
}

// TestWhatWasSentWithoutARecordIsAnEstimate checks that the usual size of a hidden summary is not shown as counted:
// while it is new, once it is measured, and after a restore.
func TestWhatWasSentWithoutARecordIsAnEstimate(t *testing.T) {
	s := New(Identity{ID: "a"}, plain{})
	s.Apply(measured(10_000, 20))
	s.Apply(Compacted{Tokens: Unknown, Before: Unknown})
	s.Apply(Appended{Item{Kind: Summary, Tokens: 2200, Hidden: true}})
	basis := func(s *Session) Basis {
		for _, row := range s.Reading().Breakdown {
			if row.Kind == Summary {
				return row.Basis
			}
		}
		return BasisUnknown
	}
	for _, when := range []string{"new", "measured"} {
		again, ok := Restore(s.Save(), plain{})
		if got := basis(s); got != Estimated || !ok || basis(again) != Estimated || s.Largest(1)[0].Basis != Estimated {
			t.Errorf("%s: %v, restored %v, among the largest %v", when, got, basis(again), s.Largest(1)[0].Basis)
		}
		s.Apply(measured(12_300, 20))
	}
}

// sizesOf returns the sizes of a conversation's items in order, without those that were removed.
func sizesOf(s *Session) string {
	sizes := []int64{}
	for i := range s.conversation.items {
		if it := s.Received(i); !it.Absent {
			sizes = append(sizes, it.Tokens)
		}
	}
	return fmt.Sprint(sizes)
}

// TestACompactionLeavesTheseItems checks which items are left and in which order: the head, the remaining ones, the
// last ones, and the summary.
func TestACompactionLeavesTheseItems(t *testing.T) {
	head := []Appended{item(System, 70), item(User, 80)}
	summary := Item{Kind: User, Tokens: 90}
	for _, c := range []struct {
		compacted Compacted
		want      string
	}{
		{Compacted{}, "[]"},
		{Compacted{Kept: 2}, "[4 5]"},
		{Compacted{Kept: 9}, "[1 2 3 4 5]"},
		{Compacted{Kept: -1}, "[]"},
		{Compacted{Kept: 2, Summary: &summary}, "[4 5 90]"},
		{Compacted{Kept: 2, Remaining: []int{0, 2}}, "[1 3 4 5]"},
		{Compacted{Kept: 2, Remaining: []int{2, 3, 4, 9, -1}}, "[3 4 5]"},
		{Compacted{Remaining: []int{4, 0}}, "[5 1]"},
		{Compacted{Kept: 2, Head: head}, "[70 80 4 5]"},
		{Compacted{Kept: 1, Remaining: []int{1}, Head: head, Summary: &summary}, "[70 80 2 5 90]"},
	} {
		s := after(item(User, 1), item(Assistant, 2), item(User, 3), item(ToolCalls, 4), item(ToolResults, 5))
		c.compacted.Tokens, c.compacted.Before = Unknown, Unknown
		if s.Apply(c.compacted); sizesOf(s) != c.want {
			t.Errorf("%+v leaves %s, want %s", c.compacted, sizesOf(s), c.want)
		}
	}
}

// TestAnItemIsInsertedWhereItBelongs checks the order of items, and how much an item before, inside and after a
// measured prompt adds to the next one.
func TestAnItemIsInsertedWhereItBelongs(t *testing.T) {
	for _, c := range []struct {
		index    int
		inPrompt bool
		want     string
		used     int64
	}{
		{0, false, "[100 1 2 3 4]", 10_000 + 50 + 3 + 4 + 100},
		{1, false, "[1 100 2 3 4]", 10_000 + 50 + 3 + 4 + 100},
		{1, true, "[1 100 2 3 4]", 10_000 + 50 + 3 + 4},
		{3, false, "[1 2 3 100 4]", 10_000 + 50 + 3 + 4 + 100},
		{4, false, "[1 2 3 4 100]", 10_000 + 50 + 3 + 4 + 100},
		{5, false, "[1 2 3 4]", 10_000 + 50 + 3 + 4},
		{-1, false, "[1 2 3 4]", 10_000 + 50 + 3 + 4},
	} {
		s := after(item(User, 1), item(User, 2), measured(10_000, 50), item(ToolResults, 3), item(ToolResults, 4))
		s.Apply(Inserted{Index: c.index, Item: Item{Kind: ToolResults, Tokens: 100}, InPrompt: c.inPrompt})
		if r := s.Reading(); sizesOf(s) != c.want || r.Used != c.used {
			t.Errorf("at %d, in the prompt %t: %s and %d tokens, want %s and %d", c.index, c.inPrompt, sizesOf(s), r.Used, c.want, c.used)
		}
	}
}

// TestARewindLeavesAnAnswerOutstanding checks that what the model says after a rewind is the response to the last
// request if none of it came before the place that was rewound to.
func TestARewindLeavesAnAnswerOutstanding(t *testing.T) {
	s := after(item(User, 50), measured(10_000, 100), item(User, 60), item(User, 70), Truncated{2}, item(Assistant, 100))
	if used := s.Reading().Used; used != 10_160 {
		t.Errorf("used %d", used)
	}
	s = after(item(User, 50), measured(10_000, 100), item(Assistant, 100), item(User, 60), item(User, 70), Truncated{3}, item(Assistant, 100))
	if used := s.Reading().Used; used != 10_260 {
		t.Errorf("used %d after a response and a further one that was not measured", used)
	}
}
