// Copyright The ctx-lsp authors. MIT licence.

// Package provider reads the output of model providers: usage objects, events of their streams, and refusals.
//
// Callers pass the JSON unchanged. The API is identified by the provider's name or by the shape of the object; each
// file here implements one API. If two APIs use the same names for different things, the numbers decide if they can:
// the total may be the sum of its parts in one interpretation only. Numbers that a provider does not report stay
// core.Unknown, never zero.
package provider

import (
	"errors"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// ErrNoUsage is the error for a value without a usage.
var ErrNoUsage = errors.New("no usage was found in this value: hand over a provider's usage object, its whole response, or an event of its stream")

// Usage reads a provider's measurement of one request from its usage object, its response, or an event of its stream.
// An array contains the events of a stream. A string contains the text of a stream (server-sent events or JSON lines),
// cut anywhere.
//
// acc collects the pieces of one request and may be nil if v is complete. The result contains everything known so far;
// Partial is set while more is expected.
//
// Invalid fields are Unknown and have a warning. The error is ErrNoUsage if the value contains no usage.
func Usage(provider string, v json.Value, acc *Accumulator) (core.Metered, []Warning, error) {
	if acc == nil {
		acc = &Accumulator{}
	}
	r := reader{provider: model.Provider(provider), acc: acc}
	r.read(v, 0)
	if r.unread {
		return core.NewMetered(), r.warnings, ErrNoUsage
	}
	if !acc.seen {
		if acc.open() {
			m := core.NewMetered()
			m.Partial = true
			return m, r.warnings, nil
		}
		if len(r.warnings) > 0 {
			return core.NewMetered(), r.warnings, nil
		}
		return core.NewMetered(), nil, ErrNoUsage
	}
	m := acc.counts.metered(r.provider)
	m.Request = acc.request
	m.Partial = acc.partial
	return m, r.warnings, nil
}

// maxNesting is the maximum depth of nested arrays of events.
const maxNesting = 8

// read reads one value into the accumulator.
func (r *reader) read(v json.Value, depth int) {
	switch v.Kind() {
	case json.String:
		r.readText(v)
	case json.Array:
		if depth >= maxNesting {
			return
		}
		r.unread = r.unread || depth == 0 && v.Len() == 0
		for e := v.Elements(); e.Next(); {
			r.read(e.Value, depth+1)
		}
	case json.Object:
		r.readObject(v)
	case json.Missing, json.Null:
	default:
		r.unread = r.unread || depth == 0
		r.warn("usage", phrase.FieldKindObject.Text(phrase.Name(v.Kind().String())))
	}
}

// readObject finds the usage in an object and merges it into the accumulator.
func (r *reader) readObject(v json.Value) {
	switch kind := v.Get("type"); {
	case kind.Is("start-step"):
		r.acc.stepsBegun++
	case kind.Is("finish-step") && v.Get("usage").Kind() == json.Object:
		r.acc.stepsEnded++
	case kind.Is("finish"):
		r.acc.finished = true
	}
	found := locate(v, r.provider)
	if found.event {
		r.acc.streaming = true
	}
	if found.end {
		r.acc.partial = false
	}
	if found.request.Kind() == json.String {
		r.acc.setRequest(found.request.String())
	}
	if !found.usage.Exists() {
		if v.Len() > 0 || usual(r.provider) == noShape {
			return
		}
		found.usage, found.name = v, "usage"
	}
	if found.usage.IsNull() {
		if !found.event {
			r.warn(found.name, phrase.FieldNull.Text())
		}
		return
	}
	if found.usage.Kind() != json.Object {
		r.warn(found.name, phrase.FieldKindObject.Text(phrase.Name(found.usage.Kind().String())))
		if found.event && !found.partial {
			r.acc.partial = false // the last piece ends the stream even if its numbers are lost
		}
		return
	}
	s := found.shape
	if s == noShape {
		s = recognise(found.usage, r.provider)
	}
	if s == noShape && !found.event {
		s = usual(r.provider)
	}
	if s == noShape {
		return
	}
	c := newCounts(s)
	r.shape = s
	r.readAt = r.readAt[:0]
	r.cacheNamed, r.cacheObject, r.entry, r.settled = false, false, false, false
	readers[s](r, found.usage, v, &c)
	if !r.settled && s != words && s != statusLine {
		r.remainder(found.usage, &c)
	}
	if found.sum {
		c.sum = true
	}
	if found.serverTools {
		c.serverTools = true
	}
	c.aside = found.aside
	if found.window > 0 {
		c.window = found.window
	}
	r.acc.merge(&c, found)
}
