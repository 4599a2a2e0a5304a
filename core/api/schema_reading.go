// Copyright The ctx-lsp authors. MIT licence.

package api

// Reading is everything that front ends show of a session, already decided. A front end that needs arithmetic has found
// a missing field.
//
//wire:writes shown
type Reading struct {
	Schema       string `json:"schema" glance:"-" from:"core.Schema" kept:"names"` // "ctx.reading/3"
	Session      string `json:"session" from:"s.ID" kept:"names"`                  // the session's id
	Label        string `json:"label" kept:"names"`                                // its name for users
	Agent        string `json:"agent" kept:"names"`
	AgentVersion string `json:"agentVersion" glance:"-" kept:"names"`
	Model        string `json:"model" kept:"names"`
	Workspace    string `json:"workspace" kept:"names"`
	// The agent's own title, or the user's name for it: one line of at most 200 bytes, "" without one.
	Title  string  `json:"title" kept:"names"`
	Branch string  `json:"branch" kept:"names"` // the branch that the agent works on, if its records show it
	Parent *string `json:"parent" kept:"names"` // the parent's session id, for a sub-agent
	Mode   Mode    `json:"mode"`
	// The basis of used. Front ends print ~ for estimated and ? for unknown.
	Basis   Basis `json:"basis"`
	Pending bool  `json:"pending"` // a request is waiting for its response
	// The agent's activity. The core sees only records; the daemon, which sees processes and has a clock, adds the
	// rest.
	Activity   Activity `json:"activity"`
	WaitingFor string   `json:"waitingFor"`       // while the agent waits: "approval", "prompt" or ""
	Since      *Time    `json:"since" glance:"-"` // when the activity began; for work, when the turn began
	// Tokens the next request will occupy if it is sent now.
	Used  int64 `json:"used"`
	Range Span  `json:"range" from:"s.Reading" glance:"-"` // the range of the next request
	// The largest prompt: the maximum input if it is known, otherwise the window.
	Limit *int64 `json:"limit"`
	// Tokens free in the window: limit - used - reserve; may be negative. compaction.left is the rest up to the
	// threshold.
	Free      *int64      `json:"free" known:"s.Limit"`
	FreeShare *Hundredths `json:"freeShare" glance:"-"` // share of the window, like every share; never negative
	Reserve   int64       `json:"reserve" glance:"-"`   // tokens kept for the response, if prompt and response share the window
	// used as a percentage of the limit, rounded half up; may exceed 100. null if the limit is unknown.
	Percent     *Hundredths `json:"percent" profile:"0.1"`
	LimitSource LimitSource `json:"limitSource" glance:"-"`
	// null before the first request and after a compaction; after an overflow, the refused prompt if the error gives
	// its size.
	LastRequest *LastRequest `json:"lastRequest"`
	Leaving     Leaving      `json:"leaving" glance:"-"`
	New         NewItems     `json:"new" glance:"-"`
	// Tokens of used that were neither measured nor appended; absent if 0.
	Assumed    int64       `json:"assumed,omitempty" glance:"-"`
	Breakdown  []Row       `json:"breakdown"`                              // rows that add up to used, apart from deferred ones
	MCPServers []Server    `json:"mcpServers" glance:"-" from:"s.Servers"` // tokens of each server's tools, the largest first
	Largest    []LargeItem `json:"largest" glance:"-"`                     // the ten largest entries of the conversation, by name
	Compaction Compaction  `json:"compaction"`
	Advice     []Advice    `json:"advice" glance:"-"` // things that the user can remove, the largest first
	Accuracy   Accuracy    `json:"accuracy"`
	Spent      Spent       `json:"spent"`
	Cache      Cache       `json:"cache" from:"s.Reading"`                        // the provider's cache of the prompt
	Children   []Brief     `json:"children" glance:"-" write:"s.writeChildren()"` // sub-agents, which have their own windows
	Warnings   []Text      `json:"warnings" glance:"-"`                           // messages about problems
	// Known models that resemble an unknown model, which a warning names; absent without any.
	SimilarModels []string `json:"similarModels,omitempty" glance:"-" from:"s.entry.session.SimilarModels(&s.Reading)"`
	AsOf          *Time    `json:"asOf"` // time of the last event
	// Provider mode: why no measured percentage is shown, in a few words; absent if one is shown.
	Unmeasured Text `json:"unmeasured,omitzero"`
	// What the agent itself shows of its window; absent if it shows nothing.
	AgentOwn *AgentOwn `json:"agentOwn,omitempty" from:"s.agentOwn()"`
	// The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise.
	Host    string  `json:"host,omitempty" glance:"-" by:"daemon"`
	Display Display `json:"display"` // the short texts that front ends print
	// Everything about the session in words, if the caller asked for it.
	Panel *Panel `json:"panel,omitempty" glance:"-" from:"s.panel()"`
	// The finished lines that ctx/watch requested.
	Lines map[string]string `json:"lines,omitempty" glance:"-" by:"daemon"`
	// The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only.
	Opening   string     `json:"opening,omitempty" by:"daemon"`
	File      string     `json:"file,omitempty" glance:"-" by:"daemon"`      // the transcript that the session is read from
	Allowance *Allowance `json:"allowance,omitempty" glance:"-" by:"daemon"` // the account's limits, as reported by the agent on this machine
	Focus     *Focus     `json:"focus,omitempty" glance:"-" by:"daemon"`     // why it is the focused session; only from ctx/focus and ctx/focused
}

