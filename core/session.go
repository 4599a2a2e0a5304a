// Copyright The ctx-lsp authors. MIT licence.

package core

// Mode is what "used" means.
type Mode uint8

const (
	// Hybrid predicts the next request from the last measured one.
	Hybrid Mode = iota
	// ProviderOnly shows the last measured prompt and nothing else.
	ProviderOnly
)

func (m Mode) String() string {
	if m == ProviderOnly {
		return "provider"
	}
	return "hybrid"
}

// Identity is what a session is called; none of it enters a computation.
type Identity struct {
	ID, Agent, AgentVersion, Model, Provider, Route string
	Workspace, Label, Parent                        string
	Title, Branch                                   string
}

func (i *Identity) walk(w *walker, ruleText *string) {
	w.eachName(&i.ID, &i.Agent, &i.AgentVersion, &i.Model, &i.Provider, &i.Route, &i.Workspace, &i.Label, &i.Parent, ruleText, &i.Title, &i.Branch)
}

// Session is the ledger of one conversation. It holds counts, labels and the
// positions of items, never their text.
type Session struct {
	Identity
	Mode Mode
	// Reserve is the user's own reserve; Unknown for the rule's.
	Reserve int64
	// RuleText is how the caller asked for the rule, kept for a saved ledger.
	RuleText string

	resolver Resolver
	resolved Resolved
	limits   limits
	rule     Rule

	now   int64 // of the last event that had a time; Unknown before
	fixed fixedRows

	conversation conversation
	requests     requests
	changes      changes

	turn      turn
	inflation inflation

	residual residual

	titleBy  TitleBy
	activity activity

	history     history
	agentOwn    ownPercent
	warnings    warnings
	calibration calibration
	// Recording keeps each prediction for TakeSteps.
	Recording bool
}

// New makes an empty session.
func New(id Identity, resolver Resolver) *Session {
	if resolver == nil {
		resolver = Plain{}
	}
	s := &Session{
		Identity: id, resolver: resolver, Reserve: Unknown, now: Unknown,
		residual: newResidual(),
		activity: activity{since: Unknown, begun: Unknown},
	}
	if s.Title = oneLine(s.Title, maxTitle); s.Title != "" {
		s.titleBy = ByPerson // the host's word
	}
	s.limits.reset()
	s.conversation.draft = noDraft
	s.resolve()
	s.calibration = newCalibration(s.resolved.Reasoning)
	s.act()
	return s
}

func (s *Session) resolve() {
	s.resolved = s.resolver.Resolve(s.Model, s.Provider, s.Route)
	s.limits.look(s.resolved.Limits)
	if s.resolved.Doubt != "" {
		s.warnings.add(s.resolved.Doubt)
	}
}

// Meter is what counts for this session's model.
func (s *Session) Meter() Meter { return s.resolved.Meter }

// Rule is the compaction rule in force.
func (s *Session) Rule() *Rule { return &s.rule }

// FixReasoning makes a mode the caller's word, which nothing overrules.
func (s *Session) FixReasoning(m ReasoningMode) {
	s.calibration.mode = m
	s.calibration.fixed = true
}

// Apply takes one fact in. Facts about items that do not exist are ignored:
// their senders are checked where the bytes come in.
func (s *Session) Apply(e Event) {
	switch e := e.(type) {
	case At:
		if e.Milliseconds > s.now {
			s.now = e.Milliseconds
		}
	case AgentSeen:
		s.Agent, s.AgentVersion = e.Agent, e.Version
	case WorkspaceSeen:
		s.Workspace = e.Path
	case ModelSet:
		s.setModel(e)
	case LimitsKnown:
		s.limits.set(e.Limits, e.Source)
	case LimitsForgotten:
		s.limits.forget(e.Source)
	case RuleSet:
		s.rule = e.Rule
	case ContextSet:
		s.setFixed(e)
	case Appended:
		s.applyAppended(&e.Item)
	case *Appended: // by far the most frequent
		s.applyAppended(&e.Item)
	case Replaced:
		s.applyReplaced(&e)
	case Dropped:
		s.applyDropped(e)
	case Truncated:
		s.applyTruncated(e.From)
	case TurnStarted:
		s.turn.explicit = true
		s.startTurn()
	case TurnEnded:
		s.turn.explicit = true
		s.endTurn()
	case Steered:
		s.turn.explicit = true
		s.changes.steered = len(s.requests.list) > 0
	case Drafted:
		s.applyDrafted(&e)
	case Resumed:
		s.changes.resumed = true
		if e.Reloaded {
			s.applyReload()
		}
	case ToolsChanged:
		s.changes.toolsChanged = true
	case Adjusted:
		s.changes.adjust(e.Tokens, e.Reason)
	case Compacted:
		s.applyCompacted(&e)
	case AgentPercent:
		s.agentOwn = ownPercent{e, true}
	case Skipped:
		s.warnings.skipped(e)
	case Warned:
		s.warnings.add(e.Sentence)
	case Metered:
		s.applyMetered(&e)
	case Overflowed:
		s.applyOverflow(&e)
	case TitleSeen:
		s.setTitle(e)
	case BranchSeen:
		s.Branch = oneLine(e.Branch, maxTitle)
	case ActivityTold:
		s.tell(e)
		return
	}
	if goesOn(e) {
		s.activity.told = ActivityUnsaid
	}
	s.act()
}

func (s *Session) setModel(e ModelSet) {
	if e.Model == s.Model && e.Provider == s.Provider && e.Route == s.Route {
		return
	}
	first := s.Model == ""
	another := e.Model != s.Model || e.Provider != s.Provider
	family := s.resolved.Meter.Family()
	s.Model, s.Provider, s.Route = e.Model, e.Provider, e.Route
	s.resolve()
	if !s.calibration.fixed {
		if s.calibration.mode == ReasoningAlways && s.resolved.Reasoning != ReasoningAlways && s.conversation.rows.tokens[Reasoning] > 0 {
			s.changes.leaving.add("reasoning of earlier turns", s.conversation.rows.tokens[Reasoning])
			s.conversation.rows.tokens[Reasoning] = 0
		}
		s.calibration.forgetModel(s.resolved.Reasoning)
	}
	if first && len(s.requests.list) == 0 || !another {
		return
	}
	// An overflow and a provider's answer spoke of the former model.
	s.limits.forget(FromError, FromProvider)
	if s.resolved.Meter.Family() != family {
		s.calibration.ratio = newRatio()
	}
}
