// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Refusal is the answer that reports err. Hosts use it where Call cannot
// answer: for a vocabulary that Load refused, or a message too long to pass.
func Refusal(err error) []byte {
	e, ok := err.(*Error)
	if !ok {
		e = &Error{Kind: Internal, Message: err.Error()}
	}
	w := json.Writer{}
	w.BeginObject()
	w.Field(`,"error":`)
	writeRefused(&w, e)
	w.EndObject()
	return w.Buf
}

// TooLong is what Call answers to parameters of n bytes when that is more
// than MaxParams.
func TooLong(n int64) *Error {
	return &Error{Kind: LimitExceeded, Message: "The parameters are " + strconv.FormatInt(n, 10) + " bytes long; " + strconv.Itoa(MaxParams) + " are allowed."}
}
