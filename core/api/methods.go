// Copyright The ctx-lsp authors. MIT licence.

package api

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// Method describes one method of the protocol.
type Method struct {
	Name    string
	Takes   string // the type of its parameters
	Answers string // the type of its answer
	Reaches Reach
	Effect  Effect
	// Inside is the parameter that contains the session's id or its parent, if they are not parameters themselves.
	Inside string

	// Profile is set for the methods of the minimal profile, which is guaranteed: a test fails if one changes.
	Profile bool

	answer func(*Core, json.Value) *Error
}

// Reach says which state a method reads or changes. Calls that reach the same state are run in order.
type Reach uint8

// The state that a method may reach.
const (
	NothingKept Reach = iota // nothing that is kept
	OneSession               // the session named by id
	AllSessions              // all of them
	OneSet                   // the documents of one set
	Lessons                  // the lessons of sessions
	Client                   // the daemon's state for one client
)

// Effect says what a method does to the state that it reaches.
type Effect uint8

// The effects of methods.
const (
	Reads   Effect = iota
	Makes          // changes a session, and creates it if it does not exist
	Changes        // must be repeated to rebuild a session
	Ends           // removes a session or a document
)

// Alters reports whether a method changes anything.
func (m *Method) Alters() bool { return m.Effect != Reads }

// Scoped reports whether a method has the parameter scope.
func (m *Method) Scoped() bool {
	return m.Reaches == OneSession || m.Reaches == AllSessions || m.Reaches == OneSet
}

// Methods lists the methods of the core, in the order of the documentation.
var Methods = []Method{
	// Opens a session.
	{Name: "ctx/session/open", Takes: "OpenParams", Answers: "Reading", Reaches: OneSession, Effect: Makes, Profile: true, answer: (*Core).open},
	// Changes a session: its model, its fixed context, its items.
	{Name: "ctx/session/update", Takes: "UpdateParams", Answers: "Reading", Reaches: OneSession, Effect: Changes, Profile: true, answer: (*Core).update},
	// Passes all messages of the conversation, as the host holds them.
	{Name: "ctx/session/messages", Takes: "MessagesParams", Answers: "Reading", Reaches: OneSession, Effect: Changes, answer: (*Core).messages},
	// Passes the usage that a provider reported.
	{Name: "ctx/session/usage", Takes: "UsageParams", Answers: "Reading", Reaches: OneSession, Effect: Changes, Profile: true, answer: (*Core).usage},
	// Passes a provider's error.
	{Name: "ctx/session/error", Takes: "ErrorParams", Answers: "Reading", Reaches: OneSession, Effect: Changes, answer: (*Core).overflow},
	// Reports that the conversation was compacted.
	{Name: "ctx/session/compacted", Takes: "CompactedParams", Answers: "Reading", Reaches: OneSession, Effect: Changes, answer: (*Core).compacted},
	// Passes records of an agent's transcript. Every engine reads every agent that keeps its sessions as text.
	{Name: "ctx/session/records", Takes: "RecordsParams", Answers: "Reading | RecordsAnswer | Nothing", Reaches: OneSession, Effect: Makes, Inside: "open", answer: (*Core).records},
	// Returns the current Reading.
	{Name: "ctx/session/reading", Takes: "ReadingParams", Answers: "Reading", Reaches: OneSession, answer: (*Core).reading},
	// Closes a session and its children.
	{Name: "ctx/session/close", Takes: "SessionParams", Answers: "Nothing", Reaches: OneSession, Effect: Ends, answer: (*Core).close},
	// Lists the sessions in short.
	{Name: "ctx/sessions", Takes: "SessionsParams", Answers: "SessionsAnswer", Reaches: AllSessions, answer: (*Core).list},
	// Returns the history of a session.
	{Name: "ctx/session/history", Takes: "HistoryParams", Answers: "HistoryAnswer", Reaches: OneSession, answer: (*Core).history},
	// Lists the largest items of a session.
	{Name: "ctx/session/items", Takes: "ItemsParams", Answers: "ItemsAnswer", Reaches: OneSession, answer: (*Core).items},
	// Reports whether more text would fit into the next request of a session.
	{Name: "ctx/session/fits", Takes: "FitsParams", Answers: "FitsAnswer", Reaches: OneSession, answer: (*Core).fits},
	// Returns a ledger that restores the session after a restart.
	{Name: "ctx/session/save", Takes: "SessionParams", Answers: "SaveAnswer", Reaches: OneSession, answer: (*Core).save},
	// Opens a session again from its ledger.
	{Name: "ctx/session/restore", Takes: "RestoreParams", Answers: "Reading", Reaches: OneSession, Effect: Makes, Inside: "ledger", answer: (*Core).restore},
	// Opens a prompt file.
	{Name: "ctx/document/open", Takes: "DocumentOpenParams", Answers: "DocumentView | Nothing", Reaches: OneSet, Effect: Makes, answer: (*Core).openDocument},
	// Changes the text of a prompt file.
	{Name: "ctx/document/change", Takes: "DocumentChangeParams", Answers: "DocumentView | Nothing", Reaches: OneSet, Effect: Changes, answer: (*Core).changeDocument},
	// Returns the current view of a prompt file.
	{Name: "ctx/document/view", Takes: "DocumentViewParams", Answers: "DocumentView | Nothing", Reaches: OneSet, answer: (*Core).viewDocument},
	// Closes a prompt file.
	{Name: "ctx/document/close", Takes: "DocumentParams", Answers: "Nothing", Reaches: OneSet, Effect: Ends, answer: (*Core).closeDocument},
	// Counts texts without a session.
	{Name: "ctx/count", Takes: "CountParams", Answers: "CountAnswer | ExactAnswer", answer: (*Core).count},
	// Lists models of the registry.
	{Name: "ctx/models", Takes: "ModelsParams", Answers: "ModelsAnswer", answer: (*Core).models},
	// Fills the templates of the short lines that a front end shows of a Reading.
	{Name: "ctx/lines", Takes: "LinesParams", Answers: "LinesAnswer", Profile: true, answer: (*Core).makeLines},
	// Reports whether a session has crossed a level since the previous Reading.
	{Name: "ctx/crossing", Takes: "CrossingParams", Answers: "CrossingAnswer", answer: (*Core).crossing},
	// Returns the learned corrections.
	{Name: "ctx/learned/get", Takes: "NoParams", Answers: "LearnedAnswer", Reaches: Lessons, answer: (*Core).learnedGet},
	// Replaces the learned corrections.
	{Name: "ctx/learned/set", Takes: "LearnedParams", Answers: "Nothing", Reaches: Lessons, Effect: Changes, answer: (*Core).learnedSet},
}

