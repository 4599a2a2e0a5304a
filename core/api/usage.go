// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/provider"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// stream gathers the pieces of a usage that arrives in a stream.
type stream struct {
	pieces provider.Accumulator
	open   bool
	id     string
	made   int64
}

var usageFields = []string{"id", "request", "provider", "usage", "through", "final", "counted", "at"}

func (c *Core) usage(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var (
		request, from string
		through       int
		throughSet    bool
		final         = true
		counted       bool
		at            = core.Unknown
		usage         json.Value
	)
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "id":
		case "request":
			err = readString(&f, &request)
		case "provider":
			err = readString(&f, &from)
		case "usage":
			usage = f.Value
		case "through":
			if f.Value.Kind() == json.Null {
				break
			}
			throughSet = true
			err = readIndex(&f, core.MaxItems, &through)
		case "final":
			err = readBool(&f, &final)
		case "counted":
			err = readBool(&f, &counted)
		case "at":
			err = readTime(&f, &at)
		default:
			err = unknownField(&f, usageFields)
		}
		if err != nil {
			return err
		}
	}
	if !usage.Exists() {
		return invalid("usage", "is missing: hand over the provider's usage object as it came.")
	}

	var m core.Metered
	var warnings []provider.Warning
	if from == "ctx" {
		if m, err = readNeutral(usage); err != nil {
			return err
		}
	} else {
		if from == "" {
			from = e.session.Provider
		}
		if !e.usage.open || request != "" && request != e.usage.id {
			e.usage.pieces.Reset()
			e.usage.made++
			e.usage.id = request
		}
		var fault error
		if m, warnings, fault = provider.Usage(from, usage, &e.usage.pieces); fault != nil {
			return &Error{Kind: InvalidParams, Field: "usage", Message: sentence(fault.Error())}
		}
		e.usage.open = !final || m.Partial
		if m.Request == "" && e.usage.open {
			m.Request = "stream " + strconv.FormatInt(e.usage.made, 10)
		}
	}
	if request != "" {
		m.Request = request
	}
	m.Partial = m.Partial || !final
	m.Through, m.ThroughSet = through, throughSet
	m.Counted = m.Counted || counted

	s := e.session
	if at != core.Unknown {
		s.Apply(core.At{Milliseconds: at})
	}
	for _, w := range warnings {
		s.Apply(core.Warned{Sentence: "The usage field \"" + shorten(w.Field) + "\" " + w.Reason + "; it was left out."})
	}
	if route := e.usage.pieces.Route(); route != "" && s.Route == "" && s.Model != "" {
		// The shape of the answer tells which way the request went, and with
		// it whether its reasoning can come back.
		s.Apply(core.ModelSet{Model: s.Model, Provider: s.Provider, Route: route})
	}
	if m.In != core.Unknown || m.Out != core.Unknown || m.Sum {
		s.Apply(m)
	}
	if !m.Partial {
		// A provider that cuts a prompt to size, or takes one that is too
		// long, does not say so.
		limits, _ := s.Limits()
		if o, hidden := provider.Silent(from, usage, m, limits.Window); hidden {
			s.Apply(core.Warned{Sentence: o.Note})
		}
	}
	c.writeReading(e)
	return nil
}

var neutralFields = []string{"in", "out", "reasoning", "cacheRead", "cacheWrite"}

// readNeutral reads the usage of provider "ctx": cache inside in, reasoning
// inside out.
func readNeutral(v json.Value) (core.Metered, *Error) {
	m := core.NewMetered()
	if v.Kind() != json.Object {
		return m, invalid("usage", "must be an object, not "+v.Kind().String()+".")
	}
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "in":
			err = readOptional(&f, &m.In)
		case "out":
			err = readOptional(&f, &m.Out)
		case "reasoning":
			err = readOptional(&f, &m.Reasoning)
		case "cacheRead":
			err = readOptional(&f, &m.CacheRead)
		case "cacheWrite":
			err = readOptional(&f, &m.CacheWrite)
		default:
			err = unknownField(&f, neutralFields)
		}
		if err != nil {
			return m, err.within("usage")
		}
	}
	if m.In == core.Unknown && m.Out == core.Unknown {
		return m, invalid("usage", "says neither in nor out.")
	}
	if m.In != core.Unknown && max(m.CacheRead, 0)+max(m.CacheWrite, 0) > m.In {
		m.Note = "More was cached than the prompt had, though the cache is inside it: in was taken as told."
	}
	if m.Out != core.Unknown && m.Reasoning > m.Out {
		m.Reasoning = m.Out
		m.Note = "There was more reasoning than output, though it is inside it: no more than the output was taken."
	}
	return m, nil
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-0x20) + s[1:]
	}
	if last := s[len(s)-1]; last != '.' {
		s += "."
	}
	return s
}

var errorFields = []string{"id", "provider", "error", "status", "at"}

// overflow takes a provider's error as it came. One that speaks of something
// other than the window changes nothing.
func (c *Core) overflow(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	from, status, at := "", int64(0), core.Unknown
	var value json.Value
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "id":
		case "provider":
			err = readString(&f, &from)
		case "error":
			value = f.Value
		case "status":
			err = readOptional(&f, &status)
		case "at":
			err = readTime(&f, &at)
		default:
			err = unknownField(&f, errorFields)
		}
		if err != nil {
			return err
		}
	}
	if !value.Exists() {
		return invalid("error", "is missing: hand over the provider's error as it came.")
	}
	if from == "" {
		from = e.session.Provider
	}
	if at != core.Unknown {
		e.session.Apply(core.At{Milliseconds: at})
	}
	if event, ok := provider.Error(from, int(status), value); ok {
		e.session.Apply(event)
	}
	c.writeReading(e)
	return nil
}

var compactedFields = []string{"id", "trigger", "summary", "kept", "tokens", "before", "at"}

func (c *Core) compacted(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	s := e.session
	c.counter = s.Meter()
	event := core.Compacted{Tokens: core.Unknown, Before: core.Unknown}
	at := core.Unknown
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "id":
		case "trigger":
			trigger := ""
			if err = readString(&f, &trigger); err == nil {
				switch trigger {
				case "", "manual":
				case "auto":
					event.Auto = true
				default:
					err = unknownName("trigger", "trigger", trigger, []string{"auto", "manual"})
				}
			}
		case "summary":
			if f.Value.Kind() == json.Null {
				break
			}
			var part core.Part
			if err = c.readPart(f.Value, &part).within("summary"); err == nil {
				event.Summary = &core.Item{Kind: core.Summary, Text: part.Text, Tokens: part.Tokens, Label: part.Label, Parameters: core.Unknown}
			}
		case "kept":
			err = readIndex(&f, s.Len(), &event.Kept)
		case "tokens":
			err = readOptional(&f, &event.Tokens)
		case "before":
			err = readOptional(&f, &event.Before)
		case "at":
			err = readTime(&f, &at)
		default:
			err = unknownField(&f, compactedFields)
		}
		if err != nil {
			return err
		}
	}
	if at != core.Unknown {
		s.Apply(core.At{Milliseconds: at})
	}
	s.Apply(event)
	c.writeReading(e)
	return nil
}
