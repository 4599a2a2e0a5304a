// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/provider"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A stream collects the parts of a usage that arrives in pieces.
type stream struct {
	pieces            provider.Accumulator
	open              bool
	id                string
	number            int64
	steps, stepsEnded int // the steps of an AI SDK stream whose events are sent one by one
}

func (c *Core) usage(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var p usageParams
	p.unset()
	if err := c.fillUsageParams(v, &p); err != nil {
		return err
	}
	if !p.Usage.Exists() {
		return invalid("usage", "is missing: hand over the provider's usage object as it came.")
	}

	var m core.Metered
	var warnings []provider.Warning
	var begun, ended int // steps of an AI SDK stream
	began := false       // whether an earlier piece began this usage
	from := p.Provider
	if from == "ctx" {
		if m, err = c.readNeutral(p.Usage); err != nil {
			return err
		}
	} else {
		if from == "" {
			from = e.session.Provider
		}
		if !e.usage.open || p.Request != "" && p.Request != e.usage.id {
			e.usage.pieces.Reset()
			e.usage.number = e.session.NumberRequest()
			e.usage.id = p.Request
		} else {
			began = true
		}
		var fault error
		if p.Final && p.Through == core.Unknown {
			if p.At != core.Unknown {
				e.session.Apply(core.At{Milliseconds: p.At})
			}
			e.earlierSteps(from, p.Usage)
		}
		begunBefore, endedBefore := e.usage.pieces.Steps()
		m, warnings, fault = provider.Usage(from, p.Usage, &e.usage.pieces)
		begun, ended = e.usage.pieces.Steps()
		begun, ended = begun-begunBefore, ended-endedBefore
		if refused, ok := refusalIn(from, p.Usage); ok && m.In <= 0 {
			e.usage.open = false
			if p.At != core.Unknown {
				e.session.Apply(core.At{Milliseconds: p.At})
			}
			refused.Reported = p.Reported
			e.session.Apply(refused)
			c.writeReading(e)
			return nil
		}
		if fault != nil {
			return &Error{Kind: InvalidParams, Field: "usage", Message: sentence(fault.Error())}
		}
		e.usage.open = !p.Final || m.Partial
		if m.Request == "" && (began || e.usage.open) {
			m.Request = "stream " + strconv.FormatInt(e.usage.number, 10)
		}
	}
	if p.Request != "" {
		m.Request = p.Request
	}
	e.ofSteps(p.Usage, begun, ended, &m)
	if b := &e.messageUsage; m.Request == "" && b.request != "" && b.in == m.In && b.out == m.Out && b.reasoning == m.Reasoning {
		m.Request = b.request // its message contained it
	}
	e.messageUsage = appliedUsage{}
	m.Partial = m.Partial || !p.Final
	m.Through, m.ThroughSet = int(max(p.Through, 0)), p.Through != core.Unknown
	m.Counted = m.Counted || p.Counted
	m.Own = m.Own || p.Reported

	s := e.session
	if p.At != core.Unknown {
		s.Apply(core.At{Milliseconds: p.At})
	}
	s.Apply(core.UsageRead{Request: m.Request, First: !began, Complete: !m.Partial})
	for i, w := range warnings {
		// A field gets one warning, for the reading that was tried first, because it is the likeliest.
		if !slices.ContainsFunc(warnings[:i], func(o provider.Warning) bool { return o.Field == w.Field }) {
			s.Apply(core.Warned{Sentence: phrase.FieldLeftOut.Text(phrase.Name(shorten(w.Field)), w.Reason.Arg()), OfUsage: true})
		}
	}
	if route := e.usage.pieces.Route(); route != "" && s.Route == "" && s.Model != "" {
		// The shape of the response shows the route of the request, and so whether its reasoning can return.
		s.Apply(core.ModelSet{Model: s.Model, Provider: s.Provider, Route: route})
	}
	if m.In != core.Unknown || m.Out != core.Unknown || m.Sum {
		s.Apply(m)
	}
	if !m.Partial {
		// A provider that truncates a prompt, or accepts one that is too long, does not report that.
		limits, _ := s.Limits()
		if o, hidden := provider.Silent(from, p.Usage, m, limits.Window); hidden {
			s.Apply(core.Warned{Sentence: o.Note, OfUsage: true})
		}
	}
	c.writeReading(e)
	return nil
}

// earlierSteps applies the usages of all steps but the last of a run's result, such as that of generateText. Each of
// them was a request. If the last one was reported before, so were they.
func (e *entry) earlierSteps(from string, result json.Value) {
	steps := result.Get("steps")
	if n := steps.Len(); steps.Kind() != json.Array || n < 2 || n > maxSteps {
		return
	}
	var all []core.Metered
	for el := steps.Elements(); el.Next(); {
		m, _, err := provider.Usage(from, el.Value, nil)
		if err != nil || m.In <= 0 || m.Sum {
			return
		}
		if id := el.Value.Path("response", "id"); m.Request == "" && id.Kind() == json.String {
			m.Request = shorten(id.String())
		}
		all = append(all, m)
	}
	last := len(all) - 1
	if e.session.Measures(&all[last]) {
		return
	}
	for i := range all[:last] {
		if all[i].Request == "" {
			all[i].Request = "step " + strconv.FormatInt(e.session.NumberRequest(), 10)
		}
		e.session.Apply(core.UsageRead{Request: all[i].Request, First: true, Complete: true})
		e.session.Apply(all[i])
	}
}

