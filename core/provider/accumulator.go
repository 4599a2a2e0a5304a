// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// An Accumulator collects the pieces of one request's stream. The zero value is ready to use. Each request needs a new
// one, or Reset.
type Accumulator struct {
	counts    counts
	request   string
	seen      bool // a usage was found
	streaming bool // an event of a stream was found
	partial   bool // the latest usage may be followed by another
	pending   []byte
	document  json.Document

	stepsBegun, stepsEnded int
	finished               bool
}

// Reset clears the accumulator for the next request.
func (a *Accumulator) Reset() { *a = Accumulator{} }

// open reports whether a stream has begun but no usage has been found yet.
func (a *Accumulator) open() bool { return a.streaming || len(a.pending) > 0 }

// Steps returns how many steps of an AI SDK stream have begun, and how many have reported their own usage.
func (a *Accumulator) Steps() (begun, ended int) { return a.stepsBegun, a.stepsEnded }

// Finished reports whether the end of an AI SDK stream was found.
func (a *Accumulator) Finished() bool { return a.finished }

// Route returns the API of the request if the shape of its usage shows it: "chat" or "responses", otherwise "".
func (a *Accumulator) Route() string {
	if !a.seen {
		return ""
	}
	switch a.counts.shape {
	case chat, responses:
		return a.counts.shape.String()
	}
	return ""
}

func (a *Accumulator) setRequest(id string) {
	if id != "" && len(id) <= maxRequestID {
		a.request = id
	}
}

const maxRequestID = 256

// merge combines a usage with the earlier ones: its known fields replace those of earlier pieces. Only the numbers of
// LangChain's chunks are added up.
func (a *Accumulator) merge(c *counts, found located) {
	switch {
	case !a.seen, a.counts.sum && !c.sum, found.whole:
		a.counts = *c
	case c.sum && !a.counts.sum:
		// A sum of steps that have already been reported is ignored.
	case a.counts.shape != c.shape:
		// A gateway has repeated a usage in another shape: use the one with more numbers.
		if c.rank() >= a.counts.rank() {
			a.counts = *c
		}
	case found.add:
		a.counts.add(c)
	default:
		a.counts.replace(c)
	}
	a.seen = true
	a.partial = found.partial
}

// counts contains the numbers of a usage by their meaning, before it is decided which of them include which.
type counts struct {
	shape shape

	input, output, total, reasoning int64
	cacheRead, cacheWrite           int64
	keptShort                       int64 // the part of cacheWrite that is cached for five minutes
	keptLong                        int64 // the part of cacheWrite that is cached for an hour
	tools                           int64 // prompt tokens that built-in tools fed back
	firstHop                        int64 // the prompt of the first round, before tools at the provider continued it
	extraIn, extraOut               int64 // a gateway's own tokens, which may be separate from input and output
	modality                        core.Modality
	window                          int64

	cache, thought placement
	sum            bool
	serverTools    bool
	aside          bool      // the request compacted the conversation and is not part of it
	counted        bool      // the response of a count API
	unclear        bool      // the arithmetic cannot decide which numbers include which
	note           core.Text // explains how the usage was read, if that is not obvious
}

// A placement states whether a number is included in the number that it details, or reported separately.
type placement uint8

const (
	inside   placement = iota // included, unless the arithmetic says otherwise
	separate                  // separate, unless the arithmetic says otherwise
	within                    // included by definition
	without                   // separate by definition
)

func newCounts(s shape) counts {
	const u = core.Unknown
	return counts{
		shape: s, input: u, output: u, total: u, reasoning: u, cacheRead: u, cacheWrite: u, keptShort: u, keptLong: u, tools: u,
		firstHop: u, extraIn: u, extraOut: u, modality: core.NoModality, window: u,
	}
}

// rank returns how many of the main numbers are known. If one request is reported twice, the shape with the higher rank
// is used.
func (c *counts) rank() int {
	n := 0
	for _, known := range []int64{c.input, c.output, c.total, c.reasoning, c.cacheRead, c.cacheWrite} {
		if known != core.Unknown {
			n++
		}
	}
	return n
}

func (c *counts) numbers() [17]*int64 {
	return [17]*int64{
		&c.input, &c.output, &c.total, &c.reasoning, &c.cacheRead, &c.cacheWrite, &c.keptShort, &c.keptLong, &c.tools, &c.firstHop, &c.extraIn, &c.extraOut,
		&c.modality.Text, &c.modality.Image, &c.modality.Audio, &c.modality.Video, &c.modality.Document,
	}
}

func (c *counts) replace(later *counts) {
	to, from := c.numbers(), later.numbers()
	for i := range to {
		if *from[i] != core.Unknown {
			*to[i] = *from[i]
		}
	}
	c.flags(later)
}

func (c *counts) add(later *counts) {
	to, from := c.numbers(), later.numbers()
	for i := range to {
		switch {
		case *from[i] == core.Unknown:
		case *to[i] == core.Unknown:
			*to[i] = *from[i]
		default:
			*to[i] = min(*to[i]+*from[i], core.MaxTokens)
		}
	}
}

func (c *counts) flags(later *counts) {
	if later.window != core.Unknown {
		c.window = later.window
	}
	c.cache, c.thought, c.unclear = later.cache, later.thought, later.unclear
	c.serverTools = c.serverTools || later.serverTools
	if !later.note.Empty() {
		c.note = later.note
	}
}
