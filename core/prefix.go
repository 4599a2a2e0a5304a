// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// prefix describes the part of a prompt that no item shows: system prompt, tools, memory files. Before the first
// measurement it determines the number (see firstPrompt). From then on it only explains the measurement and never
// enters used: a wrong table makes a row wrong, but no total.
type prefix struct {
	parts []prefixPart
	// read is how much the session's first prompt read from the cache, and density that of the tokenizer that measured
	// it; 0 if unknown.
	read, density int64
	// readLater is how much a first prompt after a compaction read from the cache, 0 if that shows nothing.
	readLater int64
	// former are parts of tables that may come back, by their labels.
	former []prefixPart
}

// PrefixSource is a source of parts of the prefix, the least reliable first.
type PrefixSource uint8

// The sources of the prefix.
const (
	FromTable   PrefixSource = iota // the agent's dated sizes of built-in parts
	FromEarlier                     // earlier sessions of the same workspace
	FromFiles                       // the files that the agent loads
	FromPrinted                     // the agent counted and printed it, perhaps rounded
	FromRecord                      // the transcript contains the text, or its size
	prefixSources
)

// Cached states whether a part of the prefix comes before the last point up to which the first request of a session may
// be read from the cache.
type Cached uint8

// NotCached parts come after that point, IsCached parts before it. MayBeCached parts come before it if the cache read
// is large enough to include them. ExactlyCached parts come before it if the cache read ends right after them.
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
	// Optional marks a part that some sessions do not have; it is left out if the measured prompt is too small for it.
	Optional bool
	// Reference is set if the tokens were counted with o200k instead of the model's own tokenizer.
	Reference bool
	// Former is set if only the label is given: the part has the size of an earlier one.
	Former bool
}

// PrefixKnown gives parts of the prefix. It replaces the parts of the same kind from the same source.
type PrefixKnown struct {
	Source PrefixSource
	Kind   Kind
	Parts  []PrefixPart
	// Sent is set if the next prompt contains these parts instead of the earlier ones, so that it grows or shrinks by
	// the difference.
	Sent bool
}

func (PrefixKnown) event() {}

type prefixPart struct {
	label    Text
	tokens   int64 // 0 for a name without a size: a server, or a tool that is listed and not loaded
	density  int64 // density of the tokenizer that counted the tokens; 0 for any
	kind     Kind
	source   PrefixSource
	basis    Basis
	cached   Cached
	optional bool
}

// prefixPartsKept bounds the parts of one kind from one source, and prefixToolsKept the tools of MCP servers, which are
// shown by server if they are many. Further ones are summed.
const (
	prefixPartsKept = maxParts
	prefixToolsKept = 1000
	prefixKept      = prefixToolsKept * int(prefixSources) * int(Summary)
	formerKept      = 2 * prefixToolsKept
)

// applyPrefix stores parts of the prefix.
func (s *Session) applyPrefix(e *PrefixKnown) {
	if !e.Kind.Fixed() || e.Source >= prefixSources {
		return
	}
	p := &s.prefix
	before := int64(0)
	if e.Sent {
		before = p.total(e.Kind, e.Source)
		p.keepFormer(e.Kind, e.Source)
	}
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
		if given.Former {
			earlier := p.findFormer(part.label, e.Kind)
			if earlier == nil {
				continue
			}
			part.tokens, part.basis, part.density = earlier.tokens, earlier.basis, earlier.density
		} else if given.Tokens == Unknown {
			c := s.resolved.Meter.Part(&given.Part)
			part.tokens, part.basis = c.Tokens, c.Basis
		} else {
			if part.density = 0; given.Reference { // otherwise counted for the model in use
				part.density = 1000
			}
		}
		if e.Source <= FromEarlier || given.Reference {
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
	if e.Sent && s.anchor() != nil {
		s.changes.adjust(p.total(e.Kind, e.Source)-before, phrase.Leaves.Text())
	}
}

const maxPartLabel = 200

// total returns the size of the parts of a kind from a source.
func (p *prefix) total(kind Kind, source PrefixSource) int64 {
	sum := int64(0)
	for i := range p.parts {
		if part := &p.parts[i]; part.kind == kind && part.source == source {
			sum += part.tokens
		}
	}
	return sum
}

// keepFormer keeps the parts of a kind from a source, which may come back.
func (p *prefix) keepFormer(kind Kind, source PrefixSource) {
	for _, part := range p.parts {
		if part.kind != kind || part.source != source || part.tokens <= 0 {
			continue
		}
		if known := p.findFormer(part.label, kind); known != nil {
			*known = part
		} else if len(p.former) < formerKept {
			p.former = append(p.former, part)
		}
	}
}

// findFormer returns the earlier part of a kind with a label, nil if unknown.
func (p *prefix) findFormer(label Text, kind Kind) *prefixPart {
	for i := range p.former {
		if part := &p.former[i]; part.kind == kind && part.label.Equal(label) {
			return part
		}
	}
	return nil
}

// forget removes the parts of a kind from a source: those with a size if sized is set, otherwise the names without one.
func (p *prefix) forget(kind Kind, source PrefixSource, sized bool) {
	kept := p.parts[:0]
	for _, part := range p.parts {
		if part.kind != kind || part.source != source || (part.tokens > 0) != sized {
			kept = append(kept, part)
		}
	}
	p.parts = kept
}

// bestPrefix returns the most reliable source for each kind, without the sources in without. For kinds that the
// conversation itself lists, files and earlier sessions are ignored.
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

// shown reports whether a part is of the best source of its kind, or adds to it: files list the user's own skills, and
// the table those that come with the agent.
func (p *prefixPart) shown(best *[Summary]PrefixSource, known *[Summary]bool) bool {
	adds := p.kind == Skills && p.source == FromTable && best[Skills] == FromFiles
	return p.tokens > 0 && known[p.kind] && (best[p.kind] == p.source || adds)
}

// listed reports whether the host has set a kind, or the conversation itself lists it (skills and agents only).
func (s *Session) listed(k Kind) bool {
	return len(s.fixed.parts[k]) > 0 || (k == Skills || k == Agents) && s.conversation.rows.tokens[k] > 0
}

func (p *prefix) walk(c *codec.Codec) {
	c.Ints("read density readLater", &p.read, &p.density, &p.readLater)
	c.Refuse(p.read < 0 || p.density < 0 || p.readLater < 0)
	codec.List(c, "parts", &p.parts, prefixKept, (*prefixPart).walk)
	codec.List(c, "former", &p.former, formerKept, (*prefixPart).walk)
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