// Focus is the reason for choosing a session.
type Focus struct {
	Reason     Reason   `json:"reason"`
	Because    string   `json:"because"`    // the reason, as a message
	Candidates []string `json:"candidates"` // sessions that the focused agent may run, if uncertain
}

// Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as reported by the
// agent on this machine. No other source is asked.
type Allowance struct {
	Windows    []AllowanceWindow `json:"windows"`         // the shortest first
	CacheUntil *Time             `json:"cacheUntil"`      // null if the agent does not report it
	Cache      *AgentCache       `json:"cache,omitempty"` // the session's prompt cache by the agent's own account
	At         *Time             `json:"at"`              // when the agent reported it
}

// AgentCache is the prompt cache of a session by the agent's own account, which counts by rules of its own. Nothing is
// computed from it, and cache.breaks are not from it. A value is null if the agent does not report it.
type AgentCache struct {
	Warm       *bool             `json:"warm"`
	Life       *int64            `json:"life"`       // the lifetime in milliseconds
	Requests   *int64            `json:"requests"`   // requests that it counts
	Misses     *int64            `json:"misses"`     // of them, those that missed the cache
	Expected   *int64            `json:"expected"`   // rebuilds that it expected, such as after a compaction
	Hits       *Hundredths       `json:"hits"`       // the part of the prompts that was read, in percent
	Written    *int64            `json:"written"`    // tokens written to the cache
	Rewritten  *int64            `json:"rewritten"`  // tokens that misses wrote again
	LastMiss   *Time             `json:"lastMiss"`   // when the last miss was
	LastCauses []string          `json:"lastCauses"` // its causes, in the agent's words
	Causes     []AgentCacheCause `json:"causes"`     // the misses by cause, the most frequent first
	IfCold     *int64            `json:"ifCold"`     // tokens that the next request would write if the cache were cold
}

// AgentCacheCause is a cause of misses, in the agent's words, and their number.
type AgentCacheCause struct {
	Cause string `json:"cause"`
	Count int64  `json:"count"`
}

// AllowanceWindow is one limit of an account.
type AllowanceWindow struct {
	Minutes int64      `json:"minutes"` // length in minutes: 300 is five hours, 10,080 a week
	Percent Hundredths `json:"percent"` // percentage used
	Resets  *Time      `json:"resets"`  // when it restarts
}

// Span is the range that contains 90% of next requests, by the session's own errors.
//
//wire:writes core.Reading
type Span struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
	// Why the range is wide, if the cause cannot be predicted; absent otherwise.
	Cause Text `json:"cause,omitzero" from:"s.RangeCause"`
}

