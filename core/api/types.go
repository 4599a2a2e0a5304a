// Copyright The ctx-lsp authors. MIT licence.

package api

// The types of the protocol, as JSON has them. Nothing here is executed: the
// code writes and reads JSON field by field, the TypeScript declarations are
// generated from these types, and tests hold both against what is really
// written and read. A pointer is null where the value is not known; optional
// parameters are marked omitempty.

// Basis is how a number is known: "measured", "counted", "derived",
// "estimated", "unknown", "measured+counted" or "measured+estimated".
type Basis string

// Level is how near compaction is: "ok", "soon", "now" or "over".
type Level string

// Activity is what the agent does: "working", "waiting" (for the person),
// "idle" (no process and no record for a while) or "ended".
type Activity string

// Kind is a row of the breakdown.
type Kind string

// Reading is everything a face shows of a session.
type Reading struct {
	Schema       string       `json:"schema"` // "ctx.reading/1"
	Session      string       `json:"session"`
	Label        string       `json:"label"`
	Agent        string       `json:"agent"`
	AgentVersion string       `json:"agentVersion"`
	Model        string       `json:"model"`
	Workspace    string       `json:"workspace"`
	Title        string       `json:"title"`  // the agent's own name for the session; "" without one
	Branch       string       `json:"branch"` // that the agent works on, where its records tell
	Parent       *string      `json:"parent"`
	Mode         string       `json:"mode"` // "hybrid" or "provider"
	Basis        Basis        `json:"basis"`
	Pending      bool         `json:"pending"` // a request is outstanding
	Activity     Activity     `json:"activity"`
	WaitingFor   string       `json:"waitingFor"` // while waiting: "approval" or "prompt"; otherwise ""
	Since        *int64       `json:"since"`      // when the activity began, milliseconds since 1970
	Used         int64        `json:"used"`       // what the next request would occupy
	Low          int64        `json:"low"`        // bounds of used, from this session's own errors
	High         int64        `json:"high"`
	Limit        *int64       `json:"limit"` // the largest prompt
	Free         *int64       `json:"free"`  // limit - used - reserve
	Reserve      int64        `json:"reserve"`
	Percent      *float64     `json:"percent"`     // of the limit, two decimals
	LimitSource  string       `json:"limitSource"` // user, error, agent, provider, agentTable, registry, unknown
	LastRequest  *LastRequest `json:"lastRequest"` // null before the first
	Leaving      Leaving      `json:"leaving"`
	New          NewItems     `json:"new"`
	Breakdown    []Row        `json:"breakdown"` // sums to used, deferred rows apart
	Compaction   Compaction   `json:"compaction"`
	Advice       []Advice     `json:"advice"`
	Accuracy     Accuracy     `json:"accuracy"`
	Spent        Spent        `json:"spent"`
	Compactions  int64        `json:"compactions"`
	Children     []Brief      `json:"children"` // sub-agents
	Warnings     []string     `json:"warnings"`
	AsOf         *int64       `json:"asOf"`         // milliseconds since 1970
	AgentPercent *AgentOwn    `json:"agentPercent"` // the number the agent itself prints
	Display      Display      `json:"display"`
}

// LastRequest is the last metered prompt and what its answer carries on.
type LastRequest struct {
	In         int64    `json:"in"`
	Percent    *float64 `json:"percent"`
	CacheRead  *int64   `json:"cacheRead"`
	CacheWrite *int64   `json:"cacheWrite"`
	Out        *int64   `json:"out"`
	Reasoning  *int64   `json:"reasoning"`
	Carry      int64    `json:"carry"`
	CarryBasis Basis    `json:"carryBasis"`
}

// Leaving is the part of the last prompt that will not be sent again.
type Leaving struct {
	Tokens  int64           `json:"tokens"`
	Reasons []LeavingReason `json:"reasons"`
}

