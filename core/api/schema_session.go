// Copyright The ctx-lsp authors. MIT licence.

package api

// Limits are the three numbers of a model's window, as known by the user. They take precedence over all other sources.
// A window or an input of 0 is an error, and an output of 0 is unknown. In an update, a missing number stays unchanged,
// and null withdraws it.
//
//wire:reads core.Limits
type Limits struct {
	Window *int64 `json:"window,omitempty" read:"readLimit(&f, &to.Window)"`
	Input  *int64 `json:"input,omitempty" read:"readLimit(&f, &to.Input)"`
	Output *int64 `json:"output,omitempty" read:"readOutput(&f, &to.Output)"`
	// The window depends on something unknown to the host, such as a plan: unknown until one is set or withdrawn.
	Withheld bool `json:"withheld,omitempty" read:"readWithheld(&f, &to.Window)"`
}

// Rule is a compaction rule. If several are set, the lowest threshold applies.
//
//wire:reads core.Rule
type Rule struct {
	Percent *Hundredths `json:"percent,omitempty" read:"readRulePercent(&f, to)"` // share of the limit
	// Output reserve: the maximum output, but at most this; 0 means 32,000.
	Reserve *int64 `json:"reserve,omitempty" read:"readRuleReserve(&f, to)"`
	// With reserve: size after compaction, counted down from the window, or 80% of a window no larger than that.
	Target    *int64 `json:"target,omitempty" read:"readTokens(&f, &to.Target)"`
	Threshold *int64 `json:"threshold,omitempty" read:"readTokens(&f, &to.Threshold)"` // a fixed number of tokens
}

// OpenParams are the parameters of ctx/session/open.
//
//wire:reads opening
type OpenParams struct {
	ID    string `json:"id,omitempty" profile:"0.1"`
	Scope string `json:"scope,omitempty"` // the id's scope: a host with several clients gives each its own; the daemon refuses it
	// The agent, which sets the compaction rule and the window table; default generic.
	Agent        string        `json:"agent,omitempty" profile:"0.1" read:"readAgent(&f, &to.Agent)"`
	AgentVersion string        `json:"agentVersion,omitempty"`
	Model        string        `json:"model,omitempty" profile:"0.1"` // as models.dev spells it, or a usual alias
	Provider     string        `json:"provider,omitempty"`            // as models.dev spells it, or a usual alias
	Route        string        `json:"route,omitempty"`               // chat, responses, copilot, ...: decides how reasoning is sent again
	Workspace    string        `json:"workspace,omitempty"`
	Checkout     string        `json:"checkout,omitempty"` // the session's own checkout of workspace
	Mode         Mode          `json:"mode,omitempty"`     // default hybrid
	Limits       *Limits       `json:"limits,omitempty" profile:"0.1"`
	Reserve      *int64        `json:"reserve,omitempty"`                                            // tokens kept for the response
	Rule         RuleChoice    `json:"rule,omitempty" profile:"0.1" read:"c.readRule(&f, &to.Rule)"` // default the agent's own
	Reasoning    ReasoningMode `json:"reasoning,omitempty"`                                          // learned if absent
	Parent       string        `json:"parent,omitempty"`                                             // the parent's session id: of the same scope, or of none
	Label        string        `json:"label,omitempty"`                                              // its name for users
	Title        string        `json:"title,omitempty"`                                              // the agent's own title of the session; never a prompt
	Branch       string        `json:"branch,omitempty"`                                             // the branch that the agent works on
	// The agent's own environment variables and settings that affect its threshold, by their own names. Others are
	// dropped.
	Settings map[string]string `json:"settings,omitempty" read:"readSettings(&f, &to.Settings)"`
	// The host sends everything, fixed rows and items: rows estimated too short are scaled up to the measured prompt.
	Complete bool `json:"complete,omitempty"`
	// The records begin within the conversation, so what its first prompt contained is unknown.
	Tail bool `json:"tail,omitempty"`
	// Show only the last element of file paths.
	HidePaths bool `json:"hidePaths,omitempty"`
	// The process that runs the session and has its saved ledger, so that its past is unknown; 0 if unknown.
	HeldBy *int64 `json:"heldBy,omitempty"`
	// The session's saved ledger is missing or cannot be restored, so its past is unknown.
	SetAside bool  `json:"setAside,omitempty"`
	At       *Time `json:"at,omitempty"`
	// Add the panel to every Reading of the session, with these rows of the host.
	Panel bool      `json:"panel,omitempty"`
	Rows  []HostRow `json:"rows,omitempty" read:"c.readHostRows(f.Value, &to.Rows)"`
	// An unknown model or provider is an error, whose data.known has the names that resemble it.
	Strict bool `json:"strict,omitempty"`
	// The secret key of the saved digests of messages. Without one, none are saved.
	Key    string `json:"key,omitempty"`
	Shared bool   `json:"shared,omitempty" by:"daemon"` // the session has no owner: every client may join it
	Resume bool   `json:"resume,omitempty" by:"daemon"` // continue from the saved ledger of this id, if there is one
}

