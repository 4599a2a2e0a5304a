// Copyright The ctx-lsp authors. MIT licence.

package wire

import "github.com/ctx-lsp/ctx-lsp/core/api"

// EndOfInput is the method of the notification that ends a connection after every request has its answer. The process
// between a client and the shared daemon sends it, because the end of a socket says that the client has gone.
const EndOfInput = "$/endOfInput"

// A FrameError says why a message could not be read. The connection continues, unless Last is set.
type FrameError struct {
	id      []byte // the id as the client wrote it; null when none was found
	refusal api.Error
	Last    bool // nothing more is read: the sender is not a client, or its messages can no longer be distinguished
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
