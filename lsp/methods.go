// Copyright The ctx-lsp authors. MIT licence.

package lsp

import "slices"

// A method is one thing a client can ask for.
type method struct {
	// lane names the work that must not overtake this, empty for none.
	lane func(c *connection, r *request) string
	// changes is set when the work changes a session: once begun it is finished and answered, cancelled or not.
	changes bool
	run     func(c *connection, r *request) ([]byte, *wireError)
}

var (
	methods    map[string]method
	allMethods []string
)

func init() {
	methods = map[string]method{
		"ctx/session/open":      {sessionLane, true, (*connection).openSession},
		"ctx/session/restore":   {sessionLane, true, (*connection).restoreSession},
		"ctx/session/update":    {sessionLane, true, (*connection).changeSession},
		"ctx/session/usage":     {sessionLane, true, (*connection).changeSession},
		"ctx/session/error":     {sessionLane, true, (*connection).changeSession},
		"ctx/session/compacted": {sessionLane, true, (*connection).changeSession},
		"ctx/session/records":   {sessionLane, true, (*connection).recordSession},
		"ctx/session/reading":   {sessionLane, false, (*connection).askSession},
		"ctx/session/history":   {sessionLane, false, (*connection).askSession},
		"ctx/session/items":     {sessionLane, false, (*connection).askSession},
		"ctx/session/save":      {sessionLane, false, (*connection).askSession},
		"ctx/session/close":     {sessionLane, true, (*connection).closeSession},
		"ctx/sessions":          {nil, false, (*connection).listSessions},

		"ctx/count":       {nil, false, (*connection).count},
		"ctx/models":      {nil, false, (*connection).forward},
		"ctx/learned/get": {learnedLane, false, (*connection).forward},
		"ctx/learned/set": {learnedLane, true, (*connection).forward},

		"ctx/document/open":   {documentLane, true, (*connection).openDocumentCall},
		"ctx/document/change": {documentLane, true, (*connection).documentCall},
		"ctx/document/view":   {documentLane, false, (*connection).documentCall},
		"ctx/document/close":  {documentLane, true, (*connection).closeDocumentCall},

		"ctx/watch":   {watchLane, true, (*connection).startWatch},
		"ctx/unwatch": {watchLane, true, (*connection).stopWatch},
		"ctx/focus":   {watchLane, true, (*connection).setFocus},

		"textDocument/didOpen":                {documentLane, true, (*connection).didOpen},
		"textDocument/didChange":              {documentLane, true, (*connection).didChange},
		"textDocument/didClose":               {documentLane, true, (*connection).didClose},
		"textDocument/didSave":                {documentLane, true, (*connection).didSave},
		"textDocument/codeLens":               {documentLane, false, (*connection).codeLens},
		"textDocument/inlayHint":              {documentLane, false, (*connection).inlayHint},
		"inlayHint/resolve":                   {nil, false, (*connection).resolveInlayHint},
		"textDocument/hover":                  {documentLane, false, (*connection).hover},
		"textDocument/documentLink":           {documentLane, false, (*connection).documentLink},
		"textDocument/diagnostic":             {documentLane, false, (*connection).diagnostic},
		"workspace/executeCommand":            {nil, false, (*connection).executeCommand},
		"workspace/didChangeConfiguration":    {documentLane, true, (*connection).didChangeConfiguration},
		"workspace/didChangeWorkspaceFolders": {documentLane, true, (*connection).didChangeWorkspaceFolders},
		"workspace/didChangeWatchedFiles":     {documentLane, true, (*connection).didChangeWatchedFiles},
	}
	for name := range methods {
		allMethods = append(allMethods, name)
	}
	slices.Sort(allMethods)
}

func sessionLane(_ *connection, r *request) string {
	id, _, err := r.fields.text("id")
	if err != nil || id == "" {
		return ""
	}
	return "session " + id
}

func learnedLane(*connection, *request) string { return "learned" }

func watchLane(c *connection, _ *request) string { return "watch " + c.prefix }

// documentLane is one lane for all documents of a client, and for the settings and files that bear on them: a request
// must see what the notifications before it said, of whichever document.
func documentLane(c *connection, _ *request) string { return "documents " + c.prefix }
