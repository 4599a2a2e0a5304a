// Copyright The ctx-lsp authors. MIT licence.

package api

// Reading is everything a face shows of a session, already decided: a face
// that needs arithmetic has found a missing field.
//
//wire:writes shown
type Reading struct {
	Schema       string `json:"schema" from:"core.Schema" kept:"names"` // "ctx.reading/1"
	Session      string `json:"session" from:"s.ID" kept:"names"`       // the session's id
	Label        string `json:"label" kept:"names"`                     // its name for users
	Agent        string `json:"agent" kept:"names"`
	AgentVersion string `json:"agentVersion" kept:"names"`
	Model        string `json:"model" kept:"names"`
	Workspace    string `json:"workspace" kept:"names"`
	// The agent's own title, or the user's name for it: one line of at most 200 bytes, "" without one.
	Title  string  `json:"title" kept:"names"`
	Branch string  `json:"branch" kept:"names"` // that the agent works on, if its records show it
	Parent *string `json:"parent" kept:"names"` // the session it is a sub-agent of
	Mode   Mode    `json:"mode"`
	// How used is known. Faces print ~ for the estimated ones and ? for unknown.
	Basis   Basis `json:"basis"`
	Pending bool  `json:"pending"` // something was sent that has not been answered
	// The agent's activity. The core sees only records; the daemon, which sees processes and has a clock, adds the rest.
	Activity   Activity `json:"activity"`
	WaitingFor string   `json:"waitingFor"` // while the agent waits: "approval", "prompt" or ""
	Since      *Time    `json:"since"`      // when the activity began; for work, when the turn began
	// Tokens the next request will occupy if it is sent now: in - leaving + carry + new.
	Used int64 `json:"used"`
	Low  int64 `json:"low"` // the range that holds nine next requests of ten, by the session's own errors
	High int64 `json:"high"`
	// Why the range is wide, if the cause cannot be predicted; empty otherwise.
	RangeCause  string  `json:"rangeCause" from:"s.RangeCause.String()"`
	RangePhrase *Phrase `json:"rangePhrase,omitempty" phrase:"&s.RangeCause"` // the same as a phrase
	// The largest prompt: the maximum input if it is known, otherwise the window.
	Limit *int64 `json:"limit"`
	// Free in the window: limit - used - reserve; may be negative. compaction.left is what is left until it compacts.
	Free         *int64      `json:"free" known:"s.Limit"`
	FreeShare    *Hundredths `json:"freeShare"` // of the window, as every share; never negative
	Reserve      int64       `json:"reserve"`   // room kept for the answer, where prompt and answer share the window
	ReserveShare *Hundredths `json:"reserveShare"`
	// Used of the limit, rounded half up; more than 100 is shown as it is. null if the limit is unknown.
	Percent     *Hundredths `json:"percent" profile:"0.1"`
	LimitSource LimitSource `json:"limitSource"`
	// null before the first and after a compaction; after an overflow the refused prompt, whose size the refusal names.
	LastRequest *LastRequest `json:"lastRequest"`
	Leaving     Leaving      `json:"leaving"`
	New         NewItems     `json:"new"`
	Breakdown   []Row        `json:"breakdown"`                   // sums to used exactly, deferred rows apart
	MCPServers  []Server     `json:"mcpServers" from:"s.Servers"` // what their tools occupy, most first
	Largest     []LargeItem  `json:"largest"`                     // the ten largest things of the conversation, by name
	Compaction  Compaction   `json:"compaction"`
	Advice      []Advice     `json:"advice"` // what could go, most first; advice only
	Accuracy    Accuracy     `json:"accuracy"`
	Spent       Spent        `json:"spent"`
	Compactions int64        `json:"compactions"`                         // how many there were
	Verdict     *Verdict     `json:"verdict"`                             // the last compaction; null before the first
	Back        *Back        `json:"back"`                                // what coming back costs; null if the cache's lifetime is not recorded
	Children    []Brief      `json:"children" write:"s.writeChildren()"`  // sub-agents, with windows of their own
	Warnings    []string     `json:"warnings" write:"s.writeWarnings(w)"` // sentences that say what is odd
	Notes       Notes        `json:"notes" write:"s.writeNotes(w)"`       // the warnings as phrases
	AsOf        *Time        `json:"asOf"`                                // of the last fact
	// Provider mode: why no measured percentage is shown, in a few words; absent if one is shown.
	Unmeasured       string    `json:"unmeasured,omitempty" from:"s.Unmeasured.String()"`
	UnmeasuredPhrase *Phrase   `json:"unmeasuredPhrase,omitempty" phrase:"&s.Unmeasured"` // the same as a phrase
	AgentPercent     *AgentOwn `json:"agentPercent" from:"s.AgentOwn"`                    // null if the agent prints none
	// The agent's own count of its window, in a sentence; next to breakdown and not part of it.
	AgentCounts       string  `json:"agentCounts,omitempty" from:"s.AgentCounts.String()"`
	AgentCountsPhrase *Phrase `json:"agentCountsPhrase,omitempty" phrase:"&s.AgentCounts"` // the same as a phrase
	// How much of the model's window is used, if the agent uses only a part of it: some meters divide by that window.
	WholeWindow       string  `json:"wholeWindow,omitempty" from:"s.WholeWindow.String()"`
	WholeWindowPhrase *Phrase `json:"wholeWindowPhrase,omitempty" phrase:"&s.WholeWindow"` // the same as a phrase
	// The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise.
	Host    string  `json:"host,omitempty" by:"daemon"`
	Display Display `json:"display"` // the short strings that faces print
	// The lines that were asked for in ctx/watch, finished.
	Lines map[string]string `json:"lines,omitempty" by:"daemon"`
	// The first words of the first prompt, for the screen: of a session without a title, if ctx/watch asks.
	Opening    string     `json:"opening,omitempty" by:"daemon"`
	File       string     `json:"file,omitempty" by:"daemon"`       // the transcript it is read from
	Allowance  *Allowance `json:"allowance,omitempty" by:"daemon"`  // the limits of the account, as the agent says on this machine
	Shown      Reason     `json:"shown,omitempty" by:"daemon"`      // why it is the one in focus
	Because    string     `json:"because,omitempty" by:"daemon"`    // the same in a sentence
	Candidates []string   `json:"candidates,omitempty" by:"daemon"` // that the focused agent may run, if uncertain
}

// Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as the agent itself
// says on this machine; nobody else is asked.
type Allowance struct {
	Windows    []AllowanceWindow `json:"windows"`    // the shortest first
	CacheUntil *Time             `json:"cacheUntil"` // null if the agent does not report it
	At         *Time             `json:"at"`         // when the agent reported it
}

// AllowanceWindow is one limit of an account.
type AllowanceWindow struct {
	Minutes int64      `json:"minutes"` // how long it runs: 300 is five hours, 10,080 a week
	Percent Hundredths `json:"percent"` // that is used
	Resets  *Time      `json:"resets"`  // when it restarts
}

// LastRequest is the last metered prompt and what its answer carries on.
//
//wire:writes core.LastRequest
type LastRequest struct {
	In         int64       `json:"in"` // the whole prompt, cached or not
	Percent    *Hundredths `json:"percent"`
	CacheRead  *int64      `json:"cacheRead"`
	CacheWrite *int64      `json:"cacheWrite"`
	Out        *int64      `json:"out"`
	Reasoning  *int64      `json:"reasoning"`
	Carry      int64       `json:"carry"` // what the answer carries into the next prompt
	CarryBasis Basis       `json:"carryBasis"`
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
	Reason string  `json:"reason" from:"s.Reason.String()"`
	Phrase *Phrase `json:"phrase,omitempty" phrase:"&s.Reason"` // the reason as a phrase
	Tokens int64   `json:"tokens"`
}

// NewItems is what was appended after the last metered prompt.
//
//wire:writes core.NewItems
type NewItems struct {
	Tokens int64 `json:"tokens"`
	Items  int64 `json:"items"`
	Basis  Basis `json:"basis"`
}

// Row is one line of the breakdown.
//
//wire:writes core.Row
type Row struct {
	Kind  Kind   `json:"kind"`
	Label string `json:"label" from:"s.Label.String()"`
	// The label as a phrase; absent if it is that of the kind, null if it is third-party text.
	Phrase   *Phrase     `json:"phrase,omitempty" phrase:"&s.Label, s.Kind"`
	Tokens   int64       `json:"tokens"`
	Share    *Hundredths `json:"share"` // of the window; null of a deferred one, and without a window
	Bar      Hundredths  `json:"bar"`   // how long its bar is, in percent of the largest row's
	Basis    Basis       `json:"basis"`
	Deferred bool        `json:"deferred,omitempty"` // listed, but not in the window yet and not in the sum
}