// Item is one piece of a conversation, with its text or its tokens. Tokens are taken as they are; the constants of the
// model's framing are added only to a text.
//
//wire:reads core.Item
type Item struct {
	// Its row: user assistant toolCalls toolResults reasoning media summary documents memory system; or developer.
	Kind   Kind   `json:"kind" read:"readItemKind(&f, &to.Kind)"`
	Text   Body   `json:"text,omitempty"`
	Tokens *int64 `json:"tokens,omitempty"`
	Label  string `json:"label,omitempty" read:"readName(&f, &to.Label)"` // for lists
	Name   string `json:"name,omitempty"`                                 // name of the tool, for lists
	// The kind of its subject, for lists: with file, command, url, mcp, agent or skill, name is the path, command or
	// tool.
	What      SubjectKind `json:"what,omitempty" read:"readSubjectKind(&f, &to.About.What)"`
	Subject   string      `json:"subject,omitempty" read:"readString(&f, &to.About.Name)"`
	MediaType string      `json:"mediaType,omitempty"`
	Width     *int64      `json:"width,omitempty"`
	Height    *int64      `json:"height,omitempty"`
	Pages     *int64      `json:"pages,omitempty"`
	Seconds   *int64      `json:"seconds,omitempty"`
	Error     bool        `json:"error,omitempty"`                                  // marks a failed tool result
	Reply     *bool       `json:"reply,omitempty" read:"readNot(&f, &to.NotReply)"` // false: no request of this session produced it
	Opaque    *int64      `json:"opaque,omitempty"`                                 // length of a signed or encrypted block
	// For reasoning, as in the AI SDK: the longest string in it is used as opaque.
	ProviderMetadata Foreign `json:"providerMetadata,omitempty" read:"readMetadata(&f, &to.Opaque)"`
	Parameters       *int64  `json:"parameters,omitempty"` // number of parameters of a tool call
	Hidden           bool    `json:"hidden,omitempty"`     // sent, but not shown to the user
	// How many tokens are sent around the text, in addition to the constants of the model's framing.
	Wrapping *int64 `json:"wrapping,omitempty"`
}

// Part is a piece of a fixed row, with its text or its tokens.
//
//wire:reads core.Part
type Part struct {
	Text     Body   `json:"text,omitempty"`
	Tokens   *int64 `json:"tokens,omitempty"`
	Label    string `json:"label,omitempty" read:"readName(&f, &to.Label)"`
	Deferred bool   `json:"deferred,omitempty"` // listed, but not in the window until it is loaded
	// For memory: it comes with its turn and leaves with it, like documents.
	Ephemeral bool `json:"ephemeral,omitempty"`
}

// Replacement replaces an item with another.
//
//wire:reads
type Replacement struct {
	Index  int64  `json:"index" read:"field"`
	Item   Item   `json:"item" read:"c.readItem(f.Value, &to.Item).within(\"item\")"`
	Reason string `json:"reason,omitempty"`
}

