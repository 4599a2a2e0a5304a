// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// Ledger is a saved session: numbers and labels in the order in which walk visits the session's components.
type Ledger struct {
	// Format names the walk that saved it, see LedgerFormat. No other walk can read it.
	Format string
	Names  []string
	State  []byte
}

var ledgerFormat = codec.Format(New(Identity{}, unresolved{}).walk)

// LedgerFormat returns the name of the format in which this build saves
// sessions, and the only one that it restores: a fingerprint of what is saved.
func LedgerFormat() string { return ledgerFormat }

// unresolved is the resolver of the session that describes the format.
type unresolved struct{}

func (unresolved) Resolve(string, string, string) Resolved { return Resolved{} }

// Save copies the session into a ledger. It holds counts, labels and the title only.
func (s *Session) Save() (l Ledger) {
	s.SaveTo(&l)
	return l
}

// SaveTo is like Save, but reuses a ledger.
func (s *Session) SaveTo(l *Ledger) {
	state := codec.State{Names: l.Names, Bytes: l.State}
	// A session with an impossible value is saved, too. Restore refuses it.
	codec.Save(&state, ledgerFormat, codec.Limits{}, s.walk)
	l.Format, l.Names, l.State = state.Format, state.Names, state.Bytes
}

// Restore makes a session from a ledger; ok is false if the ledger is damaged or has another format than LedgerFormat.
// The caller must set the compaction rule again, from RuleText and the identity.
func Restore(l Ledger, resolver Resolver) (s *Session, ok bool) {
	s = New(Identity{}, resolver)
	if !codec.Restore(codec.State{Format: l.Format, Names: l.Names, Bytes: l.State}, ledgerFormat, codec.Limits{}, s.walk) {
		return nil, false
	}
	s.conversation.sumHidden()
	s.resolved = s.resolver.Resolve(s.Model, s.Provider, s.Route)
	s.requests.restored = true
	return s, true
}

func (s *Session) walk(c *codec.Codec) {
	s.Identity.walk(c.Part("Identity"))
	c.Names("RuleText began", &s.RuleText, &s.began)
	codec.Below(c, "Mode", &s.Mode, modes)
	c.Ints("Reserve now", &s.Reserve, &s.now)
	codec.Below(c, "titleBy", &s.titleBy, titlesBy)
	c.Bools("complete pastUnread pastOlder whole transcribed", &s.complete, &s.pastUnread, &s.pastOlder, &s.whole, &s.transcribed)
	s.activity.walk(c.Part("activity"))
	s.limits.walk(c.Part("limits"))
	s.shown.walk(c.Part("shown"))
	s.earlier.walk(c.Part("earlier"))
	s.moves.walk(c.Part("moves"))
	s.fixed.walk(c.Part("fixed"))
	s.conversation.walk(c.Part("conversation"))
	s.walkPrints(c)
	c.Sizes("joined", &s.joined)
	s.requests.walk(c.Part("requests"))
	s.changes.walk(c.Part("changes"))
	s.turn.walk(c.Part("turn"))
	s.residual.walk(c.Part("residual"))
	s.history.walk(c.Part("history"))
	s.cache.walk(c.Part("cache"))
	s.breaks.walk(c.Part("breaks"))
	s.inflation.walk(c.Part("inflation"))
	s.agentOwn.walk(c.Part("agentOwn"))
	c.Texts("agentCounts", &s.agentCounts)
	s.calibration.walk(c.Part("calibration"))
	s.remodels.walk(c.Part("remodels"))
	s.files.walk(c.Part("files"))
	s.warnings.walk(c.Part("warnings"))
	s.unread.walk(c.Part("unread"))
	s.prefix.walk(c.Part("prefix"))
	s.excess.walk(c.Part("excess"))
	s.unexplained.walk(c.Part("unexplained"))
}
