// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Accumulator gathers the pieces of one request's stream. The zero value is
// ready; a new request needs a new one, or Reset.
type Accumulator struct {
	counts    counts
	request   string
	seen      bool // a usage was found
	streaming bool // an event of a stream was found
	partial   bool // more may follow the latest usage
	pending   []byte
	document  json.Document
}

// Reset forgets everything, for the next request.
func (a *Accumulator) Reset() { *a = Accumulator{} }

// open is true when a stream has begun in which no usage was found yet.
func (a *Accumulator) open() bool { return a.streaming || len(a.pending) > 0 }

// Route is the API by which the request went, as far as the shape of its usage
// tells: "chat", "responses", or "" when it may be any.
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

// merge adds one usage to those before: a known field replaces the same field
// of an earlier piece. Only the numbers of LangChain's chunks are added up.
func (a *Accumulator) merge(c *counts, found located) {
	switch {
	case !a.seen, a.counts.sum && !c.sum, found.whole:
		a.counts = *c
	case c.sum && !a.counts.sum:
		// This is the sum of steps that were reported before.
	case a.counts.shape != c.shape:
		// A gateway has repeated a usage in another shape: the one that says more
		// counts.
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

// counts holds the numbers of a usage by what they mean, before it is decided
// which of them contain which.
type counts struct {
	shape shape

	input, output, total, reasoning int64
	cacheRead, cacheWrite           int64
	keptShort                       int64 // the part of cacheWrite that is kept for five minutes
	keptLong                        int64 // of cacheWrite; kept for an hour
	tools                           int64 // prompt tokens that built-in tools fed back
	firstHop                        int64 // the prompt before any continuation
	extraIn, extraOut               int64 // gateway tokens that may stand beside input and output
	modality                        core.Modality
	window                          int64

	cache, thought placement
	sum            bool
	serverTools    bool
	aside          bool      // the request compacted the conversation and is no part of it
	counted        bool      // the answer of a count API
	unclear        bool      // no arithmetic can decide which numbers contain which
	note           core.Text // says how it was read, where that needs saying
}

// placement says where a number stands: inside the number that it details, or
// beside it.
type placement uint8

const (
	inside  placement = iota // unless the arithmetic says otherwise
	beside                   // unless the arithmetic says otherwise
	within                   // by definition
	without                  // by definition
)

func newCounts(s shape) counts {
	const u = core.Unknown
	return counts{
		shape: s, input: u, output: u, total: u, reasoning: u, cacheRead: u, cacheWrite: u, keptShort: u, keptLong: u, tools: u,
		firstHop: u, extraIn: u, extraOut: u, modality: core.NoModality, window: u,
	}
}

// rank prefers the shape that says more when one request is reported twice.
func (c *counts) rank() int {
	n := 0
	for _, known := range []int64{c.input, c.output, c.total, c.reasoning, c.cacheRead, c.cacheWrite} {
		if known != core.Unknown {
			n++
		}
	}
	return n
}

func (c *counts) numbers() [16]*int64 {
	return [16]*int64{
		&c.input, &c.output, &c.total, &c.reasoning, &c.cacheRead, &c.cacheWrite, &c.keptLong, &c.tools, &c.firstHop, &c.extraIn, &c.extraOut,
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
	c.flags(later)
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