// LastRequest is the last measured prompt and the part of its response that is in the next one.
//
//wire:writes core.LastRequest
type LastRequest struct {
	In         int64       `json:"in"` // the whole prompt, cached or not
	Percent    *Hundredths `json:"percent"`
	CacheRead  *int64      `json:"cacheRead" glance:"-"`
	CacheWrite *int64      `json:"cacheWrite" glance:"-"`
	Out        *int64      `json:"out" glance:"-"`
	Reasoning  *int64      `json:"reasoning" glance:"-"`
	Carry      int64       `json:"carry" glance:"-"` // the part of the response that is in the next prompt
	CarryBasis Basis       `json:"carryBasis" glance:"-"`
}

// Leaving is the part of the last prompt that will not be sent again.
//
//wire:writes core.Leaving
type Leaving struct {
	Tokens  int64           `json:"tokens"`
	Reasons []LeavingReason `json:"reasons"`
}

// LeavingReason is one cause and its share.
//
//wire:writes core.LeavingReason
type LeavingReason struct {
	Reason Text  `json:"reason"`
	Tokens int64 `json:"tokens"`
}

// NewItems are the items appended after the last measured prompt.
//
//wire:writes core.NewItems
type NewItems struct {
	Tokens int64 `json:"tokens"`
	Items  int64 `json:"items"`
	Basis  Basis `json:"basis"`
}

// Row is one row of the breakdown.
//
//wire:writes core.Row
type Row struct {
	Kind     Kind        `json:"kind"`
	Label    Text        `json:"label" glance:"-"`
	Tokens   int64       `json:"tokens"`
	Share    *Hundredths `json:"share" glance:"-"` // share of the window; null for a deferred row or an unknown window
	Bar      Hundredths  `json:"bar" glance:"-"`   // length of its bar, in percent of the largest row's
	Basis    Basis       `json:"basis" glance:"-"`
	Deferred bool        `json:"deferred,omitempty"` // listed, but neither in the window nor in the sum
}

// Server is an MCP server of the session. It is known from its listed or called tools, or from the agent's
// configuration.
//
//wire:writes core.Server
type Server struct {
	Name     string `json:"name"`
	Tools    int64  `json:"tools"`    // number of tools known by name
	Listed   bool   `json:"listed"`   // true if these are all; otherwise only called tools are known
	Deferred int64  `json:"deferred"` // number of tools that are listed by name and loaded on demand
	// Number of tools that were never called; null if not all tools are known.
	NeverCalled *int64 `json:"neverCalled"`
	Calls       int64  `json:"calls"`  // number of calls in the window
	Tokens      *int64 `json:"tokens"` // tokens in every request; null if unknown
	Basis       Basis  `json:"basis"`
	SwitchOff   string `json:"switchOff" from:"s.Off"` // what switches it off, for this agent; "" if unknown
	Text        Text   `json:"text"`                   // all of this as a message, for front ends
}

// Compaction describes when the agent compacts, and at which threshold.
//
//wire:writes core.Compaction
type Compaction struct {
	Rule           string      `json:"rule" glance:"-"`   // name of the rule
	Since          string      `json:"since" glance:"-"`  // date from which it applies
	Source         string      `json:"source" glance:"-"` // where it was found
	Threshold      *int64      `json:"threshold"`         // null without a rule or a window; at most limit - reserve
	ThresholdShare *Hundredths `json:"thresholdShare"`    // position of the threshold in a bar of the window, as a share
	// The source of the threshold and what it overrules; absent if the rule decides.
	ThresholdFrom Text              `json:"thresholdFrom,omitzero" glance:"-"`
	Sources       []ThresholdSource `json:"sources" glance:"-"` // sources of the threshold, in order of precedence
	// The last change of the threshold during the session; null without one.
	Moved       *ThresholdMove `json:"moved" glance:"-"`
	Left        *int64         `json:"left" known:"s.Threshold"` // line - used
	LeftShare   *Hundredths    `json:"leftShare" glance:"-"`     // of the window; never negative
	Percent     *Hundredths    `json:"percent"`                  // used as a percentage of the threshold
	Level       Level          `json:"level" profile:"0.1"`      // how near the threshold is; without one, how near the full window is
	Reached     bool           `json:"reached" glance:"-"`       // used > threshold
	Advised     bool           `json:"advised" glance:"-"`       // true if it is time to compact: from the level now on, a margin below the threshold
	Buffer      *int64         `json:"buffer" glance:"-"`        // tokens between the threshold and the limit
	BufferShare *Hundredths    `json:"bufferShare" glance:"-"`   // share of the window
	Landing     *Landing       `json:"landing" glance:"-"`
	// Requests until it compacts, otherwise until the window is full; null before three, unless earlier sessions show
	// it.
	CallsLeft *Range `json:"callsLeft"`
	TurnsLeft *Range `json:"turnsLeft"`
	// The source of the forecasts; absent for the session itself.
	ForecastFrom Text `json:"forecastFrom,omitzero" glance:"-"`
	// The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if
	// unknown.
	Hint  Text     `json:"hint" profile:"0.1"`
	Count int64    `json:"count"`           // number of compactions
	Last  *Verdict `json:"last" glance:"-"` // the last one; null before the first
}

