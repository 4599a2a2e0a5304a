// Copyright The ctx-lsp authors. MIT licence.

package api

// The types of this file are the daemon's: the core knows nothing of them.

// Reason is why a session is the focused one: the item that led to it, or
// elsewhere if none did.
//
//wire:words session terminal process file workspace elsewhere
type Reason string

// WatchParams are the parameters of ctx/watch.
type WatchParams struct {
	Workspace string `json:"workspace,omitempty"` // a path or a file URI; default everything
	// The folders that the client shows, which decide what is here and what is elsewhere; default the workspace.
	Folders       []string `json:"folders,omitempty"`
	WorkDoneToken Foreign  `json:"workDoneToken,omitempty"` // of LSP: for progress while sessions are read
	// Of every Reading that this client gets until the next ctx/watch; default each session's own.
	Mode Mode `json:"mode,omitempty"`
	// As in ctx/lines: until the next ctx/watch every Reading that this client gets has these lines, finished.
	Lines map[string]Template `json:"lines,omitempty"`
	Words map[string]string   `json:"words,omitempty"` // as in ctx/lines
	// Readings, and the sessions of ctx/earlier, have the first words of their first prompt if they have no title.
	Openings bool `json:"openings,omitempty"`
}

// WatchAnswer is the answer of ctx/watch.
type WatchAnswer struct {
	Sessions []Reading `json:"sessions"` // those read within 1.5 s; the others arrive as ctx/reading
	// Each folder's whole repository, else the folder. A session started in one, below it or above it, is here.
	Roots []string `json:"roots"`
	// Sessions are still being searched or read, for example because the engine is being compiled; ctx/searched ends it.
	Searching bool `json:"searching"`
}

// EarlierParams are the parameters of ctx/earlier.
type EarlierParams struct {
	Workspace string `json:"workspace,omitempty"` // a path or a file URI; default everything
	Limit     int64  `json:"limit,omitempty"`     // at most so many, the newest; default 50, at most 500
}

// EarlierAnswer is the answer of ctx/earlier.
type EarlierAnswer struct {
	Sessions []Earlier `json:"sessions"` // the newest first
	More     bool      `json:"more"`     // there are older ones
}

// Earlier is a session that is not read until ctx/focus names it.
type Earlier struct {
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Title   string `json:"title"` // "" without one
	// The first words of the first prompt, for the screen: of a session without a title, if ctx/watch asks.
	Opening   string `json:"opening,omitempty"`
	Workspace string `json:"workspace"`      // where it was started
	Host      string `json:"host,omitempty"` // the program that runs it for its agent; absent otherwise
	Started   *int64 `json:"started"`        // milliseconds since 1970
	Modified  int64  `json:"modified"`       // milliseconds since 1970
	// How full its window is, by the end of its transcript; null if it is older than a day, or too large.
	Glimpse *Glimpse `json:"glimpse"`
}

// Glimpse is a preview of a window from the end of a transcript, like a Reading.
type Glimpse struct {
	Model   string      `json:"model"`
	Used    int64       `json:"used"`
	Limit   *int64      `json:"limit"`
	Percent *Hundredths `json:"percent"`
	Basis   Basis       `json:"basis"`
	Display Display     `json:"display"`
	Part    bool        `json:"part"` // only the end was counted, and nothing there was measured: there is at least so much
}

// HandoverParams are the parameters of ctx/handover.
type HandoverParams struct {
	ID     string `json:"id"`               // of a session of this machine
	Tokens int64  `json:"tokens,omitempty"` // how long the note may be; default 2,000, at least 150
	// Leave what looks like a secret in the texts.
	Unredacted bool `json:"unredacted,omitempty"`
}

// HandoverAnswer is the answer of ctx/handover: the note, and what it was written from.
type HandoverAnswer struct {
	Session     string            `json:"session"`
	Text        string            `json:"text"`   // in Markdown
	Tokens      int64             `json:"tokens"` // how long the text is
	Basis       Basis             `json:"basis"`  // of the tokens
	Asked       int64             `json:"asked"`  // how long it might be
	FirstAsked  string            `json:"firstAsked"`
	LastAsked   string            `json:"lastAsked"` // "" if that is the first
	LastAnswer  string            `json:"lastAnswer"`
	Todos       []HandoverTodo    `json:"todos"`
	Files       []HandoverFile    `json:"files"`   // those that were changed first, each sort the latest first
	Failing     []HandoverFailure `json:"failing"` // the last one first
	Compactions int64             `json:"compactions"`
	Skipped     int64             `json:"skipped"` // records that could not be read
	Struck      int64             `json:"struck"`  // values in the texts that look like secrets
}

