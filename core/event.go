// Copyright The ctx-lsp authors. MIT licence.

package core

// Unknown represents a number that was not given. It is never zero: a provider that reports no cache has not reported
// an empty one.
const Unknown int64 = -1

// MaxTokens bounds every count from outside, so that no sum of counts overflows.
const MaxTokens int64 = 1 << 40

// Event is one fact a session can learn. Adapters make events from bytes and
// compute nothing; Session.Apply is the only consumer.
type Event interface{ event() }

// Item is one piece of a conversation: a message, a call, a result, an image.
type Item struct {
	Kind Kind
	// Text is counted and dropped; it is valid only until Apply returns.
	Text []byte
	// Tokens is an exact cost that replaces counting; Unknown if Text is to be counted.
	Tokens int64
	// Label is the name in a list of items; never conversation text.
	Label Text
	// Name is the full name of the tool in a call or a result.
	Name string
	// About is the subject of a tool call, and therefore of its result.
	About Subject
	// Answers is set for a result without its own About: the index of its call, plus one.
	Answers int
	// Error marks a tool result that reports a failure.
	Error bool
	// NotReply marks an assistant, tool-call or reasoning item that the last
	// request did not produce: a few-shot example, an edited history.
	NotReply bool
	// Joins marks a part of the same response as the previous call or text of a model, also after results.
	Joins bool
	// Opaque is the length of an encrypted or signed block that replaces hidden text, such as a reasoning signature.
	Opaque int64
	// Parameters is the number of parameters of a tool call if the agent records them as an object; Unknown otherwise.
	Parameters int64
	// MediaType, Width, Height, Pages and Seconds describe media; empty or zero if unknown.
	MediaType      string
	Width, Height  int64
	Pages, Seconds int64
	// Wrapping is the number of tokens that the agent is known to send around the text without recording them; it is
	// added to the text's count. It is negative if the text is known to cost less than its count.
	Wrapping int64
	// Assumed marks Tokens as a usual size, such as that of a tool's definition. Until a request contains the item, the
	// range covers another size.
	Assumed bool
	// Hidden marks an estimate of content that is sent but not recorded.
	Hidden bool
	// Print identifies the item, for hosts that send the whole conversation.
	Print Print
}

// Part is a piece of a fixed row: one memory file, one tool server.
type Part struct {
	Label    Text
	Text     []byte
	Tokens   int64 // Unknown to count Text
	Deferred bool  // listed, but not in the window until it is loaded
	// Ephemeral marks memory that is sent for one turn only, like documents.
	Ephemeral bool
}

