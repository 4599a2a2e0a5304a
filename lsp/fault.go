// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
)

// Error codes of JSON-RPC, of the language server protocol, and of docs/protocol.md.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNotInitialized = -32002
	codeRequestFailed  = -32803
	codeCancelled      = -32800
	codeUnknownSession = 1001
	codeLimitExceeded  = 1003
	codeSessionExists  = 1004
	codeBadLedger      = 1005
)

// A wireError is an error as a client gets it: a sentence, and data a program can act on.
type wireError struct {
	code    int64
	message string
	data    []byte // JSON, may be nil
}

func (e *wireError) Error() string { return e.message }

func cancelled() *wireError {
	return &wireError{code: codeCancelled, message: "The request was cancelled."}
}

func invalid(message string) *wireError {
	return &wireError{code: codeInvalidParams, message: message, data: []byte(`{"kind":"invalid_params"}`)}
}

func unknownSession(id string) *wireError {
	name := quoted(id)
	return &wireError{
		code:    codeUnknownSession,
		message: "There is no session " + string(name) + "; open it with ctx/session/open.",
		data:    []byte(`{"kind":"unknown_session","name":` + string(name) + `}`),
	}
}

// openEnvelope takes {"result":…} or {"error":…} apart.
func openEnvelope(envelope []byte) ([]byte, *wireError) {
	if result, ok := bytes.CutPrefix(envelope, []byte(`{"result":`)); ok && result[len(result)-1] == '}' {
		return result[:len(result)-1], nil // it has no other member
	}
	var result, fault []byte
	members(envelope, func(m member) bool {
		switch m.name {
		case "result":
			result = m.value
		case "error":
			fault = m.value
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
			return nil, &wireError{code: codeInternal, message: "The engine's error could not be read: " + err.Error() + "."}
		}
		return nil, &wireError{code: e.Code, message: e.Message, data: e.Data}
	}
	if result == nil {
		return nil, &wireError{code: codeInternal, message: "The engine answered neither a result nor an error."}
	}
	return result, nil
}