// LeavingReason is one cause and its share.
type LeavingReason struct {
	Reason string `json:"reason"`
	Tokens int64  `json:"tokens"`
}

// NewItems is what was appended after the last metered prompt.
type NewItems struct {
	Tokens int64 `json:"tokens"`
	Items  int64 `json:"items"`
	Basis  Basis `json:"basis"`
}

// Row is one line of the breakdown.
type Row struct {
	Kind     Kind   `json:"kind"`
	Label    string `json:"label"`
	Tokens   int64  `json:"tokens"`
	Basis    Basis  `json:"basis"`
	Deferred bool   `json:"deferred,omitempty"` // listed, but not in the window yet
}

// Compaction is when and where the agent compacts.
type Compaction struct {
	Rule      string   `json:"rule"`
	Since     string   `json:"since"`
	Source    string   `json:"source"`
	Line      *int64   `json:"line"` // null without a rule or a window
	Left      *int64   `json:"left"` // line - used
	Percent   *float64 `json:"percent"`
	Level     Level    `json:"level"`
	Advised   bool     `json:"advised"` // whether to compact now
	Buffer    *int64   `json:"buffer"`  // limit - line
	Landing   *Landing `json:"landing"` // used after compaction
	CallsLeft *Range   `json:"callsLeft"`
	TurnsLeft *Range   `json:"turnsLeft"`
}

// Landing is where compaction is expected to land.
type Landing struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
}

// Range is a forecast with its 80 % interval.
type Range struct {
	Low    int64 `json:"low"`
	Likely int64 `json:"likely"`
	High   int64 `json:"high"`
}

// Advice is something that could go.
type Advice struct {
	Action      string `json:"action"`
	Label       string `json:"label"`
	Tokens      int64  `json:"tokens"`
	Items       int64  `json:"items"`
	How         string `json:"how"`
	BreaksCache bool   `json:"breaksCache"`
}

// Accuracy is the session's own record of its predictions.
type Accuracy struct {
	Last         *Miss    `json:"last"`
	Ratio        float64  `json:"ratio"` // of estimated text to what it turned out to be
	MedianTokens *int64   `json:"medianTokens"`
	P95Tokens    *int64   `json:"p95Tokens"`
	P95Percent   *float64 `json:"p95Percent"`
	Steps        int64    `json:"steps"`
}

// Miss is one prediction held against its measurement.
type Miss struct {
	Predicted int64   `json:"predicted"`
	Actual    int64   `json:"actual"`
	Error     int64   `json:"error"` // predicted - actual
	Percent   float64 `json:"percent"`
	Cause     string  `json:"cause"` // of a miss over one percent
}