// UpdateParams are the parameters of ctx/session/update: the changes.
//
//wire:reads
type UpdateParams struct {
	ID       string  `json:"id" profile:"0.1" read:"-"`
	Scope    string  `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	Model    string  `json:"model,omitempty"`
	Provider string  `json:"provider,omitempty"`
	Route    string  `json:"route,omitempty"`
	Strict   bool    `json:"strict,omitempty"` // as in ctx/session/open, for this call's model and provider
	Mode     Mode    `json:"mode,omitempty"`   // mode of the Readings from now on
	Limits   *Limits `json:"limits,omitempty" default:"core.NoLimits"`
	// The agent's own report of its window in this session, such as the message for its status line.
	AgentLimits *Limits    `json:"agentLimits,omitempty" default:"core.NoLimits"`
	Reserve     *int64     `json:"reserve,omitempty"`
	Rule        RuleChoice `json:"rule,omitempty" read:"field"`
	System      Content    `json:"system,omitempty" profile:"0.1"`
	Tools       Content    `json:"tools,omitempty" profile:"0.1"`
	MCPTools    Content    `json:"mcpTools,omitempty"`
	Skills      Content    `json:"skills,omitempty"`
	Agents      Content    `json:"agents,omitempty"`
	Memory      Content    `json:"memory,omitempty"`
	Documents   Content    `json:"documents,omitempty"` // documents of the current turn; they leave with it
	// Content that the agent loads automatically, as found on disk. It names parts of measured prompts and adds
	// nothing.
	Loaded  Loaded        `json:"loaded,omitempty" read:"field"`
	Append  []Appendix    `json:"append,omitempty" profile:"0.1"` // items at the end, or messages as the provider shapes them
	Replace []Replacement `json:"replace,omitempty"`              // items that replace others
	// This item and all later ones are removed, as in a rewind; 0 clears the conversation.
	RemoveFrom *int64 `json:"removeFrom,omitempty" read:"field"`
	// How many of the oldest items are no longer sent, as in a sliding window; they keep their positions.
	RemoveFirst *int64 `json:"removeFirst,omitempty" read:"field"`
	// start when the user sends a message, end when the agent is done; otherwise a user item after a response starts
	// one.
	Turn     Turn    `json:"turn,omitempty" read:"readTurn(&f, &to.Turn)"`
	Draft    Draft   `json:"draft,omitempty"`                 // part of used, replaced as a whole; the next user item also clears it
	Complete *bool   `json:"complete,omitempty" read:"field"` // as in ctx/session/open
	Title    *string `json:"title,omitempty" read:"field"`    // outranks what records say; "" clears it
	Branch   *string `json:"branch,omitempty" read:"field"`
	// The agent's activity as seen by the host, until an item, a usage or a turn follows; "" withdraws it.
	Activity   *Activity  `json:"activity,omitempty" read:"field"`
	WaitingFor WaitingFor `json:"waitingFor,omitempty"` // only with the activity waiting
	Since      *Time      `json:"since,omitempty"`      // only with activity: when it began; otherwise now
	At         *Time      `json:"at,omitempty"`
	// When an agent last wrote in the session's workspace in a form that the host cannot read.
	UnreadAt *Time  `json:"unreadAt,omitempty"`
	UnreadBy string `json:"unreadBy,omitempty"` // the agent that wrote at unreadAt; the session's own if absent
	// Whether the host has yet to read records that the agent has written; the numbers are marked until it sends false.
	Behind *bool `json:"behind,omitempty" read:"field"`
	// The agent's own number for its prompt, newer than its records, until the conversation continues.
	Reported   *int64 `json:"reported,omitempty"`
	ReportedAt *Time  `json:"reportedAt,omitempty"` // only with reported: when the agent reported it
	// The host's rows of the panel, instead of those before.
	Rows []HostRow `json:"rows,omitempty" read:"raw"`
}

// MessagesParams are the parameters of ctx/session/messages.
//
//wire:reads
type MessagesParams struct {
	ID    string `json:"id" read:"-"`
	Scope string `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	// All messages of the conversation, the oldest first, as the provider or the host's library shapes them.
	Messages []Appendix `json:"messages" read:"readArray(&f, &to.Messages)"`
	// true: messages were replaced by a summary; false: they were not. It is inferred if absent.
	Compacted *bool `json:"compacted,omitempty" read:"field"`
	At        *Time `json:"at,omitempty"`
}

// Loaded is the content that an agent loads automatically when a session begins: the texts of memory files, and its
// lists of skills and agents. Each is an array of Parts, which replaces the previous one.
//
//wire:reads
type Loaded struct {
	Memory  Content  `json:"memory,omitempty"`
	Skills  Content  `json:"skills,omitempty"`
	Agents  Content  `json:"agents,omitempty"`
	Servers []string `json:"servers,omitzero"` // MCP servers in the agent's configuration
	// When servers' configuration and memory files changed, for agents that reread them without a record.
	ServersChanged *Time      `json:"serversChanged,omitempty"`
	MemoryChanged  *Time      `json:"memoryChanged,omitempty"`
	Unknown        []Sentence `json:"unknown,omitempty"` // messages about content that could not be found, and why
}