// ThresholdMove is a change of the compaction threshold during a session, without what the agent counts differently.
//
//wire:writes core.ThresholdMove
type ThresholdMove struct {
	At     *Time               `json:"at"`
	Call   int64               `json:"call"` // number of the request before it
	From   int64               `json:"from"`
	To     int64               `json:"to"`
	Source ThresholdSourceKind `json:"source"` // the source of the new threshold
	Text   Text                `json:"text"`   // all of this as a message
}

// ThresholdSource is a source of the compaction threshold. The threshold of the source in force and what others add
// to it are together the one that is shown, unless several settings are in force together.
//
//wire:writes core.ThresholdSource
type ThresholdSource struct {
	Source ThresholdSourceKind `json:"source" from:"s.Kind"`
	Name   Text                `json:"name"` // the name that front ends show
	// Name and value of a setting of the agent, as written; "" for other sources.
	Setting   string         `json:"setting"`
	Value     string         `json:"value"`
	Threshold *int64         `json:"threshold"` // the threshold that it gives alone; null if it gives none
	Adds      int64          `json:"adds"`      // tokens that it adds to the threshold in force; 0 unless it adjusts it
	State     ThresholdState `json:"state"`
	// How its value is interpreted, or why it has no effect; absent otherwise.
	Note Text `json:"note,omitzero"`
}

// Verdict compares a compaction with the Reading before it. Its message leaves out unknown facts.
//
//wire:writes core.Verdict
type Verdict struct {
	At      *Time             `json:"at"`
	Trigger CompactionTrigger `json:"trigger"`
	Before  int64             `json:"before"` // size of the compacted prompt
	// The basis of before: measured if the agent records it.
	BeforeBasis Basis  `json:"beforeBasis"`
	Left        *int64 `json:"left"`      // the size of the next prompt without what the user added
	LeftBasis   Basis  `json:"leftBasis"` // the basis of left: estimated until the next request is measured
	Freed       *int64 `json:"freed"`     // before - left
	// The compaction threshold that was shown before it; null without one.
	Threshold *int64               `json:"threshold"`
	Source    *ThresholdSourceKind `json:"source" from:"s.Source()"` // the source that decided it; null without a threshold
	// Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known
	// threshold.
	AsPredicted  Answer `json:"asPredicted"`
	ThresholdNow *int64 `json:"thresholdNow"` // the threshold from then on; null if it stayed
	Loop         bool   `json:"loop"`         // this compaction and the one before each freed less than a fifth
	Text         Text   `json:"text"`         // all of this as a message
}

// Cache is the provider's cache of a session's prompt, as the transcript records it.
//
//wire:writes core.Reading
type Cache struct {
	Back *Back `json:"back"` // the cost of returning; null if the cache's lifetime is not recorded
	// Requests that wrote to the cache again what the previous one had left there; absent without any.
	Breaks *CacheBreaks `json:"breaks,omitempty"`
}

