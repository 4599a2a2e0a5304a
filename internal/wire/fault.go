// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"bytes"
	"encoding/json"
)

// EndOfInput is the method of the notification that ends a connection after every request has its answer. The process
// between a client and the shared daemon sends it, because the end of a socket says that the client has gone.
const EndOfInput = "$/endOfInput"

// Error codes of JSON-RPC, of the language server protocol, and of docs/protocol.md.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeNotInitialized = -32002
	CodeRequestFailed  = -32803
	CodeCancelled      = -32800
	CodeUnknownSession = 1001
	CodeLimitExceeded  = 1003
	CodeSessionExists  = 1004
	CodeBadLedger      = 1005
	CodeUnreadable     = 1006
)

// A Fault is an error as a client gets it: a sentence, and data a program can act on.
type Fault struct {
	Code    int64
	Message string
	Data    []byte // JSON, may be nil
}

func (e *Fault) Error() string { return e.Message }

// Cancelled is the answer to a request that the client has cancelled.
func Cancelled() *Fault {
	return &Fault{Code: CodeCancelled, Message: "The request was cancelled."}
}

// Invalid is the answer to a request whose params cannot be used.
func Invalid(message string) *Fault {
	return &Fault{Code: CodeInvalidParams, Message: message, Data: []byte(`{"kind":"invalid_params"}`)}
}

// UnknownSession is the answer to a request that names a session which does not exist.
func UnknownSession(id string) *Fault {
	name := Quoted(id)
	return &Fault{
		Code:    CodeUnknownSession,
		Message: "There is no session " + string(name) + "; open it with ctx/session/open.",
		Data:    []byte(`{"kind":"unknown_session","name":` + string(name) + `}`),
	}
}

// OpenEnvelope returns the result or the error that is inside {"result":…} or {"error":…}.
func OpenEnvelope(envelope []byte) ([]byte, *Fault) {
	if result, ok := bytes.CutPrefix(envelope, []byte(`{"result":`)); ok && result[len(result)-1] == '}' {
		return result[:len(result)-1], nil // it has no other member
	}
	var result, fault []byte
	EachMember(envelope, func(m Member) bool {
		switch m.Name {
		case "result":
			result = m.Value
		case "error":
			fault = m.Value
		}
		return true
	})
	if fault != nil {
		var e struct {
			Code    int64           `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(fault, &e); err != nil {
			return nil, &Fault{Code: CodeInternal, Message: "The engine's error could not be read: " + err.Error() + "."}
		}
		return nil, &Fault{Code: e.Code, Message: e.Message, Data: e.Data}
	}
	if result == nil {
		return nil, &Fault{Code: CodeInternal, Message: "The engine returned neither a result nor an error."}
	}
	return result, nil
}
