// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestImpossibleStatesAreNotRestored checks the bounds of the numbers in a ledger: one with a number beyond them is
// refused.
func TestImpossibleStatesAreNotRestored(t *testing.T) {
	begin := func() *Session {
		s := after(
			fixed(System, 3000), fixed(Documents, 200), item(User, 50), measured(10_000, 500), item(Assistant, 90), TurnStarted{},
			known(FromRecord, Memory, builtIn(300, 0)), measured(11_000, 90), measured(11_500, 90), about(ToolResults, 20, "Read", OfFile, "a.go"), Compacted{Auto: true, Kept: 1, Tokens: Unknown, Before: Unknown}, measured(9000, 10),
		)
		s.turn.calls = 3
		return s
	}
	const most = 1 << 50 // for a number that has only the bound of the codec
	for name, c := range map[string]struct {
		set         func(s *Session, n int64)
		least, most int64
	}{
		"steps":             {func(s *Session, n int64) { s.calibration.record.steps = n }, 0, most},
		"newest":            {func(s *Session, n int64) { s.calibration.record.newest = int(n) }, 0, errorsKept - 1},
		"actual":            {func(s *Session, n int64) { s.calibration.ratio.actual = n }, 1, most},
		"estimated":         {func(s *Session, n int64) { s.calibration.ratio.estimated = n }, 1, most},
		"wide":              {func(s *Session, n int64) { s.calibration.spread.wide[0] = n }, 0, spreadMost},
		"seen":              {func(s *Session, n int64) { s.calibration.spread.seen[spreadKinds-1] = n }, 0, spreadEarly},
		"label":             {func(s *Session, n int64) { s.conversation.items[0].label = uint16(n) }, 0, 1},
		"draft":             {func(s *Session, n int64) { s.conversation.draft.label = uint16(n) }, 0, 1},
		"folded":            {func(s *Session, n int64) { s.conversation.folded = int(n) }, 0, 1},
		"unawaited":         {func(s *Session, n int64) { s.conversation.unawaited = int(n) }, 0, 1<<31 - 1},
		"stride":            {func(s *Session, n int64) { s.history.curve.stride = n }, 0, most},
		"growth":            {func(s *Session, n int64) { s.history.growth.n = n }, 0, most},
		"before":            {func(s *Session, n int64) { s.history.verdicts[0].Before = n }, Unknown, most},
		"threshold":         {func(s *Session, n int64) { s.history.verdicts[0].ThresholdNow = n }, Unknown, most},
		"documents":         {func(s *Session, n int64) { s.fixed.documents.tokens = n }, 0, most},
		"expected":          {func(s *Session, n int64) { s.fixed.memory.expected = n }, 0, most},
		"memory":            {func(s *Session, n int64) { s.fixed.memoryThen = n }, 0, most},
		"prefix read":       {func(s *Session, n int64) { s.prefix.read = n }, 0, most},
		"read later":        {func(s *Session, n int64) { s.prefix.readLater = n }, 0, most},
		"measured with":     {func(s *Session, n int64) { s.prefix.density = n }, 0, most},
		"part":              {func(s *Session, n int64) { s.prefix.parts[0].tokens = n }, 0, MaxTokens},
		"part density":      {func(s *Session, n int64) { s.prefix.parts[0].density = n }, 0, most},
		"part kind":         {func(s *Session, n int64) { s.prefix.parts[0].kind = Kind(n) }, 0, int64(Documents)},
		"request":           {func(s *Session, n int64) { s.requests.list[0].in = n }, 0, most},
		"left":              {func(s *Session, n int64) { s.conversation.left = int(n) }, 0, MaxItems},
		"through":           {func(s *Session, n int64) { s.requests.list[0].through = int(n) }, 0, MaxItems},
		"refused":           {func(s *Session, n int64) { s.requests.refusedAt = n }, Unknown, most},
		"cache":             {func(s *Session, n int64) { s.cache.life = n }, 0, cachesMost},
		"cache used":        {func(s *Session, n int64) { s.cache.used = n }, Unknown, most},
		"cache fixed":       {func(s *Session, n int64) { s.cache.fixed = n }, Unknown, most},
		"cache sent":        {func(s *Session, n int64) { s.cache.sent = n }, Unknown, most},
		"cache ended":       {func(s *Session, n int64) { s.cache.ended = n }, Unknown, most},
		"beyond":            {func(s *Session, n int64) { s.limits.beyond = n }, 0, most},
		"output":            {func(s *Session, n int64) { s.limits.refusedOutput = n }, 0, most},
		"earlier threshold": {func(s *Session, n int64) { s.earlier.compacted = n }, 0, most},
		"earlier ones":      {func(s *Session, n int64) { s.earlier.sessions = n }, 0, most},
		"earlier left":      {func(s *Session, n int64) { s.earlier.landing = n }, 0, most},
		"earlier free":      {func(s *Session, n int64) { s.earlier.reserve = n }, 0, most},
		"shown threshold":   {func(s *Session, n int64) { s.shown.compacted = n }, 0, most},
		"lowered":           {func(s *Session, n int64) { s.shown.lowered = n }, 0, most},
		"short":             {func(s *Session, n int64) { s.shown.short = n }, 0, most},
		"passed":            {func(s *Session, n int64) { s.shown.passed = n }, 0, most},
		"second highest":    {func(s *Session, n int64) { s.shown.highest, s.shown.second = 7, n }, 0, 7},
		"turn":              {func(s *Session, n int64) { s.turn.begun = n }, 0, 3},
		"mode":              {func(s *Session, n int64) { s.calibration.mode = ReasoningMode(n) }, 0, int64(reasoningModes) - 1},
		"modes":             {func(s *Session, n int64) { s.calibration.check.refuted = modeSet(n) }, 0, 1<<reasoningModes - 1},
		"pace":              {func(s *Session, n int64) { s.history.earlier.Turns = n }, 0, pacesMost},
		"phase":             {func(s *Session, n int64) { s.turn.phase = phase(n) }, 0, int64(phases) - 1},
		"activity":          {func(s *Session, n int64) { s.activity.now = Activity(n) }, 0, int64(activities) - 1},
		"declared":          {func(s *Session, n int64) { s.activity.declared = Activity(n) }, 0, int64(activities) - 1},
	} {
		for _, n := range []int64{c.least, c.most} {
			s := begin()
			c.set(s, n)
			if _, ok := Restore(s.Save(), plain{}); !ok {
				t.Errorf("%s: %d is refused", name, n)
			}
		}
		for _, n := range []int64{c.least - 1, c.most + 1} {
			if n > most {
				continue
			}
			s := begin()
			c.set(s, n)
			if _, ok := Restore(s.Save(), plain{}); ok {
				t.Errorf("%s: %d is restored", name, n)
			}
		}
	}
}
