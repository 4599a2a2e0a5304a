// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// prefix is what is known of the part of a prompt that no item shows: system
// prompt, tools, memory files. Before the first measurement it makes the number
// (see firstPrompt). From then on it explains what was measured and never enters
// used: a table that is wrong makes a row wrong, and no total.
type prefix struct {
	parts []prefixPart
	// read is what the first prompt of the session read from the cache, and
	// density that of the tokenizer that measured it; 0 where nobody said.
	read, density int64
	// readLater is what a first prompt after a compaction read from the
	// cache, 0 if that says nothing.
	readLater int64
}

// PrefixSource is who tells what a prompt holds before the conversation, the
// weakest first.
type PrefixSource uint8

// The sources of the prefix.
const (
	FromTable   PrefixSource = iota // the agent's dated sizes of what is built in
	FromEarlier                     // earlier sessions of the same workspace
	FromFiles                       // the files that the agent loads
	FromPrinted                     // the agent counted and printed it, perhaps rounded
	FromRecord                      // the transcript contains the text, or its size
	prefixSources
)

// Cached says whether a part of the prefix lies before the last place where
// the first request of a session may be read from the cache.
type Cached uint8

// A part lies behind that place; before it; before it where enough was read to
// hold it; or before it where what was read ends just behind it.
const (
	NotCached Cached = iota
	IsCached
	MayBeCached
	ExactlyCached
	cachedKinds
)

// PrefixPart is a piece of the prefix.
type PrefixPart struct {
	Part
	Cached Cached
	// Optional marks a part that some sessions do without; it is left out
	// where the measured prompt has no room for it.
	Optional bool
	// Reference says that the tokens are of o200k, and not of the model's own
	// tokenizer.
	Reference bool
}

// PrefixKnown says what a prompt holds before the conversation. It replaces
// what the same source said of the same kind.
type PrefixKnown struct {
	Source PrefixSource
	Kind   Kind
	Parts  []PrefixPart
}

func (PrefixKnown) event() {}

type prefixPart struct {
	label    Text
	tokens   int64 // 0 for a name alone: a server, or a tool that is listed and not loaded
	density  int64 // of the tokenizer that the tokens are of; 0 for any
	kind     Kind
	source   PrefixSource
	basis    Basis
	cached   Cached
	optional bool
}

// prefixPartsKept bounds the parts of one kind that one source tells, and
// prefixToolsKept the tools of MCP servers, which are shown by server where
// they are many. What comes behind them is summed.
const (
	prefixPartsKept = maxParts
	prefixToolsKept = 1000
	prefixKept      = prefixToolsKept * int(prefixSources) * int(Summary)
)

// applyPrefix records what somebody knows of the prefix.
func (s *Session) applyPrefix(e *PrefixKnown) {
	if !e.Kind.Fixed() || e.Source >= prefixSources {
		return
	}
	p := &s.prefix
	p.forget(e.Kind, e.Source, true)
	s.servers.counted = false
	first, most := len(p.parts), prefixPartsKept
	if e.Kind == MCPTools {
		most = prefixToolsKept
	}
	for i := range e.Parts {
		given := &e.Parts[i]
		if given.Deferred {
			continue
		}
		part := prefixPart{
			label: given.Label, tokens: given.Tokens, kind: e.Kind, source: e.Source, basis: Counted,
			cached: given.Cached, optional: given.Optional, density: s.resolved.Meter.Density(),
		}
		if len(part.label.Name) > maxPartLabel {
			part.label.Name = part.label.Name[:maxPartLabel]
		}
		if given.Tokens == Unknown {
			c := s.resolved.Meter.Part(&given.Part)
			part.tokens, part.basis = c.Tokens, c.Basis
		} else {
			if part.density = 0; given.Reference { // else of the model in use
				part.density = 1000
			}
		}
		if e.Source <= FromEarlier {
			part.basis = Estimated
		}
		if part.tokens <= 0 {
			continue
		}
		if n := len(p.parts); n-first >= most {
			last := &p.parts[n-1]
			last.label = phrase.Other.Text(rowLabels[e.Kind].Arg())
			last.tokens, last.basis = last.tokens+part.tokens, last.basis.plus(part.basis)
			continue
		}
		p.parts = append(p.parts, part)
	}
}

const maxPartLabel = 200

// forget leaves out what a source said of a kind: the parts with a size, or
// the names without one.
func (p *prefix) forget(kind Kind, source PrefixSource, sized bool) {
	kept := p.parts[:0]
	for _, part := range p.parts {
		if part.kind != kind || part.source != source || (part.tokens > 0) != sized {
			kept = append(kept, part)
		}
	}
	p.parts = kept
}

// bestPrefix is the source that a kind is known by: the strongest that names it, but
// for those that are known not to fit. Of what the conversation itself lists,
// neither a file nor an earlier session says anything more.
func (s *Session) bestPrefix(without misfit) (best [Summary]PrefixSource, known [Summary]bool) {
	for i := range s.prefix.parts {
		part := &s.prefix.parts[i]
		if part.tokens == 0 || without.has(part.source) || part.source < FromPrinted && part.source > FromTable && s.listed(part.kind) {
			continue
		}
		if k := part.kind; !known[k] || part.source > best[k] {
			best[k], known[k] = part.source, true
		}
	}
	return best, known
}

// listed is true for a kind that the host has set, and for skills and agents
// that the conversation itself lists.
func (s *Session) listed(k Kind) bool {
	return len(s.fixed.parts[k]) > 0 || (k == Skills || k == Agents) && s.conversation.rows.tokens[k] > 0
}

func (p *prefix) walk(c *codec.Codec) {
	c.Ints("read density readLater", &p.read, &p.density, &p.readLater)
	c.Refuse(p.read < 0 || p.density < 0 || p.readLater < 0)
	codec.List(c, "parts", &p.parts, prefixKept, (*prefixPart).walk)
}

func (p *prefixPart) walk(c *codec.Codec) {
	c.Texts("label", &p.label)
	codec.Within(c, "tokens", &p.tokens, 0, MaxTokens)
	c.Ints("density", &p.density)
	codec.Below(c, "kind", &p.kind, kinds)
	codec.Below(c, "source", &p.source, prefixSources)
	codec.Below(c, "basis", &p.basis, bases)
	codec.Below(c, "cached", &p.cached, cachedKinds)
	c.Bools("optional", &p.optional)
	c.Refuse(p.density < 0 || !p.kind.Fixed())
}
