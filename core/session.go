// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// Mode is what "used" means.
type Mode uint8

const (
	// Hybrid predicts the next request from the last measured one.
	Hybrid Mode = iota
	// ProviderOnly shows the last measured prompt and nothing else.
	ProviderOnly

	modes
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
	Checkout                                        string // where the session works, if that is a checkout of Workspace
}

// walk walks the names in the order of the format, where that of the rule
// stands among them.
func (i *Identity) walk(c *codec.Codec) {
	c.Names("ID Agent AgentVersion Model Provider Route", &i.ID, &i.Agent, &i.AgentVersion, &i.Model, &i.Provider, &i.Route)
	c.Names("Workspace Label Parent Title Branch Checkout", &i.Workspace, &i.Label, &i.Parent, &i.Title, &i.Branch, &i.Checkout)
}

// Session is the ledger of one conversation. It holds counts, labels and the
// positions of items, never their text. Its state is in components, each with
// a file, a walk that saves and restores it, and tests of its own; the methods
// of Session are what needs several of them.
type Session struct {
	Identity
	Mode Mode
	// Reserve is the user's own reserve; Unknown for the rule's.
	Reserve int64
	// expectedModel stands in for a model that is not known yet; see Expect.
	expectedModel string
	// RuleText is how the caller asked for the rule, kept for a saved ledger.
	RuleText string
	// Recording keeps each prediction for TakeSteps.
	Recording bool

	// began is the workspace that the session began in: an agent may move on.
	began string

	complete bool // the host gives the whole of each prompt
	// pastUnread is true if the session has a past that could not be read.
	pastUnread bool
	resolver   Resolver
	resolved   Resolved // what is known of the model
	rule       Rule
	now        int64 // the time of the last event that had one; Unknown before
	titleBy    TitleBy

	limits       limits       // how large the window is, by whoever says so
	shown        shownLine    // what was seen of the compaction threshold
	earlier      earlierLines // what earlier sessions have shown of the limits
	sources      lineSources  // those of the compaction threshold
	fixed        fixedRows    // what surrounds the conversation
	conversation conversation // what was said since the last compaction
	requests     requests     // the prompts that were measured since then
	changes      changes      // what differs from the last of them
	turn         turn         // whose turn it is, and the reasoning that lives as long
	residual     residual     // what no text shows of a prompt
	prefix       prefix       // what is known of it
	servers      servers      // whose tools are known, and which were called
	excess       excess       // what grew beside the items
	toolSizes    toolSizes
	inflation    inflation   // what was put into the last prompt only
	calibration  calibration // what measurements have taught
	history      history     // the course of the whole session
	cache        cacheClock  // how long the provider keeps the prompt
	activity     activity    // what the agent does
	agentOwn     ownPercent  // what the agent itself prints
	agentCounts  Text        // what it counts itself, until a compaction
	warnings     warnings
	unread       unread       // newer data that is not read
	wanted       []WantedFile // of which nobody has asked yet

	key      PrintKey // the secret of the items' prints
	keyCheck uint64   // tells whether saved prints are of that key
	whole    bool     // the host sends the whole conversation each time
	joined   int      // items of the first array, if it ended with a question: answers in it are of earlier sessions
}

// New makes an empty session. The resolver says what is known of models, also of none.
func New(id Identity, resolver Resolver) *Session {
	s := &Session{Identity: id, began: id.Workspace, resolver: resolver, Reserve: Unknown, now: Unknown, residual: newResidual(), activity: newActivity(), cache: newCacheClock()}
	if s.Title = oneLine(s.Title, maxTitle); s.Title != "" {
		s.titleBy = ByPerson // the host's word
	}
	s.limits.reset()
	s.requests.refusedAt = Unknown
	s.conversation.draft = noDraft
	s.conversation.labels.rootedIn(id.Workspace)
	s.resolve()
	s.calibration.begin(s.resolved.Reasoning)
	s.updateActivity()
	return s
}