// Back is the cost of returning to a session: until when the provider keeps its prompt in the cache, as recorded in the
// transcript, and how much the next prompt writes to the cache after that. Front ends compare the times with a clock.
//
//wire:writes core.Back
type Back struct {
	WarmUntil int64 `json:"warmUntil"` // until then, the next prompt is read from the cache
	// From then on, it is written again. Between warmUntil and coldFrom, either may happen.
	ColdFrom  int64     `json:"coldFrom"`
	WarnFrom  int64     `json:"warnFrom"`           // when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason
	Cause     BackCause `json:"cause"`              // the reason why it becomes cold
	Life      int64     `json:"life"`               // the cache's lifetime in milliseconds
	Rewritten int64     `json:"anew"`               // tokens that the next prompt writes to the cache once it is cold
	Display   string    `json:"display" glance:"-"` // anew as front ends print it: "441k"
	Kept      int64     `json:"kept" glance:"-"`    // the fixed context that is still read then; after hours it has often expired
	// When the agent compacts the session if it stays idle, and the size after that; null if it does not.
	CompactsAt   *Time  `json:"compactsAt" glance:"-"`
	CompactsTo   *int64 `json:"compactsTo" glance:"-"`
	CompactFirst *int64 `json:"compactFirst" glance:"-"`          // tokens that the first prompt after a compaction writes to the cache; null if unknown
	Text         Text   `json:"text" glance:"-"`                  // the cost of a cold cache in a clause
	CompactsText Text   `json:"compactsText,omitzero" glance:"-"` // the agent's own compaction in a clause; absent if it does not compact
	// The cost after a compaction before the next prompt, in a clause; absent if unknown or not smaller.
	FirstText Text `json:"firstText,omitzero" glance:"-"`
}

// CacheBreaks are the requests of a session that wrote to the cache again what the previous request had left there.
//
//wire:writes core.Breaks
type CacheBreaks struct {
	Count   int64         `json:"count"`
	Written int64         `json:"written" glance:"-"` // tokens that they wrote again, in all
	Last    DetailedBreak `json:"last"`
	Text    Text          `json:"text" glance:"-"` // the two numbers in a clause
}

// DetailedBreak is one break of the cache, with its cause in words.
//
//wire:writes core.CacheBreak
type DetailedBreak struct {
	At        *Time      `json:"at" glance:"-"`        // when the request was answered
	Call      int64      `json:"call" glance:"-"`      // the request's number in the session
	Cause     BreakCause `json:"cause"`                // why the cache broke
	Recorded  bool       `json:"recorded" glance:"-"`  // the provider or the agent named the cause; otherwise it is inferred
	Written   int64      `json:"written" glance:"-"`   // tokens written again, without the growth of the conversation
	Unread    bool       `json:"unread" glance:"-"`    // the provider reports no writes, so written is only what was not read from the cache
	Kept      int64      `json:"kept" glance:"-"`      // tokens that were still read from the cache
	CauseText Text       `json:"causeText" glance:"-"` // the cause in a clause
	Text      Text       `json:"text" glance:"-"`      // the cause and the tokens written again
}

// Landing is the range of tokens that a compaction is expected to leave.
//
//wire:writes core.Range
type Landing struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
}

// Range is a forecast with its 80% interval.
//
//wire:writes core.Range
type Range struct {
	Low    int64 `json:"low"`
	Likely int64 `json:"likely"`
	High   int64 `json:"high"`
}

// Advice is something that the user can remove.
//
//wire:writes core.Advice
type Advice struct {
	Action      string `json:"action"`
	Label       Text   `json:"label"`
	Tokens      int64  `json:"tokens"` // tokens freed
	Basis       Basis  `json:"basis"`  // basis of the tokens
	AtMost      bool   `json:"atMost"` // less may be freed
	Items       int64  `json:"items"`
	How         Text   `json:"how,omitzero"` // how to follow it: a message, or a command of the agent
	BreaksCache bool   `json:"breaksCache"`
}

// Accuracy is the session's own record of its predictions.
//
//wire:writes core.Accuracy
type Accuracy struct {
	Last         *Miss       `json:"last"`
	Ratio        Hundredths  `json:"ratio" glance:"-"` // actual size of estimated texts divided by their estimates, as learned so far
	MedianTokens *int64      `json:"medianTokens" glance:"-"`
	P95Tokens    *int64      `json:"p95Tokens" glance:"-"`
	P95Percent   *Hundredths `json:"p95Percent" glance:"-"`
	Steps        int64       `json:"steps"`
}

