// Copyright The ctx-lsp authors. MIT licence.

package core

// Unknown stands for a number that nobody has given. It is never zero:
// a provider that says nothing about its cache has not said "none".
const Unknown int64 = -1

// MaxTokens bounds every count that comes from outside, so that no sum of
// them overflows.
const MaxTokens int64 = 1 << 40

// Event is one fact a session can learn. Adapters make events from bytes and
// compute nothing; Session.Apply is the only consumer.
type Event interface{ event() }

// Item is one piece of a conversation: a message, a call, a result, an image.
type Item struct {
	Kind Kind
	// Text is counted and dropped; it is valid only until Apply returns.
	Text []byte
	// Tokens is an exact cost that replaces counting; Unknown to count.
	Tokens int64
	// Label is what a list of items shows; never conversation text.
	Label Text
	// Name is the full name of the tool that was called or has answered.
	Name string
	// About is what the call of a tool was about, and so what its result is of.
	About Subject
	// Answers is for a result without an About of its own: the index of the
	// call that it answers, plus one.
	Answers int
	// Error marks a tool result that reports a failure.
	Error bool
	// NotReply marks an assistant, tool-call or reasoning item that the last
	// request did not produce: a few-shot example, an edited history.
	NotReply bool
	// Opaque is the length of an encrypted or signed block that stands for
	// text nobody shows, such as a reasoning signature.
	Opaque int64
	// Parameters is how many parameters a tool call has, where the agent
	// records them as an object; Unknown otherwise.
	Parameters int64
	// MediaType, Width, Height, Pages and Seconds describe media; zero where
	// unknown.
	MediaType      string
	Width, Height  int64
	Pages, Seconds int64
	// Wrapping is what the agent is known to send around the text without
	// recording it, in tokens; it is added to what the text counts. Negative
	// where the text is known to cost less than it counts.
	Wrapping int64
	// Assumed marks Tokens as the usual size of a tool's definition. The request that contains it shows its own size,
	// which is remembered by Name.
	Assumed bool
	// Hidden marks an estimate of something that is sent but not recorded.
	Hidden bool
	// Print identifies the item, for hosts that send the whole conversation.
	Print Print
}

// Part is a piece of a fixed row: one memory file, one tool server.
type Part struct {
	Label    Text
	Text     []byte
	Tokens   int64 // Unknown to count Text
	Deferred bool  // listed, but not in the window until it is asked for
	// Ephemeral marks memory that comes with its turn and leaves with it, like
	// documents.
	Ephemeral bool
}