// ReadsAt says where in the transcript the record is whose events follow; 0
// where that is not known.
func (s *Session) ReadsAt(place uint32) { s.conversation.place = place }

// HidePaths has the folders of files left out of what is shown of their names.
func (s *Session) HidePaths(hide bool) { s.conversation.labels.hide(hide) }

// PathsHidden is what HidePaths was last called with.
func (s *Session) PathsHidden() bool { return s.conversation.labels.hidePaths }

// Rule is the compaction rule in force.
func (s *Session) Rule() *Rule { return &s.rule }

// Apply applies one fact: it hands each event to what it is about. Facts
// about items that do not exist are ignored: their senders are checked where
// the bytes come in.
func (s *Session) Apply(e Event) {
	switch e := e.(type) {
	case At:
		s.applyAt(e)
	case AgentSeen:
		s.Agent, s.AgentVersion = e.Agent, e.Version
	case WorkspaceSeen:
		if s.Checkout == "" || e.Path != s.Checkout {
			if s.Workspace = e.Path; s.began == "" {
				s.began = e.Path
			}
		}
		s.conversation.labels.rootedIn(e.Path)
	case TitleSeen:
		s.applyTitle(e)
	case BranchSeen:
		s.Branch = oneLine(e.Branch, maxTitle)
	case ModelSet:
		s.applyModel(e)
	case LimitsKnown:
		s.limits.set(e.Limits, e.Source)
	case LimitsForgotten:
		s.limits.forget(e.Source)
	case RuleSet:
		s.rule = e.Rule
		s.sources.rule++
	case ContextSet:
		s.applyContext(e)
	case PrefixKnown:
		s.applyPrefix(&e)
	case ServersConfigured:
		s.applyServersConfigured(e)
	case ToolsListed:
		s.applyToolsListed(e)
	case Appended:
		s.applyAppended(&e.Item)
	case *Appended: // by far the most frequent
		s.applyAppended(&e.Item)
	case Inserted:
		s.applyInserted(&e)
	case Synced:
		s.applySynced(&e)
	case Replaced:
		s.applyReplaced(&e)
	case Dropped:
		s.applyDropped(e)
	case DroppedOldest:
		s.applyDroppedOldest(e)
	case Truncated:
		s.applyTruncated(e.From)
	case TurnStarted:
		s.applyTurnStarted()
	case TurnEnded:
		s.applyTurnEnded()
	case Steered:
		s.applySteered(e)
	case Drafted:
		s.applyDrafted(&e)
	case BegunBefore:
		s.residual.begunBefore = s.residual.first.in == Unknown
	case Resumed:
		s.applyResumed(e)
	case ProcessEnded:
		s.applyProcessEnded(e)
	case ToolsChanged:
		s.changes.toolsChanged = true
	case Adjusted:
		s.changes.adjust(e.Tokens, e.Reason)
	case CompletenessKnown:
		s.complete = e.Complete
	case OwnEstimate:
		s.changes.ownEstimate = max(e.Tokens, 0)
	case FileUsed:
		s.wantFile(e)
		return
	case Compacted:
		s.applyCompacted(&e)
	case AgentPercent:
		s.agentOwn = ownPercent{e, true}
	case AgentCounts:
		s.agentCounts = e.Text
		return
	case Skipped:
		s.warnings.skipped(e)
		if e.Unknown {
			s.unread.records++
		}
	case WrittenSince:
		s.unread.by, s.unread.at = e.By, e.At
		return
	case Warned:
		if e.OfUsage {
			s.warnings.addOfUsage(e.Sentence)
		} else {
			s.warnings.add(e.Sentence)
		}
	case UsageRead:
		if e.Another {
			s.warnings.forgetUsage()
		}
		s.warnings.usageRead = true
		if e.Complete {
			s.requests.end(e.Request)
		}
		return
	case PastUnread:
		s.applyPastUnread(e)
	case Metered:
		s.applyMetered(&e)
	case Overflowed:
		s.applyOverflowed(&e)
	case ActivitySeen:
		s.applyActivity(e)
		return
	}
	s.trackActivity(e)
}