// Spent is what all requests took together; cached tokens are inside in.
type Spent struct {
	Calls      int64 `json:"calls"`
	In         int64 `json:"in"`
	Out        int64 `json:"out"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
	Reasoning  int64 `json:"reasoning"`
}

// AgentOwn is the number the agent itself prints, by its own formula.
type AgentOwn struct {
	Value float64 `json:"value"`
	Label string  `json:"label"`
}

// Display holds the short strings of a Reading; no face rounds for itself.
type Display struct {
	Mark            string `json:"mark"` // "~" estimated, "?" unknown, "" otherwise
	Percent         string `json:"percent"`
	Used            string `json:"used"`
	Limit           string `json:"limit"`
	Free            string `json:"free"`
	Left            string `json:"left"`
	PercentLeft     string `json:"percentLeft"`
	Line            string `json:"line"`
	LinePercent     string `json:"linePercent"`
	LinePercentLeft string `json:"linePercentLeft"`
	Bar             string `json:"bar"`
}

// Brief is a session in short. Its children are Briefs inside a Reading, and
// names in the list of ctx/sessions, where every session has its own entry.
type Brief struct {
	Session    string   `json:"session"`
	Label      string   `json:"label"`
	Agent      string   `json:"agent"`
	Model      string   `json:"model"`
	Workspace  string   `json:"workspace"`
	Title      string   `json:"title"`
	Branch     string   `json:"branch"`
	Parent     *string  `json:"parent"`
	Used       int64    `json:"used"`
	Limit      *int64   `json:"limit"`
	Percent    *float64 `json:"percent"`
	Level      Level    `json:"level"`
	Basis      Basis    `json:"basis"`
	Pending    bool     `json:"pending"`
	Activity   Activity `json:"activity"`
	WaitingFor string   `json:"waitingFor"`
	Since      *int64   `json:"since"`
	AsOf       *int64   `json:"asOf"`
	Children   []any    `json:"children"`
	Display    Display  `json:"display"`
}

// Limits are the three numbers of a model's window.
type Limits struct {
	Window *int64 `json:"window,omitempty"`
	Input  *int64 `json:"input,omitempty"`
	Output *int64 `json:"output,omitempty"`
}

// Rule is a compaction rule: a percentage of the limit, room for the answer
// with a target below the window, a fixed line, or several, of which the
// lowest holds. In its place "none" or an agent's name is understood too.
type Rule struct {
	Percent *float64 `json:"percent,omitempty"`
	Reserve *int64   `json:"reserve,omitempty"`
	Target  *int64   `json:"target,omitempty"`
	Line    *int64   `json:"line,omitempty"`
}

// OpenParams are the parameters of ctx/session/open.
type OpenParams struct {
	ID           string            `json:"id,omitempty"`
	Agent        string            `json:"agent,omitempty"` // default "generic"
	AgentVersion string            `json:"agentVersion,omitempty"`
	Model        string            `json:"model,omitempty"`
	Provider     string            `json:"provider,omitempty"`
	Route        string            `json:"route,omitempty"`
	Workspace    string            `json:"workspace,omitempty"`
	Mode         string            `json:"mode,omitempty"` // "hybrid" or "provider"
	Limits       *Limits           `json:"limits,omitempty"`
	Reserve      *int64            `json:"reserve,omitempty"`
	Rule         any               `json:"rule,omitempty"`      // Rule, "none" or an agent's name
	Reasoning    string            `json:"reasoning,omitempty"` // never, turn, always; learned when absent
	Parent       string            `json:"parent,omitempty"`
	Label        string            `json:"label,omitempty"`
	Title        string            `json:"title,omitempty"` // what the agent itself calls the session; never a prompt
	Branch       string            `json:"branch,omitempty"`
	Settings     map[string]string `json:"settings,omitempty"` // of the agent, by its own names
	At           *int64            `json:"at,omitempty"`
}

// Item is one piece of a conversation, with its text or its tokens.
type Item struct {
	Kind       Kind   `json:"kind"` // user assistant toolCalls toolResults reasoning media summary documents
	Text       string `json:"text,omitempty"`
	Tokens     *int64 `json:"tokens,omitempty"`
	Label      string `json:"label,omitempty"`
	Name       string `json:"name,omitempty"` // of the tool
	MediaType  string `json:"mediaType,omitempty"`
	Width      *int64 `json:"width,omitempty"`
	Height     *int64 `json:"height,omitempty"`
	Pages      *int64 `json:"pages,omitempty"`
	Seconds    *int64 `json:"seconds,omitempty"`
	Error      bool   `json:"error,omitempty"`      // of a tool result
	Reply      *bool  `json:"reply,omitempty"`      // false: not produced by the last request
	Opaque     *int64 `json:"opaque,omitempty"`     // length of a signed or encrypted block
	Parameters *int64 `json:"parameters,omitempty"` // of a tool call
	Hidden     bool   `json:"hidden,omitempty"`     // sent, but not part of what the person sees
}

// Part is a piece of a fixed row. In its place a text or a number of tokens
// is understood too, and an array of any of them.
type Part struct {
	Text     string `json:"text,omitempty"`
	Tokens   *int64 `json:"tokens,omitempty"`
	Label    string `json:"label,omitempty"`
	Deferred bool   `json:"deferred,omitempty"`
}

// Replacement puts an item in the place of another.
type Replacement struct {
	Index  int64  `json:"index"`
	Item   Item   `json:"item"`
	Reason string `json:"reason,omitempty"`
}

// UpdateParams are the parameters of ctx/session/update. A fixed row that is
// named is replaced as a whole; null clears it.
type UpdateParams struct {
	ID         string        `json:"id"`
	Model      string        `json:"model,omitempty"`
	Provider   string        `json:"provider,omitempty"`
	Route      string        `json:"route,omitempty"`
	Limits     *Limits       `json:"limits,omitempty"`
	Reserve    *int64        `json:"reserve,omitempty"`
	Rule       any           `json:"rule,omitempty"`
	System     any           `json:"system,omitempty"`
	Tools      any           `json:"tools,omitempty"`
	MCPTools   any           `json:"mcpTools,omitempty"`
	Skills     any           `json:"skills,omitempty"`
	Agents     any           `json:"agents,omitempty"`
	Memory     any           `json:"memory,omitempty"`
	Documents  any           `json:"documents,omitempty"` // of this turn only
	Append     []Item        `json:"append,omitempty"`
	Replace    []Replacement `json:"replace,omitempty"`
	RemoveFrom *int64        `json:"removeFrom,omitempty"`
	Turn       string        `json:"turn,omitempty"`  // "start" or "end"
	Draft      any           `json:"draft,omitempty"` // what is being typed; null or "" clears it
	Title      *string       `json:"title,omitempty"`
	Branch     *string       `json:"branch,omitempty"`
	Activity   *Activity     `json:"activity,omitempty"`   // "" takes the host's word back; it counts until the conversation goes on
	WaitingFor string        `json:"waitingFor,omitempty"` // with activity "waiting": "approval" or "prompt"
	Since      *int64        `json:"since,omitempty"`      // with activity: when it began; otherwise now
	At         *int64        `json:"at,omitempty"`
}

// UsageParams are the parameters of ctx/session/usage.
type UsageParams struct {
	ID       string `json:"id"`
	Request  string `json:"request,omitempty"` // the response's id: the same id replaces
	Provider string `json:"provider,omitempty"`
	Usage    any    `json:"usage"`             // as it came; Usage for provider "ctx"
	Through  *int64 `json:"through,omitempty"` // how many items that prompt held
	Final    *bool  `json:"final,omitempty"`   // false for a piece of a stream
	Counted  bool   `json:"counted,omitempty"` // the provider counted this prompt and did not run it
	At       *int64 `json:"at,omitempty"`
}

// Usage is the neutral usage of provider "ctx".
type Usage struct {
	In         *int64 `json:"in,omitempty"` // the whole prompt, cached or not
	Out        *int64 `json:"out,omitempty"`
	Reasoning  *int64 `json:"reasoning,omitempty"` // inside out
	CacheRead  *int64 `json:"cacheRead,omitempty"` // inside in, as cacheWrite
	CacheWrite *int64 `json:"cacheWrite,omitempty"`
}

// ErrorParams are the parameters of ctx/session/error.
type ErrorParams struct {
	ID       string `json:"id"`
	Provider string `json:"provider,omitempty"`
	Error    any    `json:"error"` // as it came
	Status   *int64 `json:"status,omitempty"`
	At       *int64 `json:"at,omitempty"`
}

// CompactedParams are the parameters of ctx/session/compacted.
type CompactedParams struct {
	ID      string `json:"id"`
	Trigger string `json:"trigger,omitempty"` // "auto" or "manual"
	Summary any    `json:"summary,omitempty"` // a Part, a text or a number of tokens
	Kept    *int64 `json:"kept,omitempty"`    // how many of the last items stay
	Tokens  *int64 `json:"tokens,omitempty"`  // what is left, where the caller knows
	Before  *int64 `json:"before,omitempty"`
	At      *int64 `json:"at,omitempty"`
}

// RecordsParams are the parameters of ctx/session/records.
type RecordsParams struct {
	ID      string `json:"id"`
	Agent   string `json:"agent,omitempty"` // recognised from the records when absent
	Records []any  `json:"records"`         // raw records, strings that hold them, or {"skipped": bytes}
	Open    any    `json:"open,omitempty"`  // true or OpenParams: open the session if it is not
	Steps   bool   `json:"steps,omitempty"` // answer with the predictions that were settled
	Reading *bool  `json:"reading,omitempty"`
	At      *int64 `json:"at,omitempty"`
}

// RecordsAnswer is the answer of ctx/session/records when steps were asked for.
type RecordsAnswer struct {
	Reading *Reading `json:"reading,omitempty"`
	Steps   []Step   `json:"steps"`
}

// Step is one prediction and what came of it.
type Step struct {
	Session   string `json:"session"`
	Model     string `json:"model"`
	Call      int64  `json:"call"`
	Kind      string `json:"kind"` // tool, user, resume, compaction, model
	Predicted int64  `json:"predicted"`
	Actual    int64  `json:"actual"`
}

// SessionParams name a session: the parameters of ctx/session/reading, close
// and save.
type SessionParams struct {
	ID string `json:"id"`
}

// SessionsAnswer is the answer of ctx/sessions.
type SessionsAnswer struct {
	Sessions []Brief `json:"sessions"`
}

// HistoryParams are the parameters of ctx/session/history.
type HistoryParams struct {
	ID     string `json:"id"`
	Points *int64 `json:"points,omitempty"` // at most so many; default 200
}

// HistoryAnswer is the course of a session.
type HistoryAnswer struct {
	Points      []HistoryPoint      `json:"points"`
	Compactions []HistoryCompaction `json:"compactions"`
	Line        *int64              `json:"line"`
	Limit       *int64              `json:"limit"`
}

// HistoryPoint is one metered prompt.
type HistoryPoint struct {
	At      *int64   `json:"at"`
	Call    int64    `json:"call"`
	Used    int64    `json:"used"`
	Percent *float64 `json:"percent"` // of the limit as it is now
}

// HistoryCompaction is one compaction.
type HistoryCompaction struct {
	At      *int64 `json:"at"`
	Call    int64  `json:"call"`
	Before  *int64 `json:"before"`
	After   *int64 `json:"after"`
	Trigger string `json:"trigger"` // "auto" or "manual"
}

// ItemsParams are the parameters of ctx/session/items.
type ItemsParams struct {
	ID  string `json:"id"`
	Top *int64 `json:"top,omitempty"` // default 20
}

// ItemsAnswer lists the largest items.
type ItemsAnswer struct {
	Items []LargeItem `json:"items"`
	Total int64       `json:"total"` // items of the conversation
}

// LargeItem is one of the largest items: its label and size, not its text.
type LargeItem struct {
	Index  int64   `json:"index"`
	Kind   Kind    `json:"kind"`
	Label  string  `json:"label"`
	Tokens int64   `json:"tokens"`
	Basis  Basis   `json:"basis"`
	Share  float64 `json:"share"` // of used, in percent
}

// SaveAnswer is the answer of ctx/session/save.
type SaveAnswer struct {
	Ledger Ledger `json:"ledger"`
}

// Ledger is a saved session: counts and labels, in an order of their own.
type Ledger struct {
	Schema   string            `json:"schema"` // "ctx.ledger/2"
	Session  string            `json:"session"`
	Settings map[string]string `json:"settings"`
	Names    []string          `json:"names"`
	Numbers  []int64           `json:"numbers"`
	Reader   *ReaderState      `json:"reader,omitempty"` // where the session is read from a transcript
}

// ReaderState is what the reader of a transcript remembers of earlier
// records: counts, ids, hashes and labels. One that remembers too much to be
// saved after every change is left out.
type ReaderState struct {
	Agent string   `json:"agent"`
	Names []string `json:"names"`
	State string   `json:"state"` // base64
}

// RestoreParams are the parameters of ctx/session/restore.
type RestoreParams struct {
	Ledger Ledger `json:"ledger"`
	ID     string `json:"id,omitempty"` // instead of its own
	Parent string `json:"parent,omitempty"`
}

// CountParams are the parameters of ctx/count: one text or several, for a
// model or by an encoding.
type CountParams struct {
	Text       *string  `json:"text,omitempty"`
	Texts      []string `json:"texts,omitempty"`
	Model      string   `json:"model,omitempty"`
	Provider   string   `json:"provider,omitempty"`
	Encoding   string   `json:"encoding,omitempty"`
	Boundaries bool     `json:"boundaries,omitempty"`
	// Exact asks a provider, through the daemon; core has no network.
	Exact *ExactCount `json:"exact,omitempty"`
}

// ExactCount is a request that the provider itself is to count, because the
// user asked for it.
type ExactCount struct {
	API     string `json:"api"`               // anthropic, openai, gemini, bedrock, vllm, llama.cpp, …
	Model   string `json:"model,omitempty"`   // replaces the request's
	Request any    `json:"request"`           // the body that would be sent
	BaseURL string `json:"baseUrl,omitempty"` // of a server on this machine that takes no provider's key
	Session string `json:"session,omitempty"` // the session that the answer calibrates
	Through *int64 `json:"through,omitempty"` // how many of its items the request holds
}

// CountAnswer is the answer of ctx/count.
type CountAnswer struct {
	Tokens     int64   `json:"tokens"`
	Basis      Basis   `json:"basis"`
	Encoding   string  `json:"encoding"`             // "" where the model has no public one
	Texts      []int64 `json:"texts,omitempty"`      // each, when several were asked for
	Boundaries []int64 `json:"boundaries,omitempty"` // ends of tokens, in bytes
}

// ExactAnswer is the answer of ctx/count to an exact count.
type ExactAnswer struct {
	API      string   `json:"api"`
	Model    string   `json:"model,omitempty"`
	Tokens   int64    `json:"tokens"`
	Basis    Basis    `json:"basis"`              // "estimated" where the provider counts text only
	Window   int64    `json:"window,omitempty"`   // where the provider says it
	Original int64    `json:"original,omitempty"` // before the provider's own context editing
	Cached   int64    `json:"cached,omitempty"`
	Note     string   `json:"note,omitempty"`
	Reading  *Reading `json:"reading,omitempty"` // of the session that was calibrated
}

// ModelsParams are the parameters of ctx/models.
type ModelsParams struct {
	Query string `json:"query,omitempty"`
}

// ModelsAnswer is the answer of ctx/models.
type ModelsAnswer struct {
	Models []Model `json:"models"`
}

// Model is what the registry knows of a model.
type Model struct {
	ID        string `json:"id"`
	Provider  string `json:"provider"`
	Window    *int64 `json:"window"`
	Input     *int64 `json:"input"`
	Output    *int64 `json:"output"`
	Sharing   string `json:"sharing"` // "shared" or "separate"
	Encoding  string `json:"encoding"`
	Family    string `json:"family"`
	Reasoning string `json:"reasoning"`
	Source    string `json:"source"`
	Date      string `json:"date"`
}

// Refused is the shape of an error.
type Refused struct {
	Code    int64       `json:"code"`
	Message string      `json:"message"` // a sentence
	Data    RefusedData `json:"data"`
}

// RefusedData tells programs what the sentence tells people.
type RefusedData struct {
	Kind  string   `json:"kind"`
	Field string   `json:"field,omitempty"`
	Name  string   `json:"name,omitempty"`
	Known []string `json:"known,omitempty"`
}
