// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Error is the error of a call: it reports what was wrong, where, and what to do. The session is unchanged.
type Error struct {
	Kind    string
	Message string
	Field   string   // the wrong parameter
	Name    string   // the session, method or vocabulary it is about
	Known   []string // the accepted words

	// before and after are the text of Message around the field, if Message begins with the field.
	before, after string
}

func (e *Error) Error() string { return e.Message }

func invalid(field, message string) *Error {
	return about(InvalidParams, field, "The parameter \"", "\" "+message)
}

func about(kind, field, before, after string) *Error {
	return &Error{Kind: kind, Field: field, before: before, after: after, Message: before + field + after}
}

// within prefixes the field with outer. A reader knows only the name of its own field, so the path is built only for an
// error.
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

// element returns the name of the i-th element of a list.
func element(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

func unknownName(field, what, got string, known []string) *Error {
	e := invalid(field, "names an unknown "+what+" \""+shorten(got)+"\"; known are "+strings.Join(known, ", ")+".")
	e.Known = known
	return e
}

// unknownModel returns the error for a model with an unknown name. It has the names that resemble it.
func unknownModel(name, so string) *Error {
	return unlisted("model", name, so, model.NearModels(name))
}

// unlisted returns the error for a name that is not in the registry.
func unlisted(field, name, so string, similar []string) *Error {
	near := ""
	if len(similar) > 0 {
		near = "; similar names are " + strings.Join(similar, ", ")
	}
	e := invalid(field, "names an unknown "+field+" \""+shorten(name)+"\""+so+near+".")
	e.Known = similar
	return e
}

// knownNames returns an error for a model or a provider with an unknown name. Empty names are not checked.
func knownNames(of, provider string) *Error {
	if provider != "" && !model.KnownProvider(provider) {
		return unlisted("provider", provider, "", model.NearProviders(provider))
	}
	if of != "" {
		if _, known := model.Find(of, provider, ""); !known {
			return unknownModel(of, "")
		}
	}
	return nil
}

func unknownField(f *json.Fields, known []string) *Error {
	return NoParameter(f.Key.String(), known)
}

// onlyOnce returns an error if an object contains a name twice. It is called after every name was found to be a
// parameter, which bounds how many there can be.
func onlyOnce(v json.Value) *Error {
	if f, twice := v.Twice(); twice {
		return Duplicate(f.Key.String())
	}
	return nil
}

// shorten limits the length of untrusted text in error messages.
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
