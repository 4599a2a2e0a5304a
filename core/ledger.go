// Copyright The ctx-lsp authors. MIT licence.

package core

// LedgerSchema names the format of a saved ledger. It changes whenever the
// walk below does.
const LedgerSchema = "ctx.ledger/2"

// Ledger is a saved session: numbers and labels in the order of one walk over
// the session, which both saves and restores, so that neither can forget a
// field that the other knows.
type Ledger struct {
	Numbers []int64
	Names   []string
}

// Save copies the session into a ledger. It holds counts and labels only.
func (s *Session) Save() (l Ledger) {
	s.SaveTo(&l)
	return l
}

// SaveTo is Save into a ledger that is used again.
func (s *Session) SaveTo(l *Ledger) {
	t := tape{writing: true, numbers: l.Numbers[:0], names: l.Names[:0]}
	t.session(s)
	l.Numbers, l.Names = t.numbers, t.names
}

// Restore makes a session from a ledger; ok is false when the ledger is
// damaged, or of another version. The compaction rule is the caller's to set
// again, from RuleText and the identity.
func Restore(l Ledger, resolver Resolver) (s *Session, ok bool) {
	s = New(Identity{}, resolver)
	t := tape{numbers: l.Numbers, names: l.Names}
	t.session(s)
	if t.damaged || len(t.numbers) != 0 || len(t.names) != 0 || !s.sound() {
		return nil, false
	}
	s.resolved = s.resolver.Resolve(s.Model, s.Provider, s.Route)
	s.restored = true
	return s, true
}

// sound refuses ledgers whose parts do not fit each other.
func (s *Session) sound() bool {
	if s.through < 0 || s.through > len(s.items) {
		return false
	}
	for i := range s.items {
		at := &s.items[i]
		if at.kind >= kinds || at.basis > MeasuredEstimated || int(at.label) > len(s.labels.names) {
			return false
		}
	}
	for i := range s.requests {
		if r := &s.requests[i]; r.in < 0 || r.through < 0 || r.through > MaxItems {
			return false
		}
	}
	c := &s.calibration
	return s.calibration.mode < reasoningModes && c.estimated > 0 && c.actual > 0 && c.steps >= 0 && c.at >= 0 && c.at < errorsKept &&
		s.titleBy < titlesBy && s.activity.told < activities && s.activity.now < activities && s.growth.n >= 0 && s.Mode <= ProviderOnly && s.draft.kind < kinds && s.draft.basis <= MeasuredEstimated && s.replacedBasis <= MeasuredEstimated
}

// tape walks a session in one order, writing or reading.
type tape struct {
	writing bool
	numbers []int64
	names   []string
	damaged bool
}

func (t *tape) int(p *int64) {
	if t.writing {
		t.room(1)[0] = *p
		return
	}
	if len(t.numbers) == 0 {
		t.damaged = true
		return
	}
	*p, t.numbers = t.numbers[0], t.numbers[1:]
	if *p > 1<<56 || *p < -1<<56 {
		t.damaged, *p = true, 0
	}
}

// room adds n numbers to be filled in. The slice only ever grows in place: a collector that is at work wants to know of
// every pointer that is written, and a new length is none.
func (t *tape) room(n int) []int64 {
	from := len(t.numbers)
	if cap(t.numbers)-from < n {
		t.numbers = append(make([]int64, 0, 2*cap(t.numbers)+n+512), t.numbers...)
	}
	t.numbers = t.numbers[:from+n]
	return t.numbers[from:]
}

func (t *tape) ints(list []int64) {
	if t.writing {
		copy(t.room(len(list)), list)
		return
	}
	for i := range list {
		t.int(&list[i])
	}
}

// count is the length of a list, bounded when it is read.
func (t *tape) count(n, most int) int {
	v := int64(n)
	t.int(&v)
	if v < 0 || v > int64(most) {
		t.damaged = true
		return 0
	}
	return int(v)
}

func (t *tape) size(p *int) {
	v := int64(*p)
	t.int(&v)
	*p = int(v)
	if v < -1<<31 || v > 1<<31-1 {
		t.damaged, *p = true, 0
	}
}

func (t *tape) byte(p *uint8) {
	v := int64(*p)
	t.int(&v)
	if v < 0 || v > 255 {
		t.damaged, v = true, 0
	}
	*p = uint8(v)
}

func (t *tape) bool(p *bool) {
	v := uint8(0)
	if *p {
		v = 1
	}
	t.byte(&v)
	*p = v == 1
}

// hash travels in halves, because JSON numbers of 64 bits do not survive
// every reader.
func (t *tape) hash(p *uint64) {
	high, low := int64(*p>>32), int64(*p&(1<<32-1))
	t.int(&high)
	t.int(&low)
	*p = uint64(high)<<32 | uint64(low)&(1<<32-1)
}