// Server is an MCP server of the session, known because its tools were listed
// or called, or because the agent is configured with it.
//
//wire:writes core.Server
type Server struct {
	Name     string `json:"name"`
	Tools    int64  `json:"tools"`    // that are known by name
	Listed   bool   `json:"listed"`   // these are all; else they are those that were called
	Deferred int64  `json:"deferred"` // of them, those that are listed by name and loaded when they are asked for
	// Of them, those that were never called; null if not all tools are known.
	NeverCalled *int64  `json:"neverCalled"`
	Calls       int64   `json:"calls"`  // that are in the window
	Tokens      *int64  `json:"tokens"` // in every request; null if unknown
	Basis       Basis   `json:"basis"`
	SwitchOff   string  `json:"switchOff" from:"s.Off"`            // what switches it off, for this agent; "" if unknown
	Text        string  `json:"text" from:"s.Text.String()"`       // all of this in a sentence, as faces show it
	Phrase      *Phrase `json:"phrase,omitempty" phrase:"&s.Text"` // the sentence as a phrase
}

// Compaction is when the agent compacts, and at which threshold.
//
//wire:writes core.Compaction
type Compaction struct {
	Rule      string      `json:"rule"`      // which rule
	Since     string      `json:"since"`     // since when it holds
	Source    string      `json:"source"`    // who says so
	Line      *int64      `json:"line"`      // null without a rule or a window; at most limit - reserve
	LineShare *Hundredths `json:"lineShare"` // of the window: where in a bar of it the line is
	// Where the threshold comes from and what it overrules; empty if it is the rule's.
	LineFrom       string       `json:"lineFrom" from:"s.LineFrom.String()"`
	LineFromPhrase *Phrase      `json:"lineFromPhrase,omitempty" phrase:"&s.LineFrom"` // the same as a phrase
	Sources        []LineSource `json:"sources"`                                       // sources of the threshold, in order of precedence
	Left           *int64       `json:"left" known:"s.Line"`                           // line - used
	LeftShare      *Hundredths  `json:"leftShare"`                                     // of the window; never negative
	Percent        *Hundredths  `json:"percent"`                                       // used of the line
	Level          Level        `json:"level" profile:"0.1"`                           // how near the threshold is, or without one the full window
	Reached        bool         `json:"reached"`                                       // used > line
	Advised        bool         `json:"advised"`                                       // whether to compact now: from the level now on, a margin below the line
	Buffer         *int64       `json:"buffer"`                                        // between the line and the limit
	BufferShare    *Hundredths  `json:"bufferShare"`                                   // of the window
	Landing        *Landing     `json:"landing"`
	// Until it compacts, else until the window is full; null before three requests, unless earlier sessions showed it.
	CallsLeft *Range `json:"callsLeft"`
	TurnsLeft *Range `json:"turnsLeft"`
	// Where the forecasts come from, if not from the session itself; empty otherwise.
	ForecastFrom   string  `json:"forecastFrom" from:"s.ForecastFrom.String()"`
	ForecastPhrase *Phrase `json:"forecastPhrase,omitempty" phrase:"&s.ForecastFrom"` // the same as a phrase
	// The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if unknown.
	Hint       string  `json:"hint" profile:"0.1" from:"s.Hint.String()"`
	HintPhrase *Phrase `json:"hintPhrase,omitempty" phrase:"&s.Hint"` // the same as a phrase
}

// LineSource is a source of the compaction threshold.
//
//wire:writes core.LineSource
type LineSource struct {
	Source LineSourceKind `json:"source" from:"s.Kind"`
	Name   string         `json:"name" from:"s.Name.String()"`       // what front ends show
	Phrase *Phrase        `json:"phrase,omitempty" phrase:"&s.Name"` // the name as a phrase; absent for a setting
	// The name and the value of a setting of the agent, as it was set; "" for other sources.
	Setting string    `json:"setting"`
	Value   string    `json:"value"`
	Line    *int64    `json:"line"` // the threshold that it gives alone; null if it gives none
	State   LineState `json:"state"`
	// How its value is read, or why it has no effect; empty otherwise.
	Note       string  `json:"note" from:"s.Note.String()"`
	NotePhrase *Phrase `json:"notePhrase,omitempty" phrase:"&s.Note"` // the same as a phrase
}

