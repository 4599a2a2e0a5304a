// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A method is one that clients can call.
type method struct {
	// lane names the lane for the work, so that work in one lane keeps its order; nil for none.
	lane func(c *connection, r *request) string
	// changes is set if the work changes a session. Once begun it is finished and answered, even if it is cancelled.
	changes bool
	run     handler
}

type handler func(c *connection, r *request) ([]byte, *api.Error)

// answers maps the methods of the protocol to their handlers. Everything else about a method is in core/api.
var answers = map[string]handler{
	"ctx/session/open":      (*connection).openSession,
	"ctx/session/restore":   (*connection).restoreSession,
	"ctx/session/update":    (*connection).changeSession,
	"ctx/session/messages":  (*connection).changeSession,
	"ctx/session/usage":     (*connection).changeSession,
	"ctx/session/error":     (*connection).changeSession,
	"ctx/session/compacted": (*connection).changeSession,
	"ctx/session/records":   (*connection).recordSession,
	"ctx/session/reading":   (*connection).askSession,
	"ctx/session/history":   (*connection).askSession,
	"ctx/session/items":     (*connection).askSession,
	"ctx/session/fits":      (*connection).askSession,
	"ctx/session/save":      (*connection).askSession,
	"ctx/session/close":     (*connection).closeSession,
	"ctx/sessions":          (*connection).listSessions,

	"ctx/count":       (*connection).count,
	"ctx/models":      (*connection).forward,
	"ctx/lines":       (*connection).forward,
	"ctx/crossing":    (*connection).forward,
	"ctx/learned/get": (*connection).forward,
	"ctx/learned/set": (*connection).forward,

	"ctx/document/open":   (*connection).openDocumentCall,
	"ctx/document/change": (*connection).documentCall,
	"ctx/document/view":   (*connection).documentCall,
	"ctx/document/close":  (*connection).closeDocumentCall,

	"ctx/earlier":   (*connection).listEarlier,
	"ctx/handover":  (*connection).writeHandover,
	"ctx/forgot":    (*connection).compareForgotten,
	"ctx/sees":      (*connection).answerSees,
	"ctx/first":     (*connection).listFirsts,
	"ctx/watch":     (*connection).startWatch,
	"ctx/unwatch":   (*connection).stopWatch,
	"ctx/focus":     (*connection).setFocus,
	"ctx/terminals": (*connection).askTerminals,

	"ctx/vocabulary": (*connection).answerOffer,
}

// ofDocuments maps the methods of LSP whose order matters, requests and notifications, to their handlers.
var ofDocuments = map[string]handler{
	"textDocument/didOpen":                (*connection).didOpen,
	"textDocument/didChange":              (*connection).didChange,
	"textDocument/didClose":               (*connection).didClose,
	"textDocument/didSave":                (*connection).didSave,
	"textDocument/codeLens":               (*connection).codeLens,
	"textDocument/inlayHint":              (*connection).inlayHint,
	"textDocument/hover":                  (*connection).hover,
	"textDocument/documentLink":           (*connection).documentLink,
	"textDocument/diagnostic":             (*connection).diagnostic,
	"workspace/executeCommand":            (*connection).executeCommand,
	"workspace/didChangeConfiguration":    (*connection).didChangeConfiguration,
	"workspace/didChangeWorkspaceFolders": (*connection).didChangeWorkspaceFolders,
	"workspace/didChangeWatchedFiles":     (*connection).didChangeWatchedFiles,
}

// laneFor maps each kind of thing that a method reaches to its lane.
var laneFor = map[api.Reach]func(c *connection, r *request) string{
	api.OneSession: sessionLane, api.OneSet: documentLane, api.Lessons: learnedLane, api.Client: watchLane,
}

var (
	methods    map[string]method
	allMethods []string
)

func init() {
	methods = map[string]method{"inlayHint/resolve": {run: (*connection).resolveInlayHint}}
	for name, run := range ofDocuments {
		methods[name] = method{lane: documentLane, run: run}
	}
	for _, m := range slices.Concat(api.Methods, api.DaemonMethods) {
		methods[m.Name] = method{laneFor[m.Reaches], m.Effect != api.Reads, answers[m.Name]}
	}
	for name := range methods {
		allMethods = append(allMethods, name)
	}
	slices.Sort(allMethods)
}

func sessionLane(_ *connection, r *request) string {
	id := r.fields.Text("id")
	if id == "" {
		return ""
	}
	return "session " + id
}

func learnedLane(*connection, *request) string { return "learned" }

func watchLane(c *connection, _ *request) string { return "watch " + c.scope }

// documentLane returns one lane for all documents of a client, and for the settings and files that affect them, because
// a request must see the effect of earlier notifications about any document.
func documentLane(c *connection, _ *request) string { return "documents " + c.scope }
