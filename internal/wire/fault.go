// Copyright The ctx-lsp authors. MIT licence.

package wire

import "github.com/ctx-lsp/ctx-lsp/core/api"

// EndOfInput is the method of the notification that ends a connection after every request has its response. The process
// between a client and the shared daemon sends it, because the daemon takes the end of a socket to mean that the client
// has disconnected.
const EndOfInput = "$/endOfInput"

// A FrameError describes why a message could not be read. The connection continues, unless Last is set.
type FrameError struct {
	id      []byte // the id as the client wrote it; empty if none was found
	refusal api.Error
	Last    bool // nothing more is read: the sender is not an LSP client, or its messages can no longer be distinguished
}

func (e *FrameError) Error() string { return e.refusal.Message }

// unreadable returns the error for bytes that are not a message.
func unreadable(kind, message string) *FrameError {
	return &FrameError{refusal: api.Error{Kind: kind, Message: message}}
}

// last returns an error after which nothing more is read.
func last(kind, message string) *FrameError {
	e := unreadable(kind, message)
	e.Last = true
	return e
}
