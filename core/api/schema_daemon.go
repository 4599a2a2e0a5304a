// Copyright The ctx-lsp authors. MIT licence.

package api

// The types of this file belong to the daemon; the core does not use them.

// Reason is the reason why a session is the focused one: the item that led to it, or elsewhere if none did.
//
//wire:words session terminal process file workspace elsewhere
type Reason string

// WatchParams are the parameters of ctx/watch.
type WatchParams struct {
	Workspace string `json:"workspace,omitempty"` // a path or a file URI; default everything
	// The folders that the client shows, which decide what is here and what is elsewhere; default the workspace.
	Folders       []string `json:"folders,omitempty"`
	WorkDoneToken Foreign  `json:"workDoneToken,omitempty"` // LSP's token for the progress of reading sessions
	// The mode of all Readings that this client gets until the next ctx/watch; default each session's own.
	Mode Mode `json:"mode,omitempty"`
	// Like in ctx/lines: until the next ctx/watch, every Reading that this client gets contains these lines, finished.
	Lines map[string]Template `json:"lines,omitempty"`
	Words map[string]string   `json:"words,omitempty"` // like in ctx/lines
	// Add the first words of the first prompt to Readings and to ctx/earlier, for sessions without a title.
	Openings bool `json:"openings,omitempty"`
	// Add the panel to all Readings until the next ctx/watch. ctx/session/reading returns that of one session.
	Panel bool `json:"panel,omitempty"`
}

// WatchAnswer is the result of ctx/watch.
type WatchAnswer struct {
	Sessions []Reading `json:"sessions"` // sessions that were read within 1.5 s; the others arrive as ctx/reading
	// The whole repository of each folder, or the folder itself. A session that started in, below or above one is here.
	Roots []string `json:"roots"`
	// Sessions are still being searched or read, for example because the engine is being compiled; ctx/searched ends
	// it.
	Searching bool `json:"searching"`
}

// EarlierParams are the parameters of ctx/earlier.
type EarlierParams struct {
	Workspace string `json:"workspace,omitempty"` // a path or a file URI; default everything
	Limit     int64  `json:"limit,omitempty"`     // maximum number of sessions, the newest; default 50, at most 500
}

// EarlierAnswer is the result of ctx/earlier.
type EarlierAnswer struct {
	Sessions []Earlier `json:"sessions"` // the newest first
	More     bool      `json:"more"`     // whether there are older ones
}

// Earlier is a session that is not read until ctx/focus names it.
type Earlier struct {
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Title   string `json:"title"` // "" without one
	// The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only.
	Opening   string `json:"opening,omitempty"`
	Workspace string `json:"workspace"`      // the directory that it was started in
	Host      string `json:"host,omitempty"` // the program that runs it for its agent; absent otherwise
	Started   *int64 `json:"started"`        // milliseconds since 1970
	Modified  int64  `json:"modified"`       // milliseconds since 1970
	// How full its window is, from the end of its transcript; null if it is older than a day or too large.
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
	Part    bool        `json:"part"` // only the end was counted, and nothing in it was measured: the real size is at least this
}

// HandoverParams are the parameters of ctx/handover.
type HandoverParams struct {
	ID     string `json:"id"`               // a session of this machine
	Tokens int64  `json:"tokens,omitempty"` // maximum length of the note; default 2,000, at least 150
	// Keep values that look like secrets.
	Unredacted bool `json:"unredacted,omitempty"`
}

// HandoverAnswer is the result of ctx/handover: the note, and the data in it.
type HandoverAnswer struct {
	Session     string            `json:"session"`
	Text        string            `json:"text"`   // Markdown
	Tokens      int64             `json:"tokens"` // length of text
	Basis       Basis             `json:"basis"`  // basis of tokens
	Asked       int64             `json:"asked"`  // maximum length that was requested
	FirstAsked  string            `json:"firstAsked"`
	LastAsked   string            `json:"lastAsked"` // "" if that is the first
	LastAnswer  string            `json:"lastAnswer"`
	Todos       []HandoverTodo    `json:"todos"`
	Files       []HandoverFile    `json:"files"`   // changed files first, then read ones, each list with the latest first
	Failing     []HandoverFailure `json:"failing"` // the latest first
	Compactions int64             `json:"compactions"`
	Skipped     int64             `json:"skipped"` // records that could not be read
	Struck      int64             `json:"struck"`  // values in the texts that look like secrets
}