// TodoState is how far an entry of an agent's list is.
//
//wire:words open doing done
type TodoState string

// HandoverTodo is an entry of the agent's own list.
type HandoverTodo struct {
	Text  string    `json:"text"`
	State TodoState `json:"state"`
}

// HandoverFile is a file that the agent changed or read.
type HandoverFile struct {
	Path    string `json:"path"`
	Changes int64  `json:"changes"` // calls that changed it; 0 if it was only read
	Reads   int64  `json:"reads"`
}

// HandoverFailure is a command that failed and has not succeeded since.
type HandoverFailure struct {
	Command string `json:"command"`
	Exit    int64  `json:"exit"`
	Output  string `json:"output"` // the last 2,000 characters
	Ago     int64  `json:"ago"`    // commands that ran since
}

// ForgotParams are the parameters of ctx/forgot.
type ForgotParams struct {
	ID         string `json:"id"`                   // of a session of this machine
	Compaction int64  `json:"compaction,omitempty"` // which one, 1 for the first; default the last
	Unredacted bool   `json:"unredacted,omitempty"` // leave what looks like a secret in the texts
}

// ForgotAnswer is the answer of ctx/forgot: what was in the window before a compaction, and what became of it.
type ForgotAnswer struct {
	Session      string       `json:"session"`
	Compaction   int64        `json:"compaction"`
	Compactions  int64        `json:"compactions"`  // of the session so far
	At           *int64       `json:"at"`           // milliseconds since 1970
	Auto         bool         `json:"auto"`         // the agent compacted by itself
	Summary      string       `json:"summary"`      // "" if it is not recorded
	SummaryTells bool         `json:"summaryTells"` // false if the summary is not recorded
	Items        []ForgotItem `json:"items"`        // in their order
	Kept         ForgotSum    `json:"kept"`
	InSummary    ForgotSum    `json:"inSummary"`
	Gone         ForgotSum    `json:"gone"`
	Unknown      ForgotSum    `json:"unknown"`   // if the summary is not recorded
	Total        int64        `json:"total"`     // tokens of all items
	After        *ForgotAfter `json:"after"`     // the agent's own size; null if it records none
	Reasoning    int64        `json:"reasoning"` // items of reasoning, which are not listed
	Basis        Basis        `json:"basis"`     // of the tokens
	Struck       int64        `json:"struck"`    // values in the texts that look like secrets
	Text         string       `json:"text"`      // a line for users
}

// ForgotState is what became of a thing in a compaction: it is sent on, the summary speaks of it, or it is gone. It is
// unknown where the summary is not recorded.
//
//wire:words kept inSummary gone unknown
type ForgotState string

// ForgotItem is a message, a call with its result, or a file with all that was read from it and written to it.
type ForgotItem struct {
	Kind    string      `json:"kind"`
	Label   string      `json:"label"`
	Excerpt string      `json:"excerpt"` // the beginning of a message
	Tokens  *int64      `json:"tokens"`  // null if not counted
	State   ForgotState `json:"state"`
	Kept    int64       `json:"kept"`    // tokens of it that are sent again; the rest is dropped if the state is kept
	Names   int64       `json:"names"`   // it has, and few others have
	Found   int64       `json:"found"`   // of them, in the summary
	Missing []string    `json:"missing"` // up to five of the others
}

