// Copyright The ctx-lsp authors. MIT licence.

package api

import "github.com/ctx-lsp/ctx-lsp/core/json"

func (c *Core) learnedGet(v json.Value) *Error {
	return &Error{Kind: Internal, Message: "Not there yet."}
}

func (c *Core) learnedSet(v json.Value) *Error {
	return &Error{Kind: Internal, Message: "Not there yet."}
}