func (t *tape) name(p *string) {
	if t.writing {
		t.names = append(t.names, *p)
		return
	}
	if len(t.names) == 0 {
		t.damaged = true
		return
	}
	*p, t.names = t.names[0], t.names[1:]
}

func (t *tape) basis(p *Basis) { t.byte((*uint8)(p)) }

func (t *tape) slot(p *slot) {
	if t.writing {
		to := t.room(5)
		to[0], to[1], to[2], to[3], to[4] = int64(p.tokens), int64(p.label), int64(p.kind), int64(p.basis), int64(p.flags)
		return
	}
	tokens, label := int64(p.tokens), int64(p.label)
	t.int(&tokens)
	t.int(&label)
	if tokens < 0 || tokens > 1<<32-1 || label < 0 || label > MaxLabels {
		t.damaged, tokens, label = true, 0, 0
	}
	p.tokens, p.label = uint32(tokens), uint16(label)
	t.byte((*uint8)(&p.kind))
	t.basis(&p.basis)
	t.byte(&p.flags)
}

func (t *tape) session(s *Session) {
	for _, p := range [...]*string{&s.ID, &s.Agent, &s.AgentVersion, &s.Model, &s.Provider, &s.Route, &s.Workspace, &s.Label, &s.Parent, &s.RuleText, &s.Title, &s.Branch, &s.activity.toldFor, &s.activity.nowFor} {
		t.name(p)
	}
	t.byte((*uint8)(&s.Mode))
	t.int(&s.Reserve)
	t.int(&s.now)
	t.byte((*uint8)(&s.titleBy))
	t.byte((*uint8)(&s.activity.told))
	t.byte((*uint8)(&s.activity.now))
	t.int(&s.activity.since)
	t.int(&s.activity.begun)
	t.limits(s)
	t.fixed(s)
	t.conversation(s)
	t.requests(s)
	t.state(s)
	t.calibration(&s.calibration)
	t.int(&s.growth.n)
	t.ints(s.growth.ring[:])
	t.curve(&s.curve)
	t.warnings(&s.warnings)
}

func (t *tape) limits(s *Session) {
	for i := range s.limits {
		l := &s.limits[i]
		t.int(&l.Window)
		t.int(&l.Input)
		t.int(&l.Output)
		t.int(&s.limitSeen[i])
	}
	t.int(&s.sequence)
}

func (t *tape) fixed(s *Session) {
	for k := range s.fixed {
		n := t.count(len(s.fixed[k]), 10_000)
		if !t.writing {
			s.fixed[k] = nil
		}
		for i := 0; i < n && !t.damaged; i++ {
			if !t.writing {
				s.fixed[k] = append(s.fixed[k], fixedPart{})
			}
			p := &s.fixed[k][i]
			t.name(&p.label)
			t.int(&p.tokens)
			t.basis(&p.basis)
			t.bool(&p.deferred)
			if p.basis > MeasuredEstimated {
				t.damaged = true
			}
		}
	}
	t.ints(s.fixedSum[:])
	t.ints(s.fixedThen[:])
	t.bool(&s.documentsFresh)
}

func (t *tape) conversation(s *Session) {
	names := t.count(len(s.labels.names), MaxLabels)
	for i := 0; i < names && !t.damaged; i++ {
		name := ""
		if t.writing {
			name = s.labels.names[i]
		}
		t.name(&name)
		if !t.writing {
			s.labels.restore(name)
		}
	}
	n := t.count(len(s.items), MaxItems)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			s.items = append(s.items, slot{})
		}
		t.slot(&s.items[i])
	}
	t.size(&s.through)
	t.ints(s.rows[:])
	t.ints(s.counts[:])
	p := &s.pending
	t.ints(p.rows[:])
	t.ints(p.reply[:])
	for k := range s.basis {
		t.basis(&s.basis[k])
		t.basis(&p.basis[k])
		if s.basis[k] > MeasuredEstimated || p.basis[k] > MeasuredEstimated {
			t.damaged = true
		}
	}
	t.int(&p.thinking)
	t.int(&p.thinkingPast)
	t.basis(&p.thinkingBasis)
	t.bool(&s.replyOver)
	if p.thinkingBasis > MeasuredEstimated {
		t.damaged = true
	}
	t.int(&p.given)
	t.int(&p.estimated)
	for _, n := range [...]*int{&p.items, &p.results, &p.users, &p.replyItems, &p.replyGiven, &p.reasoning} {
		t.size(n)
	}
	t.slot(&s.draft)
}

