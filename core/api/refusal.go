// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"strconv"
	"strings"

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

// The functions below word the refusals that a host and the core have in common.

// Invalid refuses a parameter. The problem continues the sentence that names it: "must be a string, not a number."
func Invalid(field, problem string) *Error { return invalid(shorten(field), problem) }

// UnknownWord refuses a word that is not one of those known; called is what the word stands for.
func UnknownWord(field, called, word string, known []string) *Error {
	return unknownName(field, called, word, known)
}

// NoParameter refuses a parameter that the method does not have.
func NoParameter(name string, known []string) *Error {
	e := about(InvalidParams, shorten(name), "There is no parameter \"", "\"; known are "+strings.Join(known, ", ")+".")
	e.Known = known
	return e
}

// Duplicate refuses a parameter that is given twice.
func Duplicate(name string) *Error { return Invalid(name, "is there twice; say it once.") }

// NotAnObject refuses parameters of another kind of value.
func NotAnObject(kind json.Kind) *Error {
	return &Error{Kind: InvalidParams, Message: "The parameters must be an object, not " + kind.String() + "."}
}

// NoMethod refuses a method that does not exist.
func NoMethod(name string, known []string) *Error {
	name = shorten(name)
	return &Error{
		Kind: UnknownMethod, Name: name, Known: known,
		Message: "There is no method \"" + name + "\"; known are " + strings.Join(known, ", ") + ".",
	}
}

// NoSession refuses a session that is not open.
func NoSession(id string) *Error {
	id = shorten(id)
	return &Error{Kind: UnknownSession, Name: id, Message: "There is no session \"" + id + "\"; open it first."}
}

// NoID refuses a call that does not name its session.
func NoID() *Error { return invalid("id", "is missing: it names the session.") }

// NoParent refuses a parent that is not open.
func NoParent(id string) *Error {
	id = shorten(id)
	return &Error{
		Kind: UnknownSession, Field: "parent", Name: id,
		Message: "There is no session \"" + id + "\" to be the parent; open it first.",
	}
}

// SessionIsOpen refuses to open a session of an id that is in use.
func SessionIsOpen(id string) *Error {
	id = shorten(id)
	return &Error{Kind: SessionExists, Name: id, Message: "The session \"" + id + "\" is open already; close it first or take another id."}
}

// Outcome splits an answer of Call into its result and its error; one of them is nil.
func Outcome(answer []byte) (result []byte, refused *Error) {
	if result, ok := bytes.CutPrefix(answer, []byte(`{"result":`)); ok && len(result) > 0 && result[len(result)-1] == '}' {
		return result[:len(result)-1], nil // the only member
	}
	var doc json.Document
	v, err := doc.Parse(answer)
	if err != nil {
		return nil, &Error{Kind: Internal, Message: "The engine's answer could not be read: " + err.Error() + "."}
	}
	e := v.Get("error")
	if !e.Exists() {
		return nil, &Error{Kind: Internal, Message: "The engine returned neither a result nor an error."}
	}
	data := e.Get("data")
	refused = &Error{
		Kind: data.Get("kind").String(), Message: e.Get("message").String(),
		Field: data.Get("field").String(), Name: data.Get("name").String(),
	}
	for known := data.Get("known").Elements(); known.Next(); {
		refused.Known = append(refused.Known, known.Value.String())
	}
	return nil, refused
}