// DaemonMethods lists the methods that only the daemon has.
var DaemonMethods = []Method{
	// Follows the sessions of the agents on this machine.
	{Name: "ctx/watch", Takes: "WatchParams", Answers: "WatchAnswer", Reaches: Client, Effect: Changes},
	// Stops following.
	{Name: "ctx/unwatch", Takes: "NoParams", Answers: "Nothing", Reaches: Client, Effect: Changes},
	// Lists the unread sessions of this machine: those that have not continued since the daemon began to watch.
	{Name: "ctx/earlier", Takes: "EarlierParams", Answers: "EarlierAnswer"},
	// Writes a handover note for a session, from its transcript and without a model.
	{Name: "ctx/handover", Takes: "HandoverParams", Answers: "HandoverAnswer"},
	// Compares the window before a compaction with the parts that the agent kept.
	{Name: "ctx/forgot", Takes: "ForgotParams", Answers: "ForgotAnswer"},
	// Returns what the next request of a session holds of a file, line by line, from its transcript.
	{Name: "ctx/sees", Takes: "SeesParams", Answers: "SeesAnswer"},
	// Lists the fixed context of the sessions of a workspace, with its changes and their causes.
	{Name: "ctx/first", Takes: "FirstParams", Answers: "FirstAnswer"},
	// Reports what is focused, and returns the session that belongs to it.
	{Name: "ctx/focus", Takes: "FocusParams", Answers: "Reading | null", Reaches: Client, Effect: Changes},
	// Returns the session of each given terminal, or the possible ones.
	{Name: "ctx/terminals", Takes: "TerminalsParams", Answers: "TerminalsAnswer"},
	// Fetches a vocabulary from its public address after the user agreed, or records that the user declined.
	{Name: "ctx/vocabulary", Takes: "VocabularyParams", Answers: "Nothing", Reaches: Client, Effect: Changes},
}

// Notifications lists the notifications that the daemon sends.
var Notifications = []Method{
	// A session that the client owns, joined or watches has changed.
	{Name: "ctx/reading", Takes: "Reading"},
	// A session crossed into soon, now or over, or compacted.
	{Name: "ctx/level", Takes: "LevelParams"},
	// Another session is to be shown, after ctx/focus.
	{Name: "ctx/focused", Takes: "FocusedParams"},
	// The search that ctx/watch reported as searching has ended.
	{Name: "ctx/searched", Takes: "NoParams"},
	// A session that the client watches has ended, or another client has closed a shared session that the client joined.
	{Name: "ctx/closed", Takes: "ClosedParams"},
	// A vocabulary would make the counts of a session exact.
	{Name: "ctx/offer", Takes: "OfferParams"},
}

// MethodOf returns the core's method with a name, or nil.
func MethodOf(name string) *Method {
	for i := range Methods {
		if Methods[i].Name == name {
			return &Methods[i]
		}
	}
	return nil
}

// MethodNames returns the names of the core's methods.
func MethodNames() []string {
	names := make([]string, len(Methods))
	for i := range Methods {
		names[i] = Methods[i].Name
	}
	return names
}
