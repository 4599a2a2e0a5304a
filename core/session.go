// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

// Mode selects the meaning of "used".
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

// Identity names a session; none of it enters a computation.
type Identity struct {
	ID, Agent, AgentVersion, Model, Provider, Route string
	Workspace, Label, Parent                        string
	Title, Branch                                   string
	Checkout                                        string // the working directory, if it is a checkout of Workspace
}

// walk walks the names in the order of the format, in which the rule's name comes between them.
func (i *Identity) walk(c *codec.Codec) {
	c.Names("ID Agent AgentVersion Model Provider Route", &i.ID, &i.Agent, &i.AgentVersion, &i.Model, &i.Provider, &i.Route)
	c.Names("Workspace Label Parent Title Branch Checkout", &i.Workspace, &i.Label, &i.Parent, &i.Title, &i.Branch, &i.Checkout)
}

// Session is the ledger of one conversation. It holds counts, labels and the positions of items, never their text. Its
// state is in components, each with a file, a walk that saves and restores it, and its own tests; the methods of
// Session are those that need several components.
type Session struct {
	Identity
	Mode Mode
	// Reserve is the user's own reserve; Unknown for the rule's.
	Reserve int64
	// expectedModel is used while the model is unknown; see Expect.
	expectedModel string
	// RuleText is the rule in the caller's notation, kept for a saved ledger.
	RuleText string
	// Recording keeps each prediction for TakeSteps.
	Recording bool
	// Inferring ignores the causes of cache breaks that were recorded, to measure how well they are inferred.
	Inferring bool

	// began is the workspace that the session began in: an agent may move to another one.
	began string

	complete bool // the host sends each prompt whole
	// pastUnread is set if the session has a past that could not be read.
	pastUnread bool
	// pastOlder is set from a restore of an earlier state until the provider reports usage.
	pastOlder bool
	resolver  Resolver
	resolved  Resolved // model data from the resolver
	resends   bool     // the agent sends all reasoning again, whatever is usual for the model
	rule      Rule
	now       int64 // the time of the last event that had one; Unknown before
	titleBy   TitleBy

	limits       limits            // the window's size by source
	shown        observedThreshold // observations of the compaction threshold
	earlier      earlierLimits     // limits observed in earlier sessions
	moves        thresholdMoves    // changes of the compaction threshold
	sources      thresholdSources  // sources of the compaction threshold
	fixed        fixedRows         // the fixed context
	conversation conversation      // items since the last compaction
	requests     requests          // prompts measured since the last compaction
	changes      changes           // changes since the last of them
	turn         turn              // the turn's phase, and reasoning kept until it ends
	residual     residual          // the part of a prompt without text in the records
	prefix       prefix            // known parts of the residual
	servers      servers           // servers with known tools, and those that were called
	excess       excess            // growth that no item explains
	inflation    inflation         // content added to the last prompt only
	calibration  calibration       // corrections learned from measurements
	history      history           // the history of the whole session
	cache        cacheClock        // how long the provider keeps the prompt
	breaks       cacheBreaks       // requests that did not find the previous prompt there
	activity     activity          // the agent's activity
	agentOwn     ownPercent        // the percentage that the agent prints
	agentCounts  Text              // the agent's own counts, until a compaction
	remodels     remodels          // the models of the session, and how their prompts differ
	files        fileChanges       // when files that the agent reads again were changed
	warnings     warnings
	unread       unread       // newer data that is not read
	wanted       []WantedFile // not requested yet

	unexplained unexplained // the part of prompts that a host's array does not explain
	arrayEdits              // of the host's last array, until it is applied

	key      PrintKey // the secret of the items' prints
	keyCheck uint64   // shows whether saved prints were made with that key
	whole    bool     // the host sends the whole conversation each time
	// transcribed is set if the session is read from a transcript, which may lack a part of what is sent.
	transcribed bool
	joined      int // items of the first array, if it ended with a question: responses in it come from earlier sessions
}

// New returns an empty session. The resolver supplies the data of models, also if the model is unknown.
func New(id Identity, resolver Resolver) *Session {
	s := &Session{Identity: id, began: id.Workspace, resolver: resolver, Reserve: Unknown, now: Unknown, residual: newResidual(), activity: newActivity(), cache: newCacheClock(), breaks: newCacheBreaks()}
	if s.Title = oneLine(s.Title, maxTitle); s.Title != "" {
		s.titleBy = ByUser // set by the host
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

// ReadsAt sets the transcript line of the record whose events are applied next; 0 if unknown.
func (s *Session) ReadsAt(place uint32) {
	s.conversation.place, s.transcribed = place, true
}

// HidePaths sets whether labels leave out the directories of files.
func (s *Session) HidePaths(hide bool) { s.conversation.labels.hide(hide) }

// PathsHidden returns the last setting of HidePaths.
func (s *Session) PathsHidden() bool { return s.conversation.labels.hidePaths }

// Rule returns the compaction rule in force.
func (s *Session) Rule() *Rule { return &s.rule }

// Apply applies one event to the components that it concerns. It ignores events about items that do not exist: adapters
// check their input.
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
	case PromptTouched:
		s.breaks.touched(e)
	case EffortSet:
		s.breaks.now = fnv.Hash(e.Level)
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
	case ServersChanged:
		s.applyServersChanged(&e)
	case Appended:
		s.applyAppended(&e.Item)
	case *Appended: // much more frequent than all others
		s.applyAppended(&e.Item)
	case Inserted:
		s.applyInserted(&e)
	case Synced:
		s.applySynced(&e)
	case SyncEnded:
		s.compareUnexplained(true)
	case Replaced:
		s.applyReplaced(&e)
	case Dropped:
		s.applyDropped(e)
	case FilesChanged:
		s.applyFilesChanged(e)
	case BrokenOff:
		s.applyBrokenOff(e)
	case DroppedOldest:
		s.applyDroppedOldest(e)
	case Truncated:
		s.applyTruncated(e.From)
	case TurnStarted:
		s.breaks.own = false
		s.applyTurnStarted()
	case BegunByAgent:
		s.breaks.own = true
	case TurnEnded:
		s.applyTurnEnded()
	case MessagedByAgent:
		s.countReasoningAgain()
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
		s.watchThreshold()
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
	case Behind:
		s.unread.behind = e.Yes
	case PromptReported:
		s.unread.reported, s.unread.reportedAt = max(e.In, 0), max(e.At, 0)
		return
	case Warned:
		if e.OfUsage {
			s.warnings.addOfUsage(e.Sentence)
		} else {
			s.warnings.add(e.Sentence)
		}
	case UsageRead:
		if e.First {
			s.warnings.forgetUsage()
		}
		s.warnings.usageRead = true
		if e.Complete {
			s.requests.end(e.Request)
		}
		return
	case PastUnread:
		s.applyPastUnread(e)
	case PastOlder:
		s.applyPastOlder()
	case Metered:
		s.applyMetered(&e)
		s.watchThreshold()
	case Overflowed:
		s.applyOverflowed(&e)
		s.watchThreshold()
	case ActivitySeen:
		s.applyActivity(e)
		return
	}
	s.trackActivity(e)
}