// TodoState is the state of an entry in an agent's list.
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

// SeesParams are the parameters of ctx/sees.
type SeesParams struct {
	ID   string `json:"id"`   // a session of this machine
	Path string `json:"path"` // a file of the session's workspace
	// The text of the file in the editor, if it is not saved.
	Text *string `json:"text,omitempty"`
}

// SeesAnswer is the result of ctx/sees: what the next request holds of a file. It has no text of the file.
type SeesAnswer struct {
	Session string       `json:"session"`
	Path    string       `json:"path"`
	Lines   int64        `json:"lines"`  // 0 if the file is not in the workspace or cannot be read
	Held    int64        `json:"held"`   // of these, the lines that are verbatim or own
	Ranges  []SightRange `json:"ranges"` // in order and without gaps
	Text    Text         `json:"text"`   // all of this as a message
}

// SightState is what the next request holds of a line: the line as it is, the line as the agent wrote it, its place
// with another text, only a summary that names the file, nothing any more, or nothing at all. It is unknown if the
// record does not show it.
//
//wire:words verbatim own stale summarized gone never unknown
type SightState string

// SightRange is lines in the same state.
type SightRange struct {
	From  int64      `json:"from"` // 1 is the first line
	To    int64      `json:"to"`   // the last line
	State SightState `json:"state"`
	Item  *string    `json:"item"` // the item that holds the lines, or held them
	At    *Time      `json:"at"`   // when it was added, and for gone lines when they left
	Text  Text       `json:"text"` // the state and the item
}

// ForgotParams are the parameters of ctx/forgot.
type ForgotParams struct {
	ID         string `json:"id"`                   // a session of this machine
	Compaction int64  `json:"compaction,omitempty"` // number of the compaction, 1 for the first; default the last
	Unredacted bool   `json:"unredacted,omitempty"` // keep values that look like secrets
}

// ForgotAnswer is the result of ctx/forgot: the content of the window before a compaction, and what became of it.
type ForgotAnswer struct {
	Session      string        `json:"session"`
	Compaction   int64         `json:"compaction"`
	Compactions  int64         `json:"compactions"`  // number of compactions so far
	At           *int64        `json:"at"`           // milliseconds since 1970
	Auto         bool          `json:"auto"`         // the agent compacted automatically
	Summary      string        `json:"summary"`      // "" if it is not recorded
	SummaryTells bool          `json:"summaryTells"` // false if the summary is not recorded
	Items        []ForgotItem  `json:"items"`        // those that have tokens, in their order
	Largest      []ForgotThing `json:"largest"`      // the ten largest that are gone, or unknown; the largest first
	More         ForgotSum     `json:"more"`         // the others that are gone, or unknown
	Kept         ForgotSum     `json:"kept"`
	InSummary    ForgotSum     `json:"inSummary"`
	Gone         ForgotSum     `json:"gone"`
	Unknown      ForgotSum     `json:"unknown"`   // if the summary is not recorded
	Total        int64         `json:"total"`     // tokens of all items
	After        *ForgotAfter  `json:"after"`     // the agent's own size; null if it records none
	Reasoning    int64         `json:"reasoning"` // number of reasoning items, which are not listed
	Basis        Basis         `json:"basis"`     // basis of the tokens
	Struck       int64         `json:"struck"`    // values in the texts that look like secrets
	Text         string        `json:"text"`      // a line for users
}

// ForgotState is what became of an item in a compaction: it is still sent, the summary mentions it, or it is gone. It
// is unknown if the summary is not recorded.
//
//wire:words kept inSummary gone unknown
type ForgotState string

// ForgotItem is a message, a call with its result, or a file with everything that was read from it and written to it.
type ForgotItem struct {
	Kind    string      `json:"kind"`
	Label   string      `json:"label"`
	Excerpt string      `json:"excerpt"` // the beginning of a message
	Tokens  *int64      `json:"tokens"`  // null if not counted
	State   ForgotState `json:"state"`
	Kept    int64       `json:"kept"`    // tokens of it that are still sent; with the state kept, the rest is dropped
	Names   int64       `json:"names"`   // number of names in it that few other items have
	Found   int64       `json:"found"`   // number of these names in the summary
	Missing []string    `json:"missing"` // up to five of the missing names
}