type (
	// At is the time of the events that follow, in milliseconds since 1970.
	// Core has no clock of its own.
	At struct{ Milliseconds int64 }

	// AgentSeen names the program that holds the conversation.
	AgentSeen struct{ Agent, Version string }

	// WorkspaceSeen is the directory the agent works in.
	WorkspaceSeen struct{ Path string }

	// ModelSet names the model the next request goes to, and the way there.
	ModelSet struct{ Model, Provider, Route string }

	// LimitsKnown is what a source says about the window; Unknown fields are
	// left as they were for that source.
	LimitsKnown struct {
		Limits
		Source LimitSource
	}

	// LimitsForgotten withdraws what a source said.
	LimitsForgotten struct{ Source LimitSource }

	// RuleSet replaces the compaction rule.
	RuleSet struct{ Rule Rule }

	// ContextSet replaces a fixed row as a whole.
	ContextSet struct {
		Kind  Kind
		Parts []Part
	}

	// BegunBefore reports that the conversation began before the first record
	// that is read, so what its first measured prompt contained is unknown.
	BegunBefore struct{}

	// Appended adds an item at the end of the conversation.
	Appended struct{ Item Item }

	// Inserted puts an item before the one at an index.
	Inserted struct {
		Index int
		Item  Item
		// InPrompt is set if the prompts measured so far held it unseen.
		InPrompt bool
	}

	// Synced comes before the items that the host's whole conversation has at
	// its end, and the session has not.
	Synced struct{ Items []Appended }

	// Replaced puts another item in the place of one: a tool result cut to a
	// placeholder, an edited message. Index counts from the last compaction.
	Replaced struct {
		Index int
		Item  Item
		// Reason is shown with what leaves.
		Reason Text
	}

	// Dropped says that an item will not be sent again but keeps its place.
	Dropped struct {
		Index  int
		Reason Text
	}

	// DroppedOldest says that so many of the oldest items that are still sent
	// will not be sent again: a window that slides.
	DroppedOldest struct{ Items int }

	// Truncated removes the items from an index on: a rewind.
	Truncated struct{ From int }

	// TurnStarted is the person speaking to the agent.
	TurnStarted struct{}

	// TurnEnded is the agent handing back to the person.
	TurnEnded struct{}

	// Steered is the person speaking while the agent is at work: the turn
	// goes on, though some providers drop its reasoning as if it had ended.
	Steered struct {
		// Keeps says that this agent is known to keep it, until the session
		// shows otherwise.
		Keeps bool
	}

	// Drafted is what the person is typing, not sent yet.
	Drafted struct {
		Item    Item
		Cleared bool
	}

	// Resumed says that the conversation goes on after a pause.
	Resumed struct {
		// Reloaded is set where the prompt is built anew from what is
		// recorded: what was sent beside the records is gone.
		Reloaded bool
	}

	// ToolsChanged says that definitions of tools came or went, though not
	// which.
	ToolsChanged struct{}

	// Adjusted is an agent's knowledge of tokens that come or go at the next
	// request without an item: negative when they leave.
	Adjusted struct {
		Tokens int64
		Reason Text
	}

	// CompletenessKnown says whether the host gives all of each prompt, fixed rows and items, so
	// that only a wrong estimate can leave a part of it unexplained.
	CompletenessKnown struct{ Complete bool }

	// OwnEstimate is the agent's own estimate of everything that was
	// appended since the last answer: it compares that, and no count, with its
	// line.
	OwnEstimate struct{ Tokens int64 }

	// Compacted says that the conversation was summarised.
	Compacted struct {
		// Auto is set when the agent did it by itself.
		Auto bool
		// Recorded is set if the record says whether it did, so that Auto is not
		// assumed.
		Recorded bool
		// Reported is set if the host reported who did it, though it is no evidence of the threshold.
		Reported bool
		// Kept is how many of the last items stay.
		Kept int
		// Summary is the text that replaces the others, if shown.
		Summary *Item
		// Head are items that stand before those that stay.
		Head []Appended
		// Tokens is what the agent says is left; Unknown otherwise.
		Tokens int64
		// Before is what the agent says there was; Unknown otherwise.
		Before int64
		// Carried is the agent's own estimate of the messages that it sends on, without
		// the fixed context: four characters a token; 0 if not recorded.
		Carried int64
		// Reattached is how many tokens the agent is known to put back
		// without a record, negative if it leaves out some that were there. Again are the items that it puts back anew, each
		// unless it is larger than AgainMost tokens.
		Reattached int64
		Again      []int
		AgainMost  int64
	}

	// AgentCounts is what the agent itself counts in its window, as a sentence. No computation uses it.
	AgentCounts struct{ Text Text }

	// AgentPercent is the number the agent itself prints, by its own formula.
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

	// Warned is a sentence for the person who asks why a number is odd.
	Warned struct {
		Sentence Text
		OfUsage  bool // about the usage of the last request
	}

	// PastUnread reports that the session has a past that could not be read,
	// because its saved ledger was set aside, or because a process (0 if
	// unknown) holds it.
	PastUnread struct {
		Process  int64
		SetAside bool
	}

	// ForChild is a fact about a sub-agent's conversation that is recorded
	// inside its parent's.
	ForChild struct {
		Child, Label string
		Event        Event
	}
)