// ForgotAfter compares the agent's own size of the messages after a compaction with the transcript. The first six
// numbers are in the agent's measure, a quarter of the characters; the others are counted for the model.
type ForgotAfter struct {
	Reported      int64  `json:"reported"`      // the agent's number, without the system prompt and the tools
	Found         int64  `json:"found"`         // the transcript's: summary + messages + attached
	Summary       int64  `json:"summary"`       // part of found
	Messages      int64  `json:"messages"`      // messages kept verbatim, part of found
	Attached      int64  `json:"attached"`      // files, hooks and other content sent with the summary, part of found
	NotFound      int64  `json:"notFound"`      // reported - found; negative if the transcript contains more
	Agrees        bool   `json:"agrees"`        // notFound is at most a tenth of reported
	Tokens        int64  `json:"tokens"`        // keptTokens + summaryTokens + addedTokens
	KeptTokens    int64  `json:"keptTokens"`    // tokens of kept
	SummaryTokens int64  `json:"summaryTokens"` // tokens of the summary
	AddedTokens   int64  `json:"addedTokens"`   // tokens of attached content that was not in the window before
	Text          string `json:"text"`          // the comparison in words
}

// ForgotSum is how much is in a state. Tokens of gone include the parts of kept items that are not sent again, such as
// older versions of a file.
type ForgotSum struct {
	Items  int64 `json:"items"`
	Tokens int64 `json:"tokens"`
}

// FirstParams are the parameters of ctx/first.
type FirstParams struct {
	Workspace string `json:"workspace"`       // a path or a file URI
	Agent     string `json:"agent,omitempty"` // only its sessions; default all agents'
}

// FirstAnswer is the answer of ctx/first: what the sessions of a workspace began with, by agent.
type FirstAnswer struct {
	Workspace string    `json:"workspace"`
	Agents    []FirstOf `json:"agents"`
}

// FirstOf is what the sessions of one agent began with.
type FirstOf struct {
	Agent    string         `json:"agent"`
	Name     string         `json:"name"`     // as users know it
	Sentence string         `json:"sentence"` // how it changed, and by what
	Change   *FirstChange   `json:"change"`   // the same in numbers; null if there is nothing to compare
	Sessions []FirstRequest `json:"sessions"` // the oldest first
}

// FirstChange is how the setup changed: the middle one of the newest sessions against that of the oldest.
type FirstChange struct {
	From       int64    `json:"from"`
	To         int64    `json:"to"`
	Since      int64    `json:"since"`      // when the oldest session began, in milliseconds since 1970
	Steady     bool     `json:"steady"`     // they differ by less than 5% or 500 tokens
	Kind       string   `json:"kind"`       // of the row that changed most in that direction; "" without one
	Tokens     int64    `json:"tokens"`     // by how much it changed; below zero if it shrank
	Servers    []string `json:"servers"`    // the MCP servers by which it changed, of mcpTools
	OtherModel bool     `json:"otherModel"` // it may count otherwise
}

// FirstRequest is what surrounded the conversation in the first request of a session: its setup.
type FirstRequest struct {
	Session string        `json:"session"`
	Version string        `json:"agentVersion"`
	Model   string        `json:"model"`
	At      int64         `json:"at"`    // when it began, in milliseconds since 1970
	In      int64         `json:"in"`    // the whole first request
	Setup   int64         `json:"setup"` // without its conversation
	Rows    []FirstRow    `json:"rows"`  // sum to setup
	Servers []FirstServer `json:"mcpServers"`
	// The session continues another conversation, so its first request does not show the setup.
	Continues bool `json:"continues,omitempty"`
}

// FirstRow is one part of a setup.
type FirstRow struct {
	Kind   string `json:"kind"`
	Tokens int64  `json:"tokens"`
}

// FirstServer is what the tools of an MCP server took of a setup.
type FirstServer struct {
	Name   string `json:"name"`
	Tokens int64  `json:"tokens"`
}

// FocusParams are the parameters of ctx/focus: what the person looks at. The
// first of them that leads to a session counts.
type FocusParams struct {
	Session     string `json:"session,omitempty"`
	TerminalPID int64  `json:"terminalPid,omitempty"` // the process of a terminal, below which an agent runs
	File        string `json:"file,omitempty"`        // a path or a file URI
	Workspace   string `json:"workspace,omitempty"`   // a path or a file URI
}

// TerminalsParams are the parameters of ctx/terminals.
type TerminalsParams struct {
	PIDs []int64 `json:"pids"` // the processes of terminals, at most 256
}

// TerminalsAnswer is the answer of ctx/terminals.
type TerminalsAnswer struct {
	Terminals []Terminal `json:"terminals"` // in the order asked
}