// maxSteps is the maximum number of steps of a run that are read.
const maxSteps = 1000

// sumLeast is how many times larger than the window the sum of a session's usage is at least.
const sumLeast = 8

// ofSteps decides whether a usage is a sum over several requests, if that is not clear from its shape. begun and ended
// are the steps whose events it contains.
func (e *entry) ofSteps(usage json.Value, begun, ended int, m *core.Metered) {
	limits, _ := e.session.Limits()
	kind := usage.Get("type")
	if kind.Is("start") {
		e.usage.steps, e.usage.stepsEnded = 0, 0
	}
	e.usage.steps += begun
	e.usage.stepsEnded += ended
	switch {
	case m.Sum && (e.usage.pieces.Finished() || begun > 0):
		switch {
		case e.usage.stepsEnded > 0: // each step has been counted
			*m = core.NewMetered()
		case e.usage.steps == 1:
			m.Sum = false
		case e.usage.steps == 0 && m.In > 0:
			e.ofUnknownSteps(m)
		}
		e.usage.steps, e.usage.stepsEnded = 0, 0
	case usage.Get("cacheReadTokens").Exists() && limits.Window > 0 && m.In > sumLeast*limits.Window:
		m.Sum, m.Note = true, core.Text{} // Dexto uses the same names for the sum over a session
	}
}

// ofUnknownSteps decides about the total of a run whose steps are unknown. A run of several steps sends each prompt
// again, so its sum is about twice the prediction or more. Without a prediction it is taken for one request.
func (e *entry) ofUnknownSteps(m *core.Metered) {
	reading := e.session.Reading()
	if reading.LastRequest == nil {
		m.Sum, m.Note = false, phrase.StepsUnknown.Text()
		return
	}
	m.Sum = m.In > reading.Used+reading.Used/2
}

// readNeutral reads the usage of provider "ctx": the cache is included in in, and reasoning in out.
func (c *Core) readNeutral(v json.Value) (core.Metered, *Error) {
	m := core.NewMetered()
	if v.Kind() != json.Object {
		return m, invalid("usage", "must be an object, not "+v.Kind().String()+".")
	}
	if err := c.fillUsage(v, &m); err != nil {
		return m, err.within("usage")
	}
	if m.In == core.Unknown && m.Out == core.Unknown {
		return m, invalid("usage", "says neither in nor out.")
	}
	if m.In != core.Unknown && max(m.CacheRead, 0)+max(m.CacheWrite, 0) > m.In {
		m.Note = phrase.CacheBeside.Text()
	}
	if m.Out != core.Unknown && m.Reasoning > m.Out {
		m.Reasoning = m.Out
		m.Note = phrase.ReasoningBeside.Text()
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

// overflow handles a provider's error as received. Errors that are not about the window change nothing.
func (c *Core) overflow(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var p errorParams
	p.unset()
	if err := c.fillErrorParams(v, &p); err != nil {
		return err
	}
	if !p.Error.Exists() {
		return invalid("error", "is missing: hand over the provider's error as it came.")
	}
	if p.Provider == "" {
		p.Provider = e.session.Provider
	}
	if p.At != core.Unknown {
		e.session.Apply(core.At{Milliseconds: p.At})
	}
	if event, ok := provider.Error(p.Provider, int(p.Status), p.Error); ok {
		event.Reported = p.Reported
		e.session.Apply(event)
	}
	c.writeReading(e)
	return nil
}

// refusalIn reads the refusal of a prompt that did not fit from an event or a message that reports an error.
func refusalIn(from string, v json.Value) (core.Overflowed, bool) {
	if !provider.HasError(v) {
		return core.Overflowed{}, false
	}
	return provider.Error(from, 0, v)
}

// applyRefusal applies the refusal that the last message of a call reports, unless the host has sent it before.
func (c *Core) applyRefusal(e *entry, failed json.Value) {
	if !failed.Exists() {
		e.refused = 0
		return
	}
	sum := hashOf("", string(failed.Raw()))
	refused, ok := refusalIn(e.session.Provider, failed)
	if ok && sum != e.refused {
		e.session.Apply(refused)
	}
	e.refused = sum
}

func (c *Core) compacted(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	s := e.session
	c.counter = s.Meter()
	var p compactedParams
	p.unset()
	if err := c.fillCompactedParams(v, &p); err != nil {
		return err
	}
	event := core.Compacted{Auto: p.Trigger == "auto", Recorded: p.Before != core.Unknown, Reported: true, Tokens: p.Tokens, Before: p.Before}
	if !p.Summary.IsNull() {
		var part core.Part
		if err := c.readPart(p.Summary, &part).within("summary"); err != nil {
			return err
		}
		event.Summary = &core.Item{Kind: core.Summary, Text: part.Text, Tokens: part.Tokens, Label: part.Label, Parameters: core.Unknown}
		event.Summary.Print = s.Key().PrintOf(event.Summary, nil, 0)
	}
	if p.Kept.Value.Exists() {
		if err := readIndex(&p.Kept, s.Len(), &event.Kept); err != nil {
			return err
		}
	}
	if p.At != core.Unknown {
		s.Apply(core.At{Milliseconds: p.At})
	}
	s.Apply(event)
	c.writeReading(e)
	return nil
}