// UsageParams are the parameters of ctx/session/usage.
//
//wire:reads
type UsageParams struct {
	ID       string  `json:"id" profile:"0.1" read:"-"`
	Scope    string  `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	Request  string  `json:"request,omitempty"`        // the response's id: a report with the same id replaces the earlier one
	Provider string  `json:"provider,omitempty"`       // recognized by the shape of usage if absent
	Usage    Foreign `json:"usage" profile:"0.1"`      // usage object, response or stream event; Usage for provider ctx
	// How many items the prompt contained. By default all except those that the model wrote at the end.
	Through *int64 `json:"through,omitempty" read:"readOptionalIndex(&f, core.MaxItems, &to.Through)"`
	Final   *bool  `json:"final,omitempty" default:"true"` // false for a chunk of a stream
	Counted bool   `json:"counted,omitempty"`              // the provider counted this prompt and did not run it
	// The usage may be invented by its source: numbers based on it are estimated, and nothing is learned from it.
	Reported bool  `json:"reported,omitempty"`
	At       *Time `json:"at,omitempty"`
}

// Usage is the normalized usage of provider ctx.
//
//wire:reads core.Metered
type Usage struct {
	In         *int64 `json:"in,omitempty"` // the whole prompt, cached tokens included
	Out        *int64 `json:"out,omitempty"`
	Reasoning  *int64 `json:"reasoning,omitempty"` // included in out
	CacheRead  *int64 `json:"cacheRead,omitempty"` // included in in, like cacheWrite
	CacheWrite *int64 `json:"cacheWrite,omitempty"`
	Window     *int64 `json:"window,omitempty"` // the limit, if the provider reports it with the usage
}

// ErrorParams are the parameters of ctx/session/error.
//
//wire:reads
type ErrorParams struct {
	ID       string  `json:"id" read:"-"`
	Scope    string  `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	Provider string  `json:"provider,omitempty"`
	Error    Foreign `json:"error"`                        // an object or a text
	Status   *int64  `json:"status,omitempty" default:"0"` // HTTP status
	// The error may be invented by its source: only its limit is used.
	Reported bool  `json:"reported,omitempty"`
	At       *Time `json:"at,omitempty"`
}