// restore adds a label at the end, whatever it is: positions matter.
func (l *labels) restore(name string) {
	if l.index == nil {
		l.index = make(map[uint64]uint16)
	}
	l.names = append(l.names, name)
	l.index[hash(name)] = uint16(len(l.names))
}

func (t *tape) requests(s *Session) {
	n := t.count(len(s.requests), maxRequests)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			s.requests = append(s.requests, request{})
		}
		r := &s.requests[i]
		t.hash(&r.id)
		for _, p := range [...]*int64{&r.in, &r.out, &r.reasoning, &r.cacheRead, &r.cacheWrite, &r.turn, &r.replyAssistant, &r.replyCalls, &r.replyReasoning, &r.thinking, &r.thinkings} {
			t.int(p)
		}
		t.size(&r.through)
		t.byte(&r.flags)
	}
	t.reasons(&s.leaving)
	t.past(&s.past)
}

func (t *tape) past(h *past) {
	n := t.count(len(h.surroundings), surroundingsKept)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			h.surroundings = append(h.surroundings, surroundings{})
		}
		p := &h.surroundings[i]
		t.size(&p.request)
		t.ints(p.fixed[:])
		t.int(&p.density)
	}
	n = t.count(len(h.edits), editsKept)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			h.edits = append(h.edits, edit{})
		}
		p := &h.edits[i]
		t.size(&p.index)
		t.size(&p.requests)
		t.int(&p.was)
		t.int(&p.is)
		t.basis(&p.basis)
		t.name(&p.why)
		if p.basis > MeasuredEstimated {
			t.damaged = true
		}
	}
}

func (t *tape) reasons(list *reasons) {
	n := t.count(len(*list), 64)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			*list = append(*list, reason{})
		}
		t.name(&(*list)[i].why)
		t.int(&(*list)[i].tokens)
	}
}

func (t *tape) state(s *Session) {
	for _, p := range [...]*int64{
		&s.adjusted, &s.replaced, &s.turn, &s.turnReasoning, &s.turnCalls, &s.densityThen, &s.base, &s.firstIn, &s.afterBase,
		&s.afterFirst, &s.compactions, &s.spent.Calls, &s.spent.In, &s.spent.Out, &s.spent.CacheRead, &s.spent.CacheWrite, &s.spent.Reasoning, &s.agentOwn.Hundredths,
		&s.dropped, &s.droppedItems, &s.inflation, &s.taught, &s.taughtAfter,
	} {
		t.int(p)
	}
	t.basis(&s.replacedBasis)
	t.size(&s.turnReasonings)
	for _, p := range [...]*bool{&s.turnOpen, &s.turnOver, &s.turnsExplicit, &s.waiting, &s.resumed, &s.toolsChanged, &s.itemisedLate, &s.landed, &s.hasAgentOwn, &s.steered, &s.inflationStays, &s.undescribed, &s.calibration.steerKeeps} {
		t.bool(p)
	}
	t.name(&s.agentOwn.Label)
}

func (t *tape) calibration(c *calibration) {
	t.byte((*uint8)(&c.mode))
	t.bool(&c.fixed)
	t.ints(c.score[:])
	for _, p := range [...]*int64{&c.actual, &c.estimated, &c.last.Call, &c.last.Predicted, &c.last.Actual, &c.steps, &c.median, &c.p90, &c.p95, &c.p95Share} {
		t.int(p)
	}
	t.name(&c.last.Kind)
	t.name(&c.last.Model)
	t.name(&c.cause)
	t.bool(&c.has)
	t.size(&c.at)
	t.ints(c.errors[:])
	t.ints(c.shares[:])
	t.ints(c.framing.ring[:])
	t.int(&c.framing.n)
	t.int(&c.framing.offset)
}

func (t *tape) curve(c *curve) {
	n := t.count(len(c.points), pointsKept+1)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			c.points = append(c.points, Point{})
		}
		p := &c.points[i]
		t.int(&p.At)
		t.int(&p.Call)
		t.int(&p.Used)
	}
	n = t.count(len(c.landings), compactionsKept)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			c.landings = append(c.landings, Landing{})
		}
		l := &c.landings[i]
		t.int(&l.At)
		t.int(&l.Call)
		t.int(&l.Before)
		t.int(&l.After)
		t.bool(&l.Auto)
	}
	t.int(&c.stride)
	if c.stride < 0 {
		t.damaged = true
	}
}

func (t *tape) warnings(w *warnings) {
	n := t.count(len(w.list), warningsKept)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			w.list, w.times = append(w.list, ""), append(w.times, 0)
		}
		t.name(&w.list[i])
		t.int(&w.times[i])
	}
	t.int(&w.dropped)
	t.int(&w.records)
	t.int(&w.bytes)
	t.reasons(&w.skippedForms)
}
