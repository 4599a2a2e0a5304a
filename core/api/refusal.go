// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// TooManySessions returns the error of a call that would make one session more than there may be.
func TooManySessions() *Error {
	return &Error{Kind: LimitExceeded, Message: "There are " + strconv.Itoa(MaxSessions) + " sessions open; close some first."}
}

// Refusal returns the result of Call for err. Hosts use it if they cannot call Call: for a vocabulary that Load
// refused, or a message that is too long to pass.
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

// TooLong returns the error of Call for parameters of n bytes, if that is more than MaxParams.
func TooLong(n int64) *Error {
	return &Error{Kind: LimitExceeded, Message: "The parameters are " + strconv.FormatInt(n, 10) + " bytes long; " + strconv.Itoa(MaxParams) + " are allowed."}
}

// The functions below contain the error messages that hosts and the core share.

// Invalid returns the error for a parameter. The problem continues a sentence that begins with its name: "must be a
// string, not a number."
func Invalid(field, problem string) *Error { return invalid(shorten(field), problem) }

// UnknownWord returns the error for a word that is not one of known; called is what the word stands for.
func UnknownWord(field, called, word string, known []string) *Error {
	return unknownName(field, called, word, known)
}

// NoParameter returns the error for a parameter that the method does not have.
func NoParameter(name string, known []string) *Error {
	e := about(InvalidParams, shorten(name), "There is no parameter \"", "\"; known are "+strings.Join(known, ", ")+".")
	e.Known = known
	return e
}

// Duplicate returns the error for a parameter that occurs twice.
func Duplicate(name string) *Error { return Invalid(name, "is there twice; say it once.") }

// NotAnObject returns the error for parameters of another kind.
func NotAnObject(kind json.Kind) *Error {
	return &Error{Kind: InvalidParams, Message: "The parameters must be an object, not " + kind.String() + "."}
}

// NoMethod returns the error for a method that does not exist.
func NoMethod(name string, known []string) *Error {
	name = shorten(name)
	return &Error{
		Kind: UnknownMethod, Name: name, Known: known,
		Message: "There is no method \"" + name + "\"; known are " + strings.Join(known, ", ") + ".",
	}
}

// NoSession returns the error for a session that is not open.
func NoSession(id string) *Error {
	id = shorten(id)
	return &Error{Kind: UnknownSession, Name: id, Message: "There is no session \"" + id + "\"; open it first."}
}

// NoID returns the error for a call that does not name its session.
func NoID() *Error { return invalid("id", "is missing: it names the session.") }

// NoParent returns the error for a parent that is not open.
func NoParent(id string) *Error {
	id = shorten(id)
	return &Error{
		Kind: UnknownSession, Field: "parent", Name: id,
		Message: "There is no session \"" + id + "\" to be the parent; open it first.",
	}
}

// SessionIsOpen returns the error for opening a session whose id is in use.
func SessionIsOpen(id string) *Error {
	id = shorten(id)
	return &Error{Kind: SessionExists, Name: id, Message: "The session \"" + id + "\" is open already; close it first or take another id."}
}

// Outcome splits the result of Call into result and error; one of them is nil.
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
