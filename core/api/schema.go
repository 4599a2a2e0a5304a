// Copyright The ctx-lsp authors. MIT licence.

package api

// The files schema*.go and methods.go are the source of the protocol. From them `make generated` writes everything else
// that names a field: the readers of parameters and the writers of answers in this package, the types for TypeScript
// and Lua, and the tables of docs/protocol.md.
//
// A comment on a field is its documentation everywhere. A pointer is null if the value is not known, and omitempty
// (omitzero for a struct) marks a field that may be absent. These tags define how a field is read or written, if its
// name and type do not:
//
//	from:"s.ID"        written from this expression; s is what is written
//	known:"s.Line"     null where this is core.Unknown
//	write:"f(w, s)"    written by this call, which follows the field's name
//	phrase:"&s.Label"  the phrase of a core.Text; absent for a third-party text.
//	                   A kind may follow, after which most such things are called
//	read:"f(&f, to)"   read by this call; "-" for one that is read elsewhere
//	default:"20"       what a parameter is that was not given
//	by:"daemon"        read or added by the daemon; the core does not know it
//	glance:"-"         not read by Reading.Glance: only screens draw it
//	profile:"0.1"      part of the minimal profile since that release; a test fails if it changes
//
// and these lines end the comment on a type:
//
//	//wire:writes T    answers are written from T, an internal type
//	//wire:reads T     parameters are read into T; else a type is generated
//	//wire:words ...   the strings there are
//	//wire:called ...  what an error calls such a string
//	//wire:plain       its strings hold nothing to escape
//	//wire:type ...    the type in TypeScript, where it is not a struct

//go:generate bash ../../mk/tool.sh gen/types -root ../..

// Basis is how a number is known: by the provider (measured), by the model's own tokenizer (counted), as a remainder
// (derived), or as an estimate.
//
//wire:words measured counted derived estimated unknown measured+counted measured+estimated
type Basis string

// Level is how near compaction is.
//
//wire:words ok soon now over
type Level string

// Activity is the agent's activity: a request or a tool is running (working), it waits for the user, it has no process
// and no record for a while (idle), or it ended.
//
//wire:words working waiting idle ended
//wire:called activity
type Activity string

// WaitingFor is what an agent waits for: approval of something it asked, or the next prompt.
//
//wire:words approval prompt
//wire:called thing to wait for
type WaitingFor string

// Kind is a row of the breakdown. If a measured prompt was not itemized, messages is its remainder. Otherwise prefix is
// the part of the remainder that preceded the conversation and cannot be divided further, and unattributed is the part
// added later without a record.
//
//wire:words system tools mcpTools skills agents memory documents summary user assistant toolCalls toolResults reasoning media messages unattributed prefix
type Kind string

// SubjectKind is the kind of an item's subject; empty for any other label. Others stands for further subjects of a
// tool, beyond the number that are kept apart.
//
//wire:words tool file command url mcp agent skill others
//wire:called thing to name
type SubjectKind string

// Mode is the meaning of used: hybrid, the prediction for the next request; or
// provider, the last measured prompt and nothing else.
//
//wire:words hybrid provider
//wire:called mode
type Mode string

// LimitSource is the source of the window's size, in order of precedence. setting is a smaller window that the user has
// set for the agent. error is an overflow newer than the other sources; it also takes precedence over user and agentNow
// if it gives less. agentNow is the agent's report in this session, outside its records. accepted is the model's larger
// window, after two prompts that need it. learned was shown by refusals or accepted prompts of earlier sessions.
//
//wire:words setting user agentNow error accepted agent provider learned agentTable registry unknown
type LimitSource string

// ThresholdSourceKind is a kind of source of the compaction threshold, in order of precedence: the session's own
// compactions, earlier sessions, the requested rule, a setting of the agent, and the agent's own rule. The limit less
// the reserve bounds all of them. Dropped and estimate are what the agent counts differently.
//
//wire:words session learned asked setting rule limit dropped estimate
type ThresholdSourceKind string

// ThresholdState is the effect of a source's threshold: it decides, another source takes precedence, it changes
// nothing, or it is added to the threshold in force.
//
//wire:words inForce overruled withoutEffect adjusts
type ThresholdState string

