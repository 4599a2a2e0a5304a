// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Error is a refusal: it says what was wrong, where, and what to do. The session is unchanged.
type Error struct {
	Kind    string
	Message string
	Field   string   // the parameter that was wrong
	Name    string   // the session, method or vocabulary it is about
	Known   []string // the words that would have been understood

	// before and after are the text of Message around the field, where Message begins with the field.
	before, after string
}

func (e *Error) Error() string { return e.Message }

func invalid(field, message string) *Error {
	return about(InvalidParams, field, "The parameter \"", "\" "+message)
}

func about(kind, field, before, after string) *Error {
	return &Error{Kind: kind, Field: field, before: before, after: after, Message: before + field + after}
}

// within says that the field is a member of outer. A reader names only the field that it reads itself; the path to the
// field is put together only when something is refused.
func (e *Error) within(outer string) *Error {
	if e == nil || e.before == "" {
		return e
	}
	if e.Field != "" {
		outer += "." + e.Field
	}
	e.Field, e.Message = outer, e.before+outer+e.after
	return e
}

// element is the name of the i-th element of a list.
func element(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

func unknownName(field, what, got string, known []string) *Error {
	e := invalid(field, "names an unknown "+what+" \""+shorten(got)+"\"; known are "+strings.Join(known, ", ")+".")
	e.Known = known
	return e
}

func unknownField(f *json.Fields, known []string) *Error {
	return NoParameter(f.Key.String(), known)
}

// onlyOnce refuses an object that names a parameter twice. It is called when every name is known to be a parameter,
// which bounds how many there can be.
func onlyOnce(v json.Value) *Error {
	if f, twice := v.Twice(); twice {
		return Duplicate(f.Key.String())
	}
	return nil
}

// shorten keeps a stranger's words from filling an error message.
func shorten(s string) string {
	if len(s) > 80 {
		s = s[:80]
		for len(s) > 0 && s[len(s)-1]&0xc0 == 0x80 {
			s = s[:len(s)-1]
		}
		if len(s) > 0 && s[len(s)-1] >= 0xc0 {
			s = s[:len(s)-1]
		}
		return s + "..."
	}
	return s
}
