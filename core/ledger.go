// Copyright The ctx-lsp authors. MIT licence.

package core

import "strings"

// LedgerSchema names the format of a saved ledger. It changes whenever the
// walk below does; ledgers of the earlier versions stay readable.
const LedgerSchema = "ctx.ledger/14"

// The versions of the format, by what they brought.
const (
	ledgerFirst    = 1
	ledgerActivity = 2  // title, branch and activity
	ledgerExpected = 3  // documents that are expected, and what nobody awaits
	ledgerIdentity = 4  // what readers know records apart by
	ledgerPassing  = 5  // memory of one turn, how dear tokens were, whether prompts are complete
	ledgerNamed    = 6  // what items are about, and where their records are
	ledgerRanges   = 7  // errors by kind of step, and what agents are known to add unseen
	ledgerPrefix   = 8  // what is known of the prefix, and what grew beside the items
	ledgerOwn      = 9  // whose turn documents belong to that were set and not measured
	ledgerUpstream = 10 // how the upstreams behind a router count
	ledgerLeft     = 11 // what a compaction left without a record
	ledgerRefused  = 12 // the size of the last refused prompt
	ledgerPast     = 13 // whether the session's past could not be read
	ledgerSaid     = 14 // what the agent said of its window besides its records

	// LedgerVersion is the version that is written.
	LedgerVersion = ledgerSaid
)

// LedgerVersionOf is the version that a schema names; ok is false for one
// that nobody can read here.
func LedgerVersionOf(schema string) (version int, ok bool) {
	const name = "ctx.ledger/"
	digits, found := strings.CutPrefix(schema, name)
	if !found || digits == "" || len(digits) > 3 || digits[0] == '0' {
		return 0, false
	}
	for _, d := range []byte(digits) {
		if d-'0' > 9 {
			return 0, false
		}
		version = version*10 + int(d-'0')
	}
	return version, version >= ledgerFirst && version <= LedgerVersion
}

// Ledger is a saved session: numbers and labels in the order of one walk over
// the session's components.
type Ledger struct {
	Version int // of the format
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
	s.walk(&w)
	l.Version, l.Numbers, l.Names = LedgerVersion, w.numbers, w.names
}

// Restore makes a session from a ledger; ok is false when the ledger is
// damaged, or of a version that is not known. What an earlier version did not
// save is as in a session that has just begun. The compaction rule is the
// caller's to set again, from RuleText and the identity. The walk only reads
// and checks; whatever is computed from a ledger is computed after it.
func Restore(l Ledger, resolver Resolver) (s *Session, ok bool) {
	s = New(Identity{}, resolver)
	if l.Version < ledgerFirst || l.Version > LedgerVersion {
		return nil, false
	}
	w := walker{version: l.Version, numbers: l.Numbers, names: l.Names}
	s.walk(&w)
	if w.damaged || len(w.numbers) != 0 || len(w.names) != 0 {
		return nil, false
	}
	s.conversation.sumHidden()
	if !w.has(ledgerPassing) {
		s.history.spent.weighAnew()
	}
	s.resolved = s.resolver.Resolve(s.Model, s.Provider, s.Route)
	s.requests.restored = true
	if !w.has(ledgerActivity) {
		s.act()
	}
	return s, true
}

func (s *Session) walk(w *walker) {
	s.Identity.walk(w, &s.RuleText)
	w.below((*uint8)(&s.Mode), uint8(ProviderOnly)+1)
	w.each(&s.Reserve, &s.now)
	if w.has(ledgerActivity) {
		w.below((*uint8)(&s.titleBy), uint8(titlesBy))
		s.activity.walk(w)
	}
	s.limits.walk(w)
	s.fixed.walk(w)
	s.conversation.walk(w)
	s.requests.walk(w)
	s.changes.leaving.walk(w)
	s.fixed.walkEarlier(w)
	s.conversation.walkEdits(w)
	w.inOrder(stateOrder[:], s.walkState)
	s.calibration.walk(w)
	s.history.growth.walk(w)
	s.history.curve.walk(w)
	s.warnings.walk(w)
	if w.has(ledgerExpected) {
		s.fixed.documents.walkUsual(w)
		w.size(&s.conversation.unawaited)
		w.refuse(s.conversation.unawaited < 0)
	}
	if w.has(ledgerPassing) {
		s.fixed.walkMemory(w)
		w.int(&s.history.spent.weighed)
		w.bool(&s.complete)
	}
	if w.has(ledgerRanges) {
		w.each(&s.changes.ownEstimate, &s.residual.second, &s.turn.returned)
		w.bools(&s.calibration.steerKnown, &s.changes.reloaded, &s.changes.redacted)
		s.calibration.spread.walk(w)
	}
	if w.has(ledgerPrefix) {
		s.prefix.walk(w)
		s.excess.walk(w)
		s.requests.walkExcess(w)
	}
	if w.has(ledgerUpstream) {
		s.calibration.upstreams.walk(w)
	}
	if w.has(ledgerRefused) {
		w.int(&s.requests.refusedAt)
		w.refuse(s.requests.refusedAt < Unknown)
	}
	if w.has(ledgerPast) {
		w.bool(&s.pastUnread)
	}
}

// walkState walks what the components keep beside lists.
func (s *Session) walkState(w *walker) {
	s.changes.walk(w)
	s.turn.walk(w)
	s.fixed.walkState(w)
	s.residual.walk(w)
	s.history.walk(w)
	s.inflation.walk(w)
	s.agentOwn.walk(w)
	w.bool(&s.calibration.steerKeeps)
}

// stateOrder is where the format has the numbers of walkState: it keeps them
// in the order in which they were added to it.
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