// ForgotThing is all items of one name that were dropped, or the dropped part of a kept one. Of unrecorded summaries it
// is all that is unknown.
type ForgotThing struct {
	Kind    string `json:"kind"` // of its first item
	Label   string `json:"label"`
	Excerpt string `json:"excerpt"` // the beginning of a message
	Tokens  int64  `json:"tokens"`
	Items   int64  `json:"items"` // number of items of this name
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

// ForgotSum is the number and the tokens of the items in a state. Tokens of gone include the parts of kept items that
// are no longer sent, such as older versions of a file.
type ForgotSum struct {
	Items  int64 `json:"items"`
	Tokens int64 `json:"tokens"`
}

// FirstParams are the parameters of ctx/first.
type FirstParams struct {
	Workspace string `json:"workspace"`       // a path or a file URI
	Agent     string `json:"agent,omitempty"` // only sessions of this agent; default all agents
}

// FirstAnswer is the result of ctx/first: the fixed context that the sessions of a workspace began with, by agent.
type FirstAnswer struct {
	Workspace string    `json:"workspace"`
	Agents    []FirstOf `json:"agents"`
}

// FirstOf is the fixed context that the sessions of one agent began with.
type FirstOf struct {
	Agent    string         `json:"agent"`
	Name     string         `json:"name"`     // the name that users know
	Sentence string         `json:"sentence"` // how it changed, and the cause, as a message
	Change   *FirstChange   `json:"change"`   // the change in numbers; null if there is nothing to compare
	Sessions []FirstRequest `json:"sessions"` // the oldest first
}

// FirstChange is how the fixed context changed: the median of the newest sessions compared with that of the oldest.
type FirstChange struct {
	From       int64    `json:"from"`
	To         int64    `json:"to"`
	Since      int64    `json:"since"`      // when the oldest session began, in milliseconds since 1970
	Steady     bool     `json:"steady"`     // they differ by less than 5% or 500 tokens
	Kind       string   `json:"kind"`       // of the row that changed most in that direction; "" without one
	Tokens     int64    `json:"tokens"`     // the change in tokens; negative if it shrank
	Servers    []string `json:"servers"`    // for mcpTools: the MCP servers that caused the change
	OtherModel bool     `json:"otherModel"` // another model, which may count differently
}

// FirstRequest is the fixed context in the first request of a session: its setup.
type FirstRequest struct {
	Session string        `json:"session"`
	Version string        `json:"agentVersion"`
	Model   string        `json:"model"`
	At      int64         `json:"at"`    // when it began, in milliseconds since 1970
	In      int64         `json:"in"`    // the whole first request
	Setup   int64         `json:"setup"` // the request without its conversation
	Rows    []FirstRow    `json:"rows"`  // rows that add up to setup
	Servers []FirstServer `json:"mcpServers"`
	// The session continues another conversation, so its first request does not show the fixed context.
	Continues bool `json:"continues,omitempty"`
}

// FirstRow is one row of a setup.
type FirstRow struct {
	Kind   string `json:"kind"`
	Tokens int64  `json:"tokens"`
}

// FirstServer is the size of an MCP server's tools in a setup.
type FirstServer struct {
	Name   string `json:"name"`
	Tokens int64  `json:"tokens"`
}

// FocusParams are the parameters of ctx/focus: what the user is looking at. The first of them that leads to a session
// is used.
type FocusParams struct {
	Session     string `json:"session,omitempty"`
	TerminalPID int64  `json:"terminalPid,omitempty"` // a terminal's process, below which an agent runs
	File        string `json:"file,omitempty"`        // a path or a file URI
	Workspace   string `json:"workspace,omitempty"`   // a path or a file URI
}

// TerminalsParams are the parameters of ctx/terminals.
type TerminalsParams struct {
	PIDs []int64 `json:"pids"` // the terminals' processes, at most 256
}

// TerminalsAnswer is the result of ctx/terminals.
type TerminalsAnswer struct {
	Terminals []Terminal `json:"terminals"` // in the order of the request
}

// Proof is how it is known that a process runs a session, the strongest first: the agent's own file about its process,
// the open transcript, the id on the command line, or start times that leave one possibility, which is an inference. It
// is empty without proof.
//
//wire:words sessionFile openFile command start
type Proof string

// Terminal describes the agent in a terminal.
type Terminal struct {
	PID        int64    `json:"pid"`
	Agent      string   `json:"agent"`   // "" if none runs
	Process    int64    `json:"process"` // the agent's process; 0 if none runs
	Session    *string  `json:"session"` // null if uncertain
	Proof      Proof    `json:"proof"`
	Status     string   `json:"status"`     // the agent's own word: busy, idle, waiting, or ""
	Candidates []string `json:"candidates"` // if uncertain: the sessions to ask the user about
	Because    string   `json:"because"`    // the reason, as a message
}

// LevelParams report that a session crossed a level, compacted, or became inactive. Only live sessions cross levels
// upwards.
type LevelParams struct {
	Session   string   `json:"session"`
	Level     Level    `json:"level"`
	Before    Level    `json:"before"`
	Crossed   Crossing `json:"crossed"`
	First     bool     `json:"first,omitempty"` // up, to a level that the session has not reached before
	Compacted bool     `json:"compacted,omitempty"`
	Reading   Reading  `json:"reading"`
}

// FocusedParams report that another session should be shown.
type FocusedParams struct {
	Reading *Reading `json:"reading"` // with its focus; null if there is no session to show
}

// OfferParams offer a vocabulary that would make the counts of a watched session exact. Each one is offered once, to
// one client, and never again after a reply.
type OfferParams struct {
	Name     string  `json:"name"`             // the name to pass to ctx/vocabulary
	Sentence string  `json:"sentence"`         // a message for users: the purpose, size and source
	Phrase   *Phrase `json:"phrase,omitempty"` // the message as a phrase
	Address  string  `json:"address"`          // address of the server
	Licence  string  `json:"licence"`
	Bytes    int64   `json:"bytes"` // size of the download
	Model    string  `json:"model"` // the session's model
}

// VocabularyParams are the parameters of ctx/vocabulary.
type VocabularyParams struct {
	Name  string `json:"name"`            // a name from ctx/offer or from ctx-lsp vocab fetch
	Fetch bool   `json:"fetch,omitempty"` // true downloads it; false declines
}

// ClosedParams report that a watched session was closed.
type ClosedParams struct {
	Session string `json:"session"`
}

// Settings are the settings of a user. initializationOptions, the reply to workspace/configuration (section ctx) and
// the settings of workspace/didChangeConfiguration have this shape. Other names are settings of the front end itself.
type Settings struct {
	Model         string             `json:"model"` // the model that prompt files are counted for, unless a session sets it
	Agent         string             `json:"agent"` // the agent whose loading rules apply if several agents read the file
	Watch         bool               `json:"watch"` // whether the daemon watches the workspace's sessions for a client that does not send ctx/watch
	Notify        NotifySettings     `json:"notify"`
	PromptFiles   PromptFileSettings `json:"promptFiles"`
	Sight         bool               `json:"sight,omitempty"`         // a lens above each file with the lines that are in the next request
	GlobalStorage []string           `json:"globalStorage,omitempty"` // directories in which the editor's extensions keep their tasks: the parent of globalStorageUri
}

// NotifySettings are the settings for messages.
type NotifySettings struct {
	Level string `json:"level"` // window/showMessage from this level on: none, soon, now, over
}

// PromptFileSettings are the settings for prompt files.
type PromptFileSettings struct {
	CodeLens    bool       `json:"codeLens"`    // the size of the file, above its first line
	InlayHints  bool       `json:"inlayHints"`  // the tokens of each section, after its heading
	Hover       bool       `json:"hover"`       // the breakdown
	Diagnostics bool       `json:"diagnostics"` // problems: large, missing, circular or duplicate content
	Budget      FileBudget `json:"budget"`
	Phrases     bool       `json:"phrases"` // add the phrases of texts, for a client that translates
}

// FileBudget is how many tokens a file may have, its imports included, before it gets a diagnostic; 0 for no limit.
type FileBudget struct {
	Always int64 `json:"always"` // limit for content that is in every request
	Loaded int64 `json:"loaded"` // limit for content that is loaded by path or on demand
}
