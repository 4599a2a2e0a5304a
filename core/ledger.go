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
	w := walker{writing: true, numbers: l.Numbers[:0], names: l.Names[:0]}
	w.session(s)
	l.Numbers, l.Names = w.numbers, w.names
}

// Restore makes a session from a ledger; ok is false when the ledger is
// damaged, or of another version. The compaction rule is the caller's to set
// again, from RuleText and the identity.
func Restore(l Ledger, resolver Resolver) (s *Session, ok bool) {
	s = New(Identity{}, resolver)
	w := walker{numbers: l.Numbers, names: l.Names}
	w.session(s)
	if w.damaged || len(w.numbers) != 0 || len(w.names) != 0 || !s.sound() {
		return nil, false
	}
	s.resolved = s.resolver.Resolve(s.Model, s.Provider, s.Route)
	s.requests.restored = true
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
	c := &s.calibration
	return s.calibration.mode < reasoningModes && c.estimated > 0 && c.actual > 0 && c.steps >= 0 && c.at >= 0 && c.at < errorsKept &&
		s.titleBy < titlesBy && s.Mode <= ProviderOnly && s.draft.kind < kinds && s.draft.basis <= MeasuredEstimated && s.changes.replacedBasis <= MeasuredEstimated
}

func (w *walker) slot(p *slot) {
	if w.writing {
		to := w.grow(5)
		to[0], to[1], to[2], to[3], to[4] = int64(p.tokens), int64(p.label), int64(p.kind), int64(p.basis), int64(p.flags)
		return
	}
	tokens, label := int64(p.tokens), int64(p.label)
	w.int(&tokens)
	w.int(&label)
	if tokens < 0 || tokens > 1<<32-1 || label < 0 || label > MaxLabels {
		w.damaged, tokens, label = true, 0, 0
	}
	p.tokens, p.label = uint32(tokens), uint16(label)
	w.byte((*uint8)(&p.kind))
	w.basis(&p.basis)
	w.byte(&p.flags)
}

func (w *walker) session(s *Session) {
	for _, p := range [...]*string{&s.ID, &s.Agent, &s.AgentVersion, &s.Model, &s.Provider, &s.Route, &s.Workspace, &s.Label, &s.Parent, &s.RuleText, &s.Title, &s.Branch} {
		w.name(p)
	}
	w.byte((*uint8)(&s.Mode))
	w.int(&s.Reserve)
	w.int(&s.now)
	w.byte((*uint8)(&s.titleBy))
	s.activity.walk(w)
	s.limits.walk(w)
	s.fixed.walk(w)
	w.conversation(s)
	s.requests.walk(w)
	s.changes.leaving.walk(w)
	s.fixed.walkEarlier(w)
	w.past(&s.past)
	w.inOrder(stateOrder[:], s.walkState)
	w.calibration(&s.calibration)
	s.history.growth.walk(w)
	s.history.curve.walk(w)
	s.warnings.walk(w)
}

func (w *walker) conversation(s *Session) {
	names := w.length(len(s.labels.names), MaxLabels)
	for i := 0; i < names && !w.damaged; i++ {
		name := ""
		if w.writing {
			name = s.labels.names[i]
		}
		w.name(&name)
		if !w.writing {
			s.labels.restore(name)
		}
	}
	n := w.length(len(s.items), MaxItems)
	for i := 0; i < n && !w.damaged; i++ {
		if !w.writing {
			s.items = append(s.items, slot{})
		}
		w.slot(&s.items[i])
	}
	w.size(&s.through)
	w.ints(s.rows[:])
	w.ints(s.counts[:])
	p := &s.pending
	w.ints(p.rows[:])
	w.ints(p.reply[:])
	for k := range s.basis {
		w.basis(&s.basis[k])
		w.basis(&p.basis[k])
		if s.basis[k] > MeasuredEstimated || p.basis[k] > MeasuredEstimated {
			w.damaged = true
		}
	}
	w.int(&p.thinking)
	w.int(&p.thinkingPast)
	w.basis(&p.thinkingBasis)
	w.bool(&s.replyOver)
	if p.thinkingBasis > MeasuredEstimated {
		w.damaged = true
	}
	w.int(&p.given)
	w.int(&p.estimated)
	for _, n := range [...]*int{&p.items, &p.results, &p.users, &p.replyItems, &p.replyGiven, &p.reasoning} {
		w.size(n)
	}
	w.slot(&s.draft)
}

// restore adds a label at the end, whatever it is: positions matter.
func (l *labels) restore(name string) {
	if l.index == nil {
		l.index = make(map[uint64]uint16)
	}
	l.names = append(l.names, name)
	l.index[hash(name)] = uint16(len(l.names))
}

func (w *walker) past(h *past) {
	n := w.length(len(h.edits), editsKept)
	for i := 0; i < n && !w.damaged; i++ {
		if !w.writing {
			h.edits = append(h.edits, edit{})
		}
		p := &h.edits[i]
		w.size(&p.index)
		w.size(&p.requests)
		w.int(&p.was)
		w.int(&p.is)
		w.basis(&p.basis)
		w.name(&p.why)
		if p.basis > MeasuredEstimated {
			w.damaged = true
		}
	}
}

// stateOrder is where the format has the numbers of walkState: it keeps the
// order in which they came to be.
var stateOrder = [...]uint8{
	0, 1, 23, 29, 30, 34, // changes
	2, 3, 4, 18, 19, 24, 25, 26, 27, 28, // turn
	5, 36, // fixed rows
	6, 7, 8, 9, 21, 22, 31, // residual
	10, 11, 12, 13, 14, 15, 16, 32, // history
	20, 35, // inflation
	17, 33, // the agent's own percentage
	37, // calibration
}

// walkState walks what the components keep beside lists.
func (s *Session) walkState(w *walker) {
	s.changes.walk(w)
	s.turn.walk(w)
	s.fixed.walkState(w)
	s.residual.walk(w)
	s.history.walk(w)
	s.inflation.walk(w)
	w.int(&s.agentOwn.Hundredths)
	w.bool(&s.hasAgentOwn)
	w.name(&s.agentOwn.Label)
	w.bool(&s.calibration.steerKeeps)
}

func (w *walker) calibration(c *calibration) {
	w.byte((*uint8)(&c.mode))
	w.bool(&c.fixed)
	w.ints(c.score[:])
	for _, p := range [...]*int64{&c.actual, &c.estimated, &c.last.Call, &c.last.Predicted, &c.last.Actual, &c.steps, &c.median, &c.p90, &c.p95, &c.p95Share} {
		w.int(p)
	}
	w.name(&c.last.Kind)
	w.name(&c.last.Model)
	w.name(&c.cause)
	w.bool(&c.has)
	w.size(&c.at)
	w.ints(c.errors[:])
	w.ints(c.shares[:])
	w.ints(c.framing.ring[:])
	w.int(&c.framing.n)
	w.int(&c.framing.offset)
}