type (
	// At is the time of the events that follow, in milliseconds since 1970. Core has no clock of its own.
	At struct{ Milliseconds int64 }

	// AgentSeen names the program that runs the conversation.
	AgentSeen struct{ Agent, Version string }

	// WorkspaceSeen is the directory the agent works in.
	WorkspaceSeen struct{ Path string }

	// ModelSet names the model of the next request, and the route to it.
	ModelSet struct{ Model, Provider, Route string }

	// LimitsKnown gives the limits from one source; Unknown fields keep the source's earlier values.
	LimitsKnown struct {
		Limits
		Source LimitSource
	}

	// LimitsForgotten withdraws the limits of a source.
	LimitsForgotten struct{ Source LimitSource }

	// RuleSet replaces the compaction rule.
	RuleSet struct{ Rule Rule }

	// ContextSet replaces a fixed row as a whole.
	ContextSet struct {
		Kind  Kind
		Parts []Part
	}

	// BegunBefore reports that the conversation began before the first record that was read, so the content of its
	// first measured prompt is unknown.
	BegunBefore struct{}

	// Appended adds an item at the end of the conversation.
	Appended struct{ Item Item }

	// Inserted puts an item before the one at an index.
	Inserted struct {
		Index int
		Item  Item
		// InPrompt is set if the prompts measured so far contained it unseen.
		InPrompt bool
	}

	// Synced precedes the items at the end of the host's whole conversation that the session does not have yet. Edits
	// are the changes of earlier items. Prompts are the usages in their messages.
	Synced struct {
		Edits   []Event
		Items   []Appended
		Prompts []SyncedPrompt
	}

	// SyncEnded follows the last of those items and the usages in their messages.
	SyncEnded struct{}
	// SyncedPrompt is the length of a prompt that contained the first of the items that follow.
	SyncedPrompt struct {
		Items int
		In    int64
	}

	// Replaced replaces an item with another one: a tool result cut to a placeholder, an edited message. Index starts
	// at the last compaction.
	Replaced struct {
		Index int
		Item  Item
		// Reason is shown with the tokens that leave.
		Reason Text
	}

	// Dropped marks an item that will not be sent again but keeps its index.
	Dropped struct {
		Index  int
		Reason Text
	}

	// BrokenOff marks the model's output in a range of items as that of a response that broke off: it is no part of the
	// response whose usage was reported, and is sent again.
	BrokenOff struct {
		From, Until int
		// Measured is set if the rest of the response was recorded, too: its measured length may include the range, which
		// then stays a part of it.
		Measured bool
	}

	// DroppedOldest marks the n oldest items that are still sent as not sent again: a sliding window.
	DroppedOldest struct{ Items int }

	// Truncated removes the items from an index to the end: a rewind.
	Truncated struct{ From int }

	// TurnStarted reports that the user sent a message to an idle agent.
	TurnStarted struct{}
	// BegunByAgent reports that the agent has begun the current turn, or continues it, by itself: for the result of a
	// background task or the message of another agent.
	BegunByAgent struct{}

	// TurnEnded reports that the agent finished and waits for the user.
	TurnEnded struct{}

	// MessagedByAgent reports that another agent's message came into the conversation. The turn continues.
	MessagedByAgent struct{}
	// Steered reports that the user sent a message while the agent was working: the turn continues, though some
	// providers drop its reasoning as if it had ended.
	Steered struct {
		// Keeps is set if the agent is known to keep the reasoning. It applies until the session shows otherwise.
		Keeps bool
	}

	// Drafted is the message that the user is typing and has not sent yet.
	Drafted struct {
		Item    Item
		Cleared bool
	}

	// Resumed reports that the conversation continues after a pause.
	Resumed struct {
		// Reloaded is set if the prompt is rebuilt from the records: it no longer contains unrecorded content.
		Reloaded bool
	}

	// ToolsChanged reports that tool definitions were added or removed, but not which ones.
	ToolsChanged struct{}

	// Adjusted reports tokens without an item that the next request will add, as known by the agent; negative if it
	// will drop them.
	Adjusted struct {
		Tokens int64
		Reason Text
	}

	// CompletenessKnown reports whether the host sends each prompt whole, with fixed rows and items, so that only a
	// wrong estimate can leave a part of it unexplained.
	CompletenessKnown struct{ Complete bool }

	// OwnEstimate is the agent's own estimate of everything appended since the last response. The agent compares this
	// estimate, not a count, with its threshold.
	OwnEstimate struct{ Tokens int64 }

	// Compacted reports that the conversation was summarized.
	Compacted struct {
		// Auto is set if the agent compacted automatically.
		Auto bool
		// Recorded is set if the record states this, so that Auto is not an assumption.
		Recorded bool
		// Reported is set if the host reported the trigger. Such a report is not evidence of the threshold.
		Reported bool
		// Kept is how many of the last items remain, and Remaining has the indexes of earlier ones that do, in order.
		Kept      int
		Remaining []int
		// Summary is the text that replaces the other items, nil if it is not recorded.
		Summary *Item
		// Head are the items before those that remain.
		Head []Appended
		// Tokens is the agent's size after the compaction; Unknown otherwise.
		Tokens int64
		// Before is the agent's size before the compaction; Unknown otherwise.
		Before int64
		// Carried is the agent's own estimate of the messages that it keeps, without the fixed context: four characters
		// a token; 0 if not recorded.
		Carried int64
		// Reattached is how many tokens the agent is known to add without a record. Again are the indexes of the items
		// that it adds again, except those larger than AgainMost tokens.
		Reattached int64
		Again      []int
		AgainMost  int64
		// Bare is set if the next request has nothing unrecorded except the system prompt, the tools and memory files:
		// lists of skills and the like come again with the request after it.
		Bare bool
	}

	// AgentCounts is the agent's own count of its window, as a message. No computation uses it.
	AgentCounts struct{ Text Text }

	// AgentPercent is the percentage that the agent itself prints, by its own formula.
	AgentPercent struct {
		Hundredths int64
		Label      Text
	}

	// Skipped is a record that could not be read.
	Skipped struct {
		Bytes  int64
		Reason Text
		// Unknown is true for a record of a type that the reader does not know.
		Unknown bool
	}

	// Warned is a message that explains an unexpected number to the user.
	Warned struct {
		Sentence Text
		OfUsage  bool // about the usage of the last request
	}

	// PastUnread reports that the session has a past that could not be read, because its saved ledger was set aside, or
	// because a process (0 if unknown) runs the session.
	PastUnread struct {
		Process  int64
		SetAside bool
	}

	// PastOlder reports that the session was restored from an earlier state than the one saved last, which is lost.
	PastOlder struct{}

	// ForChild is an event of a sub-agent's conversation that is recorded inside its parent's.
	ForChild struct {
		Child, Label string
		Event        Event
	}
)