// Verdict compares a compaction with the Reading before it. Its sentence leaves out unknown facts.
//
//wire:writes core.Verdict
type Verdict struct {
	At      *Time             `json:"at"`
	Trigger CompactionTrigger `json:"trigger"`
	Before  int64             `json:"before"` // the prompt that was compacted
	// How before is known: measured if the agent records it.
	BeforeBasis Basis  `json:"beforeBasis"`
	Left        *int64 `json:"left"`      // the size of the next prompt without what the user added
	LeftBasis   Basis  `json:"leftBasis"` // how left is known: estimated until the next request is measured
	Freed       *int64 `json:"freed"`     // before - left
	// The compaction threshold that was shown before it; null without one.
	Threshold    *int64          `json:"threshold"`
	Source       *LineSourceKind `json:"source" from:"s.Source()"`                      // the source that decided it; null without a threshold
	SourceText   string          `json:"sourceText" from:"s.SourceName.String()"`       // its name, as front ends show it
	SourcePhrase *Phrase         `json:"sourcePhrase,omitempty" phrase:"&s.SourceName"` // the name as a phrase; absent for a setting
	// Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known threshold.
	AsPredicted  Answer  `json:"asPredicted"`
	ThresholdNow *int64  `json:"thresholdNow"`                      // the threshold from then on; null if it stayed
	Loop         bool    `json:"loop"`                              // this compaction and the one before each freed less than a fifth
	Text         string  `json:"text" from:"s.Text.String()"`       // all of this in sentences
	Phrase       *Phrase `json:"phrase,omitempty" phrase:"&s.Text"` // the sentences as a phrase
}

// Back is what coming back to a session costs: until when its prompt is in the provider's cache, as the transcript
// records it, and how much the next prompt writes to the cache after that. Front ends compare the times with a clock.
//
//wire:writes core.Back
type Back struct {
	WarmUntil int64 `json:"warmUntil"` // until then the next prompt is read from the cache
	// From then on it is rewritten. Between warmUntil and coldFrom either may happen.
	ColdFrom  int64     `json:"coldFrom"`
	WarnFrom  int64     `json:"warnFrom"` // when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason
	Cause     BackCause `json:"cause"`    // why it is cold
	Life      int64     `json:"life"`     // the cache's lifetime in milliseconds
	Rewritten int64     `json:"anew"`     // tokens that the next prompt writes to the cache once it is cold
	Display   string    `json:"display"`  // anew as front ends print it: "441k"
	Kept      int64     `json:"kept"`     // the fixed part that it still reads then; after hours often nothing
	Weighted  int64     `json:"weighted"` // anew and kept by cost, in tokens of plain input
	// When the agent compacts the session itself if it is left alone, and the tokens that leaves; null if it does not.
	CompactsAt   *Time  `json:"compactsAt"`
	CompactsTo   *int64 `json:"compactsTo"`
	CompactFirst *int64 `json:"compactFirst"` // what the first prompt after a compaction writes anew; null if unknown
	// Whether a compaction between warnFrom and warmUntil is cheaper than one after it; nowText says so.
	CompactNow bool    `json:"compactNow"`
	Text       string  `json:"text" from:"s.Text.String()"`       // the cost of a cold cache in a clause
	Phrase     *Phrase `json:"phrase,omitempty" phrase:"&s.Text"` // the clause as a phrase
	// The agent's own compaction in a clause; empty if it does not compact.
	CompactsText   string  `json:"compactsText" from:"s.CompactsText.String()"`
	CompactsPhrase *Phrase `json:"compactsPhrase,omitempty" phrase:"&s.CompactsText"` // the clause as a phrase
	// The cost after a compaction before the next prompt, in a clause; empty if unknown or not smaller.
	FirstText   string  `json:"firstText" from:"s.FirstText.String()"`
	FirstPhrase *Phrase `json:"firstPhrase,omitempty" phrase:"&s.FirstText"` // the clause as a phrase
	// That a compaction now is cheaper than one later, in a clause; empty if it is not.
	NowText   string  `json:"nowText" from:"s.NowText.String()"`
	NowPhrase *Phrase `json:"nowPhrase,omitempty" phrase:"&s.NowText"` // the clause as a phrase
}

