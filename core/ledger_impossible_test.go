// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestImpossibleStatesAreNotRestored checks that a ledger with an impossible number is refused.
func TestImpossibleStatesAreNotRestored(t *testing.T) {
	begin := func() *Session {
		return after(
			fixed(System, 3000), fixed(Documents, 200), item(User, 50), measured(10_000, 500), item(Assistant, 90),
			known(FromRecord, Memory, builtIn(300, 0)), measured(11_000, 90),
		)
	}
	if _, ok := Restore(begin().Save(), plain{}); !ok {
		t.Fatal("a possible state is refused")
	}
	for name, spoil := range map[string]func(*Session){
		"steps":        func(s *Session) { s.calibration.record.steps = -1 },
		"actual":       func(s *Session) { s.calibration.ratio.actual = 0 },
		"estimated":    func(s *Session) { s.calibration.ratio.estimated = 0 },
		"label":        func(s *Session) { s.conversation.items[0].label = uint16(len(s.conversation.labels.list) + 1) },
		"draft":        func(s *Session) { s.conversation.draft.label = uint16(len(s.conversation.labels.list) + 1) },
		"folded":       func(s *Session) { s.conversation.folded = len(s.conversation.items) + 1 },
		"negative":     func(s *Session) { s.conversation.folded = -1 },
		"unawaited":    func(s *Session) { s.conversation.unawaited = -1 },
		"stride":       func(s *Session) { s.history.curve.stride = -1 },
		"documents":    func(s *Session) { s.fixed.documents.tokens = -1 },
		"expected":     func(s *Session) { s.fixed.documents.expected = -1 },
		"memory":       func(s *Session) { s.fixed.memoryThen = -1 },
		"framing":      func(s *Session) { s.calibration.framing.n = -1 },
		"growth":       func(s *Session) { s.history.growth.n = -1 },
		"prefix read":  func(s *Session) { s.prefix.read = -1 },
		"density":      func(s *Session) { s.prefix.density = -1 },
		"part density": func(s *Session) { s.prefix.parts[0].density = -1 },
		"part kind":    func(s *Session) { s.prefix.parts[0].kind = User },
		"request":      func(s *Session) { s.requests.list[0].in = -1 },
		"refused":      func(s *Session) { s.requests.refusedAt = Unknown - 1 },
		"spread":       func(s *Session) { s.calibration.spread.wide[0] = -1 },
		"wide":         func(s *Session) { s.calibration.spread.wide[0] = spreadMost + 1 },
		"upstream":     func(s *Session) { s.calibration.upstreams.now = -1 },
		"no upstream":  func(s *Session) { s.calibration.upstreams.now = len(s.calibration.upstreams.list) + 1 },
	} {
		s := begin()
		spoil(s)
		if _, ok := Restore(s.Save(), plain{}); ok {
			t.Errorf("%s: the ledger is restored", name)
		}
	}
	for name, most := range map[string]func(*Session){
		"folded":   func(s *Session) { s.conversation.folded = len(s.conversation.items) },
		"wide":     func(s *Session) { s.calibration.spread.wide[0] = spreadMost },
		"refused":  func(s *Session) { s.requests.refusedAt = Unknown },
		"label":    func(s *Session) { s.conversation.items[0].label = uint16(len(s.conversation.labels.list)) },
		"upstream": func(s *Session) { s.calibration.upstreams.now = len(s.calibration.upstreams.list) },
	} {
		s := begin()
		most(s)
		if _, ok := Restore(s.Save(), plain{}); !ok {
			t.Errorf("%s: the largest possible number is refused", name)
		}
	}
}