// Metered is a provider's measurement of one request. Adapters fill In with everything that was in the window, cached
// or not.
type Metered struct {
	// Request is the response's ID: a second event with the same ID replaces the first, never adds to it.
	Request string
	// Model is the model that answered, if only the response names it. The prediction of this request is made without
	// it.
	Model ModelSet
	// In is the prompt, cached tokens included; Out is the generated output, reasoning included. Each is Unknown if the
	// provider does not report it.
	In, Out, Reasoning, CacheRead, CacheWrite int64
	// KeptLong is the part of CacheWrite that is kept for an hour or longer, which costs more; 0 if the provider does
	// not report it.
	KeptLong int64
	// CacheLife is how long the provider keeps the written cache after its last use, in milliseconds; 0 if unknown.
	CacheLife int64
	// CacheMiss is the recorded account of what the request found in the cache.
	CacheMiss CacheMiss
	// ByModality splits In if the provider does.
	ByModality Modality
	// Through is how many items that prompt contained. If ThroughSet is false, it contained all items so far.
	Through    int
	ThroughSet bool
	// Complete is set if everything of the response was recorded before its usage: later output belongs to another
	// response. It may begin with output of a response that broke off, which the agent had sent again.
	Complete bool
	// InArray marks a usage found in a message of the host's last array. Changes in that array may be newer.
	InArray bool
	// Repeated marks a usage that was applied before: its tokens are spent already.
	Repeated bool
	// Partial marks a chunk of a stream: the numbers will still grow.
	Partial bool
	// Sum marks totals of several requests; they add to the tokens spent, not to the window.
	Sum bool
	// SideRequest marks a request outside the conversation, such as the one that compacted it: its tokens are spent,
	// and its prompt is not in the window.
	SideRequest bool
	// ServerTools marks a request that provider-side tools inflated with content that is not sent again.
	ServerTools bool
	// ServerStays is set if this content is sent again until the connection is re-established, instead of leaving with
	// the next request.
	ServerStays bool
	// Volatile marks a route with counts that jump up and return: an excess over the prediction is not treated as
	// content.
	Volatile bool
	// OutPlaceholder marks an Out that the agent recorded before the real one was known; the estimate of the reply is
	// used if it is larger.
	OutPlaceholder bool
	// Ambiguous marks a provider's usage object with more than one possible meaning: numbers based on it are estimated.
	Ambiguous bool
	// Own marks the agent's own count of the prompt instead of a provider's: numbers based on it are estimated, nothing
	// is learned from it, and it is no sign that the agent is working.
	Own bool
	// Counted marks a prompt that the provider counted and did not run: it measures the window, and no tokens are
	// spent.
	Counted bool
	// Window is the limit that the provider reported with the usage; Unknown otherwise.
	Window int64
	// Note explains how the usage object was interpreted, if that was not obvious.
	Note Text
}

