// Copyright The ctx-lsp authors. MIT licence.

package api

// The types of this file are the daemon's: the core knows nothing of them.

// Reason is why a session is the one in focus: what led to it, or fullest
// where nothing did.
//
//wire:words session terminal file workspace fullest
type Reason string

// WatchParams are the parameters of ctx/watch.
type WatchParams struct {
	Workspace     string  `json:"workspace,omitempty"`     // a path or a file URI; default everything
	WorkDoneToken Foreign `json:"workDoneToken,omitempty"` // of LSP: for progress while sessions are read
}

// WatchAnswer is the answer of ctx/watch.
type WatchAnswer struct {
	Sessions []Reading `json:"sessions"` // those read within 1.5 s; the others arrive as ctx/reading
}

// FocusParams are the parameters of ctx/focus: what the person looks at. The
// first of them that leads to a session counts.
type FocusParams struct {
	Session     string `json:"session,omitempty"`
	TerminalPID int64  `json:"terminalPid,omitempty"` // the process of a terminal, below which an agent runs; on Linux
	File        string `json:"file,omitempty"`        // a path or a file URI
	Workspace   string `json:"workspace,omitempty"`   // likewise
}

// LevelParams tell that a session crossed into a level, or compacted.
type LevelParams struct {
	Session   string  `json:"session"`
	Level     Level   `json:"level"`
	Before    Level   `json:"before"`
	Compacted bool    `json:"compacted,omitempty"`
	Reading   Reading `json:"reading"`
}

// FocusedParams tell that another session is the one to show.
type FocusedParams struct {
	Shown   Reason   `json:"shown,omitempty"`
	Reading *Reading `json:"reading"` // null when there is none
}

// ClosedParams tell that a session that was watched is gone.
type ClosedParams struct {
	Session string `json:"session"`
}

// Settings are what a user can say. initializationOptions, the answer to
// workspace/configuration (section ctx) and the settings of
// workspace/didChangeConfiguration have this one shape; names that are not
// here are a face's own.
type Settings struct {
	Model       string             `json:"model"` // counted for in prompt files while no session tells
	Agent       string             `json:"agent"` // whose rules of loading count, where a file has several readers
	Notify      NotifySettings     `json:"notify"`
	PromptFiles PromptFileSettings `json:"promptFiles"`
}

// NotifySettings are about messages.
type NotifySettings struct {
	Level string `json:"level"` // window/showMessage from this level on: none, soon, now, over
}

// PromptFileSettings are what a user can say about prompt files.
type PromptFileSettings struct {
	CodeLens    bool       `json:"codeLens"`    // what the file weighs, above its first line
	InlayHints  bool       `json:"inlayHints"`  // the tokens of each section, behind its heading
	Hover       bool       `json:"hover"`       // the breakdown
	Diagnostics bool       `json:"diagnostics"` // what is too heavy, missing, circular or there twice
	Budget      FileBudget `json:"budget"`
}

// FileBudget is how many tokens a file may weigh, its imports included, before
// a diagnostic says so; 0 for no limit.
type FileBudget struct {
	Always int64 `json:"always"` // what is in every request
	Loaded int64 `json:"loaded"` // what is loaded by path or on demand
}