// CompactedParams are the parameters of ctx/session/compacted.
//
//wire:reads
type CompactedParams struct {
	ID      string  `json:"id" read:"-"`
	Scope   string  `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	Trigger Trigger `json:"trigger,omitempty"`        // default manual
	Summary Summary `json:"summary,omitempty"`
	Kept    *int64  `json:"kept,omitempty" read:"field"` // how many of the last items remain
	Tokens  *int64  `json:"tokens,omitempty"`            // the remaining tokens, if the caller knows
	Before  *int64  `json:"before,omitempty"`
	At      *Time   `json:"at,omitempty"`
}

// RecordsParams are the parameters of ctx/session/records.
//
//wire:reads
type RecordsParams struct {
	ID      string    `json:"id"`
	Scope   string    `json:"scope,omitempty"`                                           // the id's scope; see ctx/session/open
	Agent   string    `json:"agent,omitempty" read:"readTranscriptAgent(&f, &to.Agent)"` // recognized from the records if absent
	Records []Foreign `json:"records"`                                                   // raw records, strings that hold them, or {"skipped": bytes}
	// The transcript line of the first record, if each record is on the line after the previous one.
	Line     *int64  `json:"line,omitempty" default:"0"`
	Open     Opening `json:"open,omitempty" read:"field"`      // open the session if there is none
	Steps    bool    `json:"steps,omitempty"`                  // return the predictions that were verified
	Inferred bool    `json:"inferred,omitempty"`               // with steps: infer causes of cache breaks instead of reading those that the agent recorded
	Reading  *bool   `json:"reading,omitempty" default:"true"` // false: return no Reading
	Wanted   bool    `json:"wanted,omitempty"`                 // return the files with unrecorded content
	At       *Time   `json:"at,omitempty"`
	Shared   bool    `json:"shared,omitempty" by:"daemon"` // as in ctx/session/open
}

// RecordsAnswer is the result of ctx/session/records with steps or wanted.
//
//wire:writes recorded
type RecordsAnswer struct {
	Reading *Reading     `json:"reading,omitempty"`
	Steps   []Step       `json:"steps" write:"writeSteps(w, s.entry)"`
	Wanted  []WantedFile `json:"wanted"`
}

// WantedFile is a file that the agent uses, with content that it sends without a record.
//
//wire:writes core.WantedFile
type WantedFile struct {
	Path string `json:"path"` // as written in the record, perhaps relative to the workspace
	// mentioned by the user; read, readInPart or written by the agent; forgotten, without a path, if all were removed.
	Use  string `json:"use" from:"s.Use.String()"`
	At   *Time  `json:"at"`   // time of the record
	Sent bool   `json:"sent"` // set if a prompt that contains it was measured since
}

// Step is one prediction and its measurement.
//
//wire:writes step
type Step struct {
	Session   string     `json:"session"`
	Model     string     `json:"model"`
	Call      int64      `json:"call"`
	Kind      string     `json:"kind"` // tool, user, resume, compaction or model
	Predicted int64      `json:"predicted"`
	Low       int64      `json:"low"` // low and high: the range that was given, which contains 90% of steps
	High      int64      `json:"high"`
	Actual    int64      `json:"actual"`
	Redacted  bool       `json:"redacted"`            // a new text had been redacted in the transcript
	Texts     int64      `json:"texts"`               // in the tool loop: tokens of new texts before any correction; 0 if anything else was estimated
	Held      int64      `json:"held"`                // the size of these texts in the request
	Error     int64      `json:"error" from:"s.Miss"` // predicted - actual
	Percent   Hundredths `json:"percent"`             // percentage of the measured size
	Turn      int64      `json:"turn"`
	// Landing is the predicted size after a compaction, for the first request after it.
	Landing   *Range      `json:"landing"`
	Forecasts []Forecast  `json:"forecasts"`            // forecasts made after this request was measured
	Return    *Return     `json:"return,omitempty"`     // set for the first request after a pause
	Break     *CacheBreak `json:"cacheBreak,omitempty"` // set if the request wrote to the cache again what the previous one had left there
}

// CacheBreak is a request that wrote to the cache again what the previous request had left there.
//
//wire:writes core.CacheBreak
type CacheBreak struct {
	Request  string `json:"request"` // the id of the response; "" if it is not kept
	At       *Time  `json:"at"`      // when it was answered
	Call     int64  `json:"call"`
	Cause    string `json:"cause" from:"s.Cause.String()"` // time, compaction, messages, model, effort, tools, system, process, provider or unknown
	Recorded bool   `json:"recorded"`                      // the provider or the agent named the cause
	Written  int64  `json:"written"`                       // tokens written again, without the growth of the conversation
	Unread   bool   `json:"unread"`                        // the provider reports no writes, so written is only what was not read from the cache
	Kept     int64  `json:"kept"`                          // tokens read from the cache
}

// Return compares the first request after a pause of more than five minutes with the forecast before it.
//
//wire:writes core.Return
type Return struct {
	Back      Back  `json:"back"`      // the forecast
	Used      int64 `json:"used"`      // the prompt size it was made for
	Pause     int64 `json:"pause"`     // since the last request, in milliseconds
	Sent      *Time `json:"sent"`      // when the request was sent
	Read      int64 `json:"read"`      // tokens that it read from the cache
	Wrote     int64 `json:"wrote"`     // the rest of its prompt
	Cold      bool  `json:"cold"`      // it did not read the conversation
	Compacted bool  `json:"compacted"` // the conversation was compacted in the pause
}

// Forecast is how many calls and turns were predicted to fit below a threshold.
//
//wire:writes core.Forecast
type Forecast struct {
	Threshold int64 `json:"threshold"`
	Calls     Range `json:"calls"`
	Turns     Range `json:"turns"`
}

// ReadingParams are the parameters of ctx/session/reading.
//
//wire:reads
type ReadingParams struct {
	ID    string `json:"id" read:"-"`
	Scope string `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	Mode  Mode   `json:"mode,omitempty"`           // mode of this result; default the session's own
	Panel bool   `json:"panel,omitempty"`          // add the panel to this result
	// Rows of the host in this panel, after those of the session.
	Rows []HostRow `json:"rows,omitempty" read:"raw"`
}