// Modality splits a prompt by kind of content; Unknown for kinds that were not given.
type Modality struct{ Text, Image, Audio, Video, Document int64 }

// NoModality is an unknown split.
var NoModality = Modality{Unknown, Unknown, Unknown, Unknown, Unknown}

// NewMetered returns a Metered with all numbers Unknown.
func NewMetered() Metered {
	return Metered{
		In: Unknown, Out: Unknown, Reasoning: Unknown, CacheRead: Unknown,
		CacheWrite: Unknown, ByModality: NoModality, Window: Unknown,
	}
}

// LimitKind is the quantity that a limit bounds.
type LimitKind uint8

// The kinds of limits: for prompt and response together, or for the prompt alone.
const (
	LimitUnknown LimitKind = iota
	LimitTotal
	LimitInput
)

// Exactness is the precision of a number in an error message.
type Exactness uint8

// A number may be exact, below the true one, or close to it.
const (
	Exact Exactness = iota
	LowerBound
	Approximate
)

// UsageRead precedes the events of a usage object, even if none of it can be used.
type UsageRead struct {
	Request string
	// First is set for the first usage object of a request, and Complete for the last.
	First, Complete bool
}

// Overflowed is a provider's refusal of a prompt that was too large.
type Overflowed struct {
	Prompt, Output, Limit int64 // Unknown if the message has no number
	LimitIs               LimitKind
	PromptIs              Exactness
	Note                  Text
	// Reported marks a refusal that may be invented: only its limit is used.
	Reported bool
}

// Limits are the three limits of a model's window. Window is the total, Input the largest prompt, Output the largest
// response; Unknown if not given.
type Limits struct{ Window, Input, Output int64 }

// NoLimits is an unknown window.
var NoLimits = Limits{Unknown, Unknown, Unknown}

// WindowWithheld is the user's window if it depends on something unknown, such as a plan: no other source applies then.
const WindowWithheld = -2

// LimitSource is the source of a window's size.
type LimitSource uint8

// The sources of a limit.
const (
	FromNoSource LimitSource = iota
	FromRegistry
	FromAgentTable
	LimitFromEarlier // shown by requests of earlier sessions
	FromProvider
	FromAgent
	FromAccepted // prompts larger than the stated limit were accepted, and the model has a larger window
	FromError
	FromAgentNow // reported by the agent for its window in this session, outside its records
	FromUser
	limitSources
	// LimitFromSetting is the agent's setting for a smaller window. Readings are divided by it; it is never reported as
	// a limit.
	LimitFromSetting = limitSources
)

func (At) event()                {}
func (AgentSeen) event()         {}
func (WorkspaceSeen) event()     {}
func (ModelSet) event()          {}
func (LimitsKnown) event()       {}
func (RuleSet) event()           {}
func (BegunBefore) event()       {}
func (LimitsForgotten) event()   {}
func (ContextSet) event()        {}
func (Appended) event()          {}
func (Inserted) event()          {}
func (Synced) event()            {}
func (SyncEnded) event()         {}
func (Replaced) event()          {}
func (Dropped) event()           {}
func (BrokenOff) event()         {}
func (DroppedOldest) event()     {}
func (Truncated) event()         {}
func (TurnStarted) event()       {}
func (BegunByAgent) event()      {}
func (TurnEnded) event()         {}
func (Steered) event()           {}
func (MessagedByAgent) event()   {}
func (Drafted) event()           {}
func (Resumed) event()           {}
func (ToolsChanged) event()      {}
func (Adjusted) event()          {}
func (CompletenessKnown) event() {}
func (OwnEstimate) event()       {}
func (Compacted) event()         {}
func (AgentPercent) event()      {}
func (AgentCounts) event()       {}
func (Skipped) event()           {}
func (PastUnread) event()        {}
func (PastOlder) event()         {}
func (Warned) event()            {}
func (ForChild) event()          {}
func (Metered) event()           {}
func (Overflowed) event()        {}
func (UsageRead) event()         {}