// Landing is what compaction is expected to leave.
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

// Advice is something that could go.
//
//wire:writes core.Advice
type Advice struct {
	Action      string  `json:"action"`
	Label       string  `json:"label" from:"s.Label.String()"`
	Phrase      *Phrase `json:"phrase,omitempty" phrase:"&s.Label"` // the label as a phrase
	Tokens      int64   `json:"tokens"`                             // tokens freed
	Basis       Basis   `json:"basis"`                              // basis of the tokens
	AtMost      bool    `json:"atMost"`                             // less may be freed
	Items       int64   `json:"items"`
	How         string  `json:"how" from:"s.How.String()"`
	HowPhrase   *Phrase `json:"howPhrase,omitempty" phrase:"&s.How"` // how as a phrase; absent for a command
	BreaksCache bool    `json:"breaksCache"`
}

// Accuracy is the session's own record of its predictions.
//
//wire:writes core.Accuracy
type Accuracy struct {
	Last         *Miss       `json:"last"`
	Ratio        Hundredths  `json:"ratio"` // actual size of estimated texts divided by their estimates, as learned from the requests so far
	MedianTokens *int64      `json:"medianTokens"`
	P95Tokens    *int64      `json:"p95Tokens"`
	P95Percent   *Hundredths `json:"p95Percent"`
	Steps        int64       `json:"steps"`
}

// Miss is one prediction and its measurement.
//
//wire:writes core.Miss
type Miss struct {
	Predicted int64      `json:"predicted"`
	Actual    int64      `json:"actual"`
	Error     int64      `json:"error"` // predicted - actual
	Percent   Hundredths `json:"percent"`
	Cause     string     `json:"cause" from:"s.Cause.String()"`      // the likely cause of an error of more than one percent
	Phrase    *Phrase    `json:"phrase,omitempty" phrase:"&s.Cause"` // the cause as a phrase
}

// Spent is what all requests used together; cached tokens are inside in. It
// says nothing of what fills the window.
//
//wire:writes core.Spent
type Spent struct {
	Calls      int64 `json:"calls"`
	In         int64 `json:"in"`
	Out        int64 `json:"out"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
	Reasoning  int64 `json:"reasoning"`
	Total      int64 `json:"total" from:"s.Total()"` // in + out
	// The total by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an hour.
	Effective int64 `json:"effective" from:"s.Effective()"`
}

// AgentOwn is the number the agent itself prints, by its own formula.
//
//wire:writes core.AgentPercent
type AgentOwn struct {
	Value  Hundredths `json:"value" from:"s.Hundredths"`
	Label  string     `json:"label" from:"s.Label.String()"`
	Phrase *Phrase    `json:"phrase,omitempty" phrase:"&s.Label"` // the label as a phrase
}

// Display holds the short strings of a Reading; no face rounds for itself.
//
//wire:writes core.Display
//wire:plain
type Display struct {
	// How full, as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown.
	Number          string `json:"number" profile:"0.1"`
	Mark            string `json:"mark"` // "~" estimated, "≥" only a part is known, "!" older than unread data, "?" unknown, "" otherwise
	Percent         string `json:"percent"`
	Used            string `json:"used"`
	Limit           string `json:"limit"`
	Free            string `json:"free" profile:"0.1"` // tokens free in the window, after the reserve
	Left            string `json:"left"`               // tokens left until it compacts; "" if nothing compacts
	PercentLeft     string `json:"percentLeft"`
	Line            string `json:"line" profile:"0.1"` // the compaction threshold in tokens; "" if nothing compacts
	LinePercent     string `json:"linePercent"`
	LinePercentLeft string `json:"linePercentLeft"`
	Bar             string `json:"bar"`
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

// Brief is a sub-agent in short, inside a Reading.
//
//wire:writes shown
type Brief struct {
	Facts
	Children []Brief `json:"children" write:"s.writeChildren()"`
	Display  Display `json:"display"`
}

// ListedSession is a session in short, in the list of ctx/sessions, where its
// children have entries of their own.
//
//wire:writes shown
type ListedSession struct {
	Facts
	Children []string `json:"children" write:"s.writeChildIDs()"`
	Display  Display  `json:"display"`
}