// Proof is why a process is known to run a session, the strongest first:
// the agent's own file on its process, the open transcript, the id on the
// command line, or start times that leave one possibility, which is an
// inference. It is empty without proof.
//
//wire:words sessionFile openFile command start
type Proof string

// Terminal describes the agent in a terminal.
type Terminal struct {
	PID        int64    `json:"pid"`
	Agent      string   `json:"agent"`   // "" if none runs
	Process    int64    `json:"process"` // the agent's; 0 if none runs
	Session    *string  `json:"session"` // null if uncertain
	Proof      Proof    `json:"proof"`
	Status     string   `json:"status"`     // the agent's own word: busy, idle, waiting, or ""
	Candidates []string `json:"candidates"` // if uncertain: the sessions to ask the user about
	Because    string   `json:"because"`    // a sentence
}

// LevelParams report that a session crossed a level, compacted, or is no longer
// at work. Nothing goes up in a session that is not live.
type LevelParams struct {
	Session   string   `json:"session"`
	Level     Level    `json:"level"`
	Before    Level    `json:"before"`
	Crossed   Crossing `json:"crossed"`
	First     bool     `json:"first,omitempty"` // up, and never so far up before in this session
	Compacted bool     `json:"compacted,omitempty"`
	Reading   Reading  `json:"reading"`
}

// FocusedParams report that another session is to be shown.
type FocusedParams struct {
	Shown      Reason   `json:"shown,omitempty"`
	Because    string   `json:"because,omitempty"`    // a sentence
	Candidates []string `json:"candidates,omitempty"` // that the focused agent may run, if uncertain
	Reading    *Reading `json:"reading"`              // null when there is none
}

// OfferParams offer a vocabulary that would make the counts of a watched session exact. Each is offered once, to one
// client, and never again after an answer.
type OfferParams struct {
	Name     string  `json:"name"`             // for ctx/vocabulary
	Sentence string  `json:"sentence"`         // for users: its purpose, size and source
	Phrase   *Phrase `json:"phrase,omitempty"` // the sentence as a phrase
	Address  string  `json:"address"`          // of the server
	Licence  string  `json:"licence"`
	Bytes    int64   `json:"bytes"` // to download
	Model    string  `json:"model"` // of the session
}

// VocabularyParams are the parameters of ctx/vocabulary.
type VocabularyParams struct {
	Name  string `json:"name"`            // as ctx/offer named it, or ctx-lsp vocab fetch does
	Fetch bool   `json:"fetch,omitempty"` // true downloads it; false says that it is not wanted
}

// ClosedParams report that a watched session was closed.
type ClosedParams struct {
	Session string `json:"session"`
}

// Settings are what a user can say. initializationOptions, the answer to
// workspace/configuration (section ctx) and the settings of
// workspace/didChangeConfiguration have this one shape; names that are not
// here are a face's own.
type Settings struct {
	Model         string             `json:"model"` // for counting prompt files while no session sets it
	Agent         string             `json:"agent"` // whose loading rules apply if a file has several readers
	Watch         bool               `json:"watch"` // whether the sessions of the workspace are watched for a client that does not ask for it
	Notify        NotifySettings     `json:"notify"`
	PromptFiles   PromptFileSettings `json:"promptFiles"`
	GlobalStorage []string           `json:"globalStorage,omitempty"` // folders in which the editor's extensions keep their tasks: the parent of globalStorageUri
}

// NotifySettings are about messages.
type NotifySettings struct {
	Level string `json:"level"` // window/showMessage from this level on: none, soon, now, over
}

// PromptFileSettings are what a user can say about prompt files.
type PromptFileSettings struct {
	CodeLens    bool       `json:"codeLens"`    // what the file weighs, above its first line
	InlayHints  bool       `json:"inlayHints"`  // the tokens of each section, after its heading
	Hover       bool       `json:"hover"`       // the breakdown
	Diagnostics bool       `json:"diagnostics"` // what is too heavy, missing, circular or there twice
	Budget      FileBudget `json:"budget"`
	Phrases     bool       `json:"phrases"` // add the phrases of texts, for a client that translates
}

// FileBudget is how many tokens a file may weigh, its imports included, before
// a diagnostic says so; 0 for no limit.
type FileBudget struct {
	Always int64 `json:"always"` // what is in every request
	Loaded int64 `json:"loaded"` // what is loaded by path or on demand
}
