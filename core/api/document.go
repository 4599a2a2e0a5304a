// Copyright The ctx-lsp authors. MIT licence.

package api

import "github.com/ctx-lsp/ctx-lsp/core/json"

// document answers the methods under ctx/document.
func (c *Core) document(method string, v json.Value) *Error {
	return &Error{Kind: UnknownMethod, Name: method, Message: "There is no method \"" + method + "\" in this build."}
}