// Metered is what a provider measured of one request. Adapters fill In with
// everything that was in the window, cached or not.
type Metered struct {
	// Request is the response's id: the same id replaces, never adds.
	Request string
	// Model is the model that answered, where only the answer names it. The
	// prediction of this request is made without knowing it.
	Model ModelSet
	// In is the prompt, cached tokens included; Out is what was generated,
	// reasoning included. Unknown where the provider does not say.
	In, Out, Reasoning, CacheRead, CacheWrite int64
	// KeptLong is the part of CacheWrite that is kept for an hour or longer,
	// which is dearer; 0 where the provider does not say.
	KeptLong int64
	// CacheLife is how long the provider keeps what it wrote, after the last use, in milliseconds; 0 if unknown.
	CacheLife int64
	// ByModality splits In where the provider does.
	ByModality Modality
	// Through is how many items that prompt held, 0 with ThroughSet false
	// for all so far.
	Through    int
	ThroughSet bool
	// Partial marks a piece of a stream: the numbers will still grow.
	Partial bool
	// Sum marks totals over several requests; they are spent, not occupied.
	Sum bool
	// SideRequest marks a request beside the conversation, such as the one that
	// compacted it: it was spent, and its prompt is not in the window.
	SideRequest bool
	// ServerTools marks a request that provider-side tools inflated with
	// content that is not sent again.
	ServerTools bool
	// ServerStays says that this content is sent again until the connection
	// is made anew, instead of leaving with the next request.
	ServerStays bool
	// Volatile marks a route whose counts jump up and come back: an excess
	// over what was expected is not counted as content.
	Volatile bool
	// OutPlaceholder marks an Out that the agent recorded before it was
	// known; the estimate of the reply counts if it is larger.
	OutPlaceholder bool
	// Ambiguous marks a shape whose meaning could not be decided.
	Ambiguous bool
	// Uncounted keeps the request out of the accuracy record.
	Uncounted bool
	// Own marks the agent's own count of the prompt: nobody measured it, so what
	// rests on it is estimated, and it is no lesson.
	Own bool
	// Counted marks a prompt that the provider counted and did not run: it
	// measures the window, and nothing was spent.
	Counted bool
	// Window is the limit the provider reported with it; Unknown otherwise.
	Window int64
	// Note says how the shape was read, when that was not obvious.
	Note Text
}

// Modality splits a prompt by what it is made of; Unknown where not given.
type Modality struct{ Text, Image, Audio, Video, Document int64 }

// NoModality is a split of which nothing is known.
var NoModality = Modality{Unknown, Unknown, Unknown, Unknown, Unknown}

// NewMetered is a Metered of which nothing is known yet.
func NewMetered() Metered {
	return Metered{
		In: Unknown, Out: Unknown, Reasoning: Unknown, CacheRead: Unknown,
		CacheWrite: Unknown, ByModality: NoModality, Window: Unknown,
	}
}

// LimitKind is what a limit bounds.
type LimitKind uint8

// The kinds of limits: of the prompt and the answer together, or of the prompt alone.
const (
	LimitUnknown LimitKind = iota
	LimitTotal
	LimitInput
)

// Exactness says whether a number in an error message is exact or a bound.
type Exactness uint8

// A number may be exact, less than the true one, or near it.
const (
	Exact Exactness = iota
	LowerBound
	Approximate
)

// UsageRead comes before what a usage object says, also if none of it can be
// used.
type UsageRead struct {
	Request string
	// Another is true for the first usage object of a request, and Complete for
	// the last.
	Another, Complete bool
}

// Overflowed is a provider's refusal of a prompt that did not fit.
type Overflowed struct {
	Prompt, Output, Limit int64 // Unknown where the message has no number
	LimitIs               LimitKind
	PromptIs              Exactness
	Note                  Text
	// Reported marks a refusal that may be invented: only its limit is used.
	Reported bool
}

// Limits are the three numbers a model's window has. Window is the total,
// Input the largest prompt, Output the largest answer; Unknown where not given.
type Limits struct{ Window, Input, Output int64 }

// NoLimits is a window of which nothing is known.
var NoLimits = Limits{Unknown, Unknown, Unknown}

// LimitSource is who says how large the window is.
type LimitSource uint8

// The sources of a limit.
const (
	FromNobody LimitSource = iota
	FromRegistry
	FromAgentTable
	LimitFromEarlier // what requests of earlier sessions have shown
	FromProvider
	FromAgent
	FromAccepted // larger prompts than the stated limit were accepted, and the model has a larger window
	FromError
	FromAgentNow // what the agent says of its window in this session, besides its records
	FromUser
	limitSources
	// LimitFromSetting is the agent's setting for a smaller window, which Readings
	// are divided by; nothing reports it as a limit.
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
func (Replaced) event()          {}
func (Dropped) event()           {}
func (DroppedOldest) event()     {}
func (Truncated) event()         {}
func (TurnStarted) event()       {}
func (TurnEnded) event()         {}
func (Steered) event()           {}
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
func (Warned) event()            {}
func (ForChild) event()          {}
func (Metered) event()           {}
func (Overflowed) event()        {}
func (UsageRead) event()         {}