// Miss is one prediction and its measurement.
//
//wire:writes core.Miss
type Miss struct {
	Predicted int64      `json:"predicted" glance:"-"`
	Actual    int64      `json:"actual" glance:"-"`
	Error     int64      `json:"error"` // predicted - actual
	Percent   Hundredths `json:"percent"`
	Cause     Text       `json:"cause,omitzero" glance:"-"` // the likely cause of an error of more than one percent
}

// Spent is the total of all requests. Cached tokens are included in in. It does not describe the window.
//
//wire:writes core.Spent
type Spent struct {
	Calls      int64 `json:"calls"`
	In         int64 `json:"in" glance:"-"`
	Out        int64 `json:"out" glance:"-"`
	CacheRead  int64 `json:"cacheRead" glance:"-"`
	CacheWrite int64 `json:"cacheWrite" glance:"-"`
	Reasoning  int64 `json:"reasoning" glance:"-"`
	Total      int64 `json:"total" glance:"-" from:"s.Total()"` // in + out
	// The total weighted by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an
	// hour.
	Effective int64 `json:"effective" glance:"-" from:"s.Effective()"`
}

// AgentOwn is what the agent itself shows of its window, by its own formula.
//
//wire:writes agentOwn
type AgentOwn struct {
	Percent *Hundredths `json:"percent" from:"s.percent"`                   // null if it prints none
	Label   Text        `json:"label,omitzero" glance:"-" from:"s.label"`   // the label of percent
	Counts  Text        `json:"counts,omitzero" glance:"-" from:"s.counts"` // its own count, as a message; not part of breakdown
}

// Display holds the short texts of a Reading. No front end rounds numbers itself.
//
//wire:writes core.Display
//wire:plain
type Display struct {
	// The fullness as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown.
	Number               string `json:"number" profile:"0.1"`
	Mark                 string `json:"mark"` // "~" estimated, "≥" only a part is known, "!" older than data that is not read (yet), "?" unknown, "" otherwise
	Percent              string `json:"percent"`
	Used                 string `json:"used"`
	Limit                string `json:"limit"`
	Free                 string `json:"free" profile:"0.1"` // tokens free in the window, after the reserve
	Left                 string `json:"left"`               // tokens left until it compacts; "" if nothing compacts; free and what is left begin with "≤" if mark is "≥"
	PercentLeft          string `json:"percentLeft"`
	Threshold            string `json:"threshold" profile:"0.1"` // the compaction threshold in tokens; "" if nothing compacts
	ThresholdPercent     string `json:"thresholdPercent"`
	ThresholdPercentLeft string `json:"thresholdPercentLeft"`
	Bar                  string `json:"bar"`
}

// Facts are a short description of a session.
type Facts struct {
	Session    string      `json:"session" from:"s.ID"`
	Label      string      `json:"label"`
	Agent      string      `json:"agent"`
	Model      string      `json:"model"`
	Workspace  string      `json:"workspace"`
	Title      string      `json:"title"`
	Branch     string      `json:"branch"`
	Parent     *string     `json:"parent"`
	Used       int64       `json:"used"`
	Limit      *int64      `json:"limit"`
	Percent    *Hundredths `json:"percent"`
	Level      Level       `json:"level" from:"s.Compaction.Level"`
	Basis      Basis       `json:"basis"`
	Pending    bool        `json:"pending"`
	Activity   Activity    `json:"activity"`
	WaitingFor string      `json:"waitingFor"`
	Since      *Time       `json:"since"`
	AsOf       *Time       `json:"asOf"`
}

// Brief is a short description of a sub-agent, inside a Reading.
//
//wire:writes shown
type Brief struct {
	Facts
	Children []Brief `json:"children" write:"s.writeChildren()"`
	Display  Display `json:"display"`
}

// ListedSession is a short description of a session in the list of ctx/sessions, where sub-agents have their own
// entries.
//
//wire:writes shown
type ListedSession struct {
	Facts
	Children []string `json:"children" write:"s.writeChildIDs()"`
	Display  Display  `json:"display"`
}