// ReasoningMode is how long reasoning stays in the window.
//
//wire:words never turn always
//wire:called mode of reasoning
type ReasoningMode string

// Trigger is what started a compaction: the agent or the user.
//
//wire:words auto manual
//wire:called trigger
type Trigger string

// CompactionTrigger is what started a compaction: the agent at its threshold (auto), a command (manual), or the agent
// because the session was idle (idle).
//
//wire:words unknown auto manual idle
type CompactionTrigger string

// Answer is yes, no, or unknown.
//
//wire:words unknown yes no
type Answer string

// BackCause is the reason why a prompt cache is cold: its lifetime is over, the agent's process has ended, the model or
// the tools have changed, or the conversation was compacted.
//
//wire:words time ended model tools compacted
type BackCause string

// BreakCause is the reason why a request did not find the previous prompt in the cache: the cache's lifetime was over,
// the conversation was compacted, earlier messages, the model, the effort, the tools or the system prompt changed,
// another process or route sent it, or the provider did not use its cache.
//
//wire:words unknown time compaction messages model effort tools system process provider
type BreakCause string

// Turn is the start or the end of a turn of the conversation.
//
//wire:words start end
//wire:called event
type Turn string

// Phrase is a text of ctx-lsp for front ends that translate: its id, which is one of internal/phrase/list.go, and the
// values of its placeholders: numbers, names, and phrases. A third-party text never has one.
//
//wire:type { id: string; args?: (string | number | Phrase)[] }
type Phrase any

// Text is a text that front ends show, in English. A text of ctx-lsp has the id of its phrase, one of
// internal/phrase/list.go, and the values of its placeholders, for front ends that translate. A third-party text has
// neither.
type Text struct {
	Text string `json:"text"`
	ID   string `json:"id,omitempty"`
	Args []Arg  `json:"args,omitempty" glance:"-"`
}

// Arg is the value of a placeholder: a name, a number, or a phrase.
//
//wire:type string | number | Phrase
type Arg any

// Time is a moment, in milliseconds since 1970.
//
//wire:type number
type Time int64

// Body is a text of any length. It is counted and dropped.
//
//wire:type string
type Body string

// RuleChoice is a Rule, "none", or the name of an agent whose rule to use.
//
//wire:type Rule | string | null
type RuleChoice any

// Content is the content of a fixed row: a text, a number of tokens, a Part, or an array of Parts, texts and numbers.
// Blocks of a system prompt and definitions of tools may have the provider's shape. null clears the row.
//
//wire:type string | number | Part | Block | (string | number | Part | Block)[] | null
type Content any

// Block is a block of a system prompt, or the definition of a tool, as a provider shapes it.
//
//wire:type { [field: string]: unknown; kind?: never } | (object & { kind?: never })
type Block any

// Message is a message of a conversation as a provider or the AI SDK shapes
// it: with a role and its content or parts, or an input item with its type.
//
//wire:type ({ role: string; kind?: never } & ({ content: unknown } | { parts: readonly unknown[] } | { [field: string]: unknown })) | { type: string; kind?: never; [field: string]: unknown }
type Message any

// Appendix is an Item, or a Message.
//
//wire:type Item | Message
type Appendix any

// Draft is the message that the user is typing. null or an empty text clears it.
//
//wire:type string | number | Part | Item | null
type Draft any

// Summary is the summary that a compaction left: a text, a number of tokens, or a Part.
//
//wire:type string | number | Part | null
type Summary any

// Opening is true, or the parameters to open a session with.
//
//wire:type boolean | OpenParams
type Opening any

// Foreign is a third-party value, as it was received.
//
//wire:type unknown
type Foreign any

// Sentence is a text for users: a third-party text, or a phrase.
//
//wire:type string | Phrase
type Sentence any

// SavedLedger is a ledger as ctx/session/save returned it.
//
//wire:type Ledger
type SavedLedger any

// SavedLessons are learned corrections as ctx/learned/get returned them; null for none.
//
//wire:type Learned | null
type SavedLessons any

// Nothing is a result without a field.
//
//wire:type Record<string, never>
type Nothing struct{}
