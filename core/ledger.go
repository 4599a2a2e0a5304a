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
	c := &s.calibration
	return s.calibration.mode < reasoningModes && c.estimated > 0 && c.actual > 0 && c.steps >= 0 && c.at >= 0 && c.at < errorsKept &&
		s.titleBy < titlesBy && s.Mode <= ProviderOnly
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
	s.conversation.walk(w)
	s.requests.walk(w)
	s.changes.leaving.walk(w)
	s.fixed.walkEarlier(w)
	s.conversation.walkEdits(w)
	w.inOrder(stateOrder[:], s.walkState)
	w.calibration(&s.calibration)
	s.history.growth.walk(w)
	s.history.curve.walk(w)
	s.warnings.walk(w)
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