// SessionsParams are the parameters of ctx/sessions.
//
//wire:reads
type SessionsParams struct {
	// List the sessions of this scope, and those without a scope whose ids are free in it.
	Scope string `json:"scope,omitempty"`
	Mode  Mode   `json:"mode,omitempty"` // mode of this result; default each session's own
}

// SessionParams name a session.
//
//wire:reads
type SessionParams struct {
	ID    string `json:"id" read:"-"`
	Scope string `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
}

// NoParams are the parameters of a method without any.
//
//wire:reads
//wire:type Record<string, never>
type NoParams struct{}

// SessionsAnswer is the result of ctx/sessions.
//
//wire:writes listing
type SessionsAnswer struct {
	Sessions []ListedSession `json:"sessions" write:"s.write(w)"`
}

// HistoryParams are the parameters of ctx/session/history.
//
//wire:reads
type HistoryParams struct {
	ID     string `json:"id" read:"-"`
	Scope  string `json:"scope,omitempty" read:"-"`       // the id's scope; see ctx/session/open
	Points *int64 `json:"points,omitempty" default:"200"` // maximum number of points; default 200
}

// HistoryAnswer is the history of a session.
//
//wire:writes history
type HistoryAnswer struct {
	Points      []HistoryPoint      `json:"points"`
	Compactions []HistoryCompaction `json:"compactions"`
	Verdicts    []Verdict           `json:"verdicts"` // the last 20 compactions, the oldest first
	Moves       []ThresholdMove     `json:"moves"`    // the last 20 changes of the threshold, the oldest first
	Breaks      []DetailedBreak     `json:"breaks"`   // the last 64 breaks of the cache, the oldest first
	Threshold   *int64              `json:"threshold"`
	Limit       *int64              `json:"limit"`
}

// HistoryPoint is one measured prompt.
//
//wire:writes point
type HistoryPoint struct {
	At      *Time       `json:"at"`
	Call    int64       `json:"call"`
	Used    int64       `json:"used"`
	Percent *Hundredths `json:"percent"` // share of the present limit
}

// HistoryCompaction is one compaction.
//
//wire:writes core.Landing
type HistoryCompaction struct {
	At      *Time   `json:"at"`
	Call    int64   `json:"call"`
	Before  *int64  `json:"before"`
	After   *int64  `json:"after"`
	Trigger Trigger `json:"trigger" from:"byAgent(s.Auto)"`
}

// ItemsParams are the parameters of ctx/session/items.
//
//wire:reads
type ItemsParams struct {
	ID    string `json:"id" read:"-"`
	Scope string `json:"scope,omitempty" read:"-"`   // the id's scope; see ctx/session/open
	Top   *int64 `json:"top,omitempty" default:"20"` // maximum number of items; default 20
}

// ItemsAnswer lists the largest entries: all items with the same name, or one item without a name.
//
//wire:writes largest
type ItemsAnswer struct {
	Items []LargeItem `json:"items"`
	Total int64       `json:"total"` // number of items in the conversation
}

// FitsParams are the parameters of ctx/session/fits.
//
//wire:reads
type FitsParams struct {
	ID      string  `json:"id" read:"-"`
	Scope   string  `json:"scope,omitempty" read:"-"` // the id's scope; see ctx/session/open
	Parts   Content `json:"parts"`                    // the texts, or their tokens; labels are returned with each
	Phrases *bool   `json:"phrases,omitempty"`        // add the phrase of the text
}

// FitsAnswer describes the next request with the parts added.
//
//wire:writes core.Fit
type FitsAnswer struct {
	Tokens           int64       `json:"tokens"` // tokens added by the parts and the frame of their message
	Basis            Basis       `json:"basis"`  // basis of tokens
	Used             int64       `json:"used"`   // size of the next request with the parts
	Limit            *int64      `json:"limit"`
	Percent          *Hundredths `json:"percent"` // used as a percentage of the limit
	Free             *int64      `json:"free" known:"s.Limit"`
	Threshold        *int64      `json:"threshold"`        // the compaction threshold
	ThresholdPercent *Hundredths `json:"thresholdPercent"` // used as a percentage of the threshold
	Left             *int64      `json:"left" known:"s.Threshold"`
	Level            Level       `json:"level"`                             // now or over: the agent compacts
	Parts            []FitsPart  `json:"parts"`                             // the largest first
	Fewer            *Fewer      `json:"fewer"`                             // the next request with only the parts that fit; null if all fit, and if none does
	Phrase           *Phrase     `json:"phrase,omitempty" phrase:"&s.Text"` // the text as a phrase, if phrases were asked for
	Text             string      `json:"text" from:"s.Text.String()"`       // the result in one line, for users
}

// FitsPart is one of the texts of ctx/session/fits.
//
//wire:writes core.FitPart
type FitsPart struct {
	Label   string `json:"label" from:"s.Label.String()"`
	Tokens  int64  `json:"tokens"`
	Basis   Basis  `json:"basis"`
	LeftOut bool   `json:"leftOut,omitempty"` // would have to be left out; fewer describes the rest
}

// Fewer describes the next request without the parts that are left out.
//
//wire:writes core.Fewer
type Fewer struct {
	Tokens           int64       `json:"tokens"` // tokens added by the other parts
	Used             int64       `json:"used"`
	Percent          *Hundredths `json:"percent"`
	ThresholdPercent *Hundredths `json:"thresholdPercent"`
	Level            Level       `json:"level"`
}

// LargeItem is one of the largest entries of a conversation, with its name and size, not its text.
//
//wire:writes core.Largest
type LargeItem struct {
	Index  int64       `json:"index"` // index of its largest item
	Kind   Kind        `json:"kind"`  // kind of its largest item
	What   SubjectKind `json:"what"`  // the kind of its subject
	Label  Text        `json:"label"` // its name: Read src/api.go, Bash npm test, mcp:github get_issue
	Times  int64       `json:"times"` // how often it was called, read or shown
	Tokens int64       `json:"tokens"`
	Basis  Basis       `json:"basis"`
	Share  *Hundredths `json:"share"` // share of the window
	Bar    Hundredths  `json:"bar"`   // length of its bar, in percent of the largest one's
	Place  *int64      `json:"place"` // the transcript line of its largest item, if known
}

// SaveAnswer is the result of ctx/session/save.
//
//wire:writes saved
type SaveAnswer struct {
	Ledger Ledger `json:"ledger" from:"s"`
}

// Ledger is a saved session: counts, labels and the title, no other text.
//
//wire:writes saved
type Ledger struct {
	Schema   string            `json:"schema" from:"LedgerSchema()"` // ctx.ledger/ and a fingerprint of the saved state; ledgers of other builds are not restored
	Session  string            `json:"session" from:"s.entry.session.ID"`
	Parent   string            `json:"parent,omitempty" from:"s.entry.session.Parent"` // for hosts that keep parents and sub-agents together
	Settings map[string]string `json:"settings" write:"writeSettings(w, s.entry.settings)"`
	Names    []string          `json:"names"`
	State    string            `json:"state" write:"w.Base64(s.State)"` // base64
	Reader   *ReaderState      `json:"reader,omitempty"`                // only if the session is read from a transcript
}

// ReaderState is what the reader of a transcript remembers of earlier records: counts, ids, hashes and labels, at most
// 128 KiB. A larger state is left out.
//
//wire:writes agent.State
type ReaderState struct {
	Agent  string   `json:"agent"`
	Format string   `json:"format"` // a fingerprint of the state that the agent's readers save
	Names  []string `json:"names"`
	State  string   `json:"state" write:"w.Base64(s.Bytes)"` // base64
}

// RestoreParams are the parameters of ctx/session/restore.
//
//wire:reads
type RestoreParams struct {
	Ledger SavedLedger `json:"ledger"`
	ID     string      `json:"id,omitempty"`    // replaces the ledger's own id
	Scope  string      `json:"scope,omitempty"` // the id's scope; see ctx/session/open
	Parent string      `json:"parent,omitempty"`
	Key    string      `json:"key,omitempty"`                // the key that ctx/session/open was given
	Older  bool        `json:"older,omitempty"`              // the newest ledger is lost, so the number is marked until a request is measured
	Shared bool        `json:"shared,omitempty" by:"daemon"` // as in ctx/session/open
}
