// Copyright The ctx-lsp authors. MIT licence.

package api

// ErrorKind is the kind of an error, on which programs act. Each kind has one code.
type ErrorKind string

// A failure is a kind of error and its code. Codes from -32768 to -32000 have
// the meaning that JSON-RPC and the language server protocol give them.
type failure struct {
	Kind string
	Code int64
	By   string // daemon, if the core never returns it
}

// failures is the table of all errors of the protocol. From it `make generated` writes the constants of this package,
// the type ErrorKind, and the table of docs/protocol.md.
var failures = [...]failure{
	// The message or its parameters are not JSON.
	{Kind: "parse_error", Code: -32700},
	// The message is not one request, notification or response; or it came at the wrong time.
	{Kind: "invalid_request", Code: -32600, By: "daemon"},
	// No method has this name.
	{Kind: "unknown_method", Code: -32601},
	// A parameter is missing, unknown, duplicated, of the wrong type or out of range.
	{Kind: "invalid_params", Code: -32602},
	// A defect, or an engine that failed and was replaced.
	{Kind: "internal", Code: -32603},
	// The first request was not `initialize`.
	{Kind: "not_initialized", Code: -32002, By: "daemon"},
	// The client has canceled the request.
	{Kind: "cancelled", Code: -32800, By: "daemon"},
	// The call is valid but cannot be carried out here; the message gives the reason.
	{Kind: "request_failed", Code: -32803, By: "daemon"},
	// No session of that id is open.
	{Kind: "unknown_session", Code: 1001},
	// Counting needs the vocabulary `name`: load it and repeat the same call.
	{Kind: "needs_vocabulary", Code: 1002},
	// Too large, too deep or too many.
	{Kind: "limit_exceeded", Code: 1003},
	// The id is in use.
	{Kind: "session_exists", Code: 1004},
	// The ledger is damaged, or another build saved it.
	{Kind: "bad_ledger", Code: 1005},
	// The saved session `name` cannot be read now; nothing is lost, try again.
	{Kind: "unreadable", Code: 1006, By: "daemon"},
}

// Code returns the code of an error kind.
func Code(kind string) int64 {
	for i := range failures {
		if failures[i].Kind == kind {
			return failures[i].Code
		}
	}
	return Code(Internal)
}
