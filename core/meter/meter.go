// Copyright The ctx-lsp authors. MIT licence.

// Package meter counts for a model by name: it joins what core/model says of
// the model, its encoding or weights, framing and image rule, with what
// core/token computes.
package meter

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// Shop has the vocabularies that were loaded and hands out meters.
type Shop struct {
	vocabularies []loaded
	tokenizers   []*token.Tokenizer
}

type loaded struct {
	name string
	v    *token.Vocabulary
}

// NewShop makes a shop without vocabularies.
func NewShop() *Shop { return &Shop{} }

// Load unpacks a vocabulary; one of the same name replaces it.
func (s *Shop) Load(name string, pack []byte) error {
	v, err := token.Load(pack)
	if err != nil {
		return err
	}
	for i := range s.vocabularies {
		if s.vocabularies[i].name == name {
			s.vocabularies[i].v = v
			s.tokenizers = nil
			return nil
		}
	}
	s.vocabularies = append(s.vocabularies, loaded{name, v})
	return nil
}

// Tokenizer is the tokenizer of an encoding; if its vocabulary is not loaded,
// missing is that vocabulary's name. An encoding that is not known but whose
// name a vocabulary was loaded under is that vocabulary's own.
func (s *Shop) Tokenizer(encoding string) (t *token.Tokenizer, missing string, ok bool) {
	e, known := token.Find(encoding)
	if !known {
		for _, l := range s.vocabularies {
			if l.name == encoding {
				e, known = token.Encoding{Name: encoding, Vocabulary: encoding}, true
			}
		}
		if !known {
			return nil, "", false
		}
	}
	for _, t := range s.tokenizers {
		if t.Encoding().Name == e.Name {
			return t, "", true
		}
	}
	for _, l := range s.vocabularies {
		if l.name == e.Vocabulary {
			t := token.New(e, l.v)
			s.tokenizers = append(s.tokenizers, t)
			return t, "", true
		}
	}
	return nil, e.Vocabulary, true
}

// reference is the encoding that estimates start from.
const reference = "o200k_base"

// encodingFor is what counting for a model needs; "" when it needs nothing,
// which is so only when no model is named.
func encodingFor(name, provider, route string) (encoding string, m model.Model, known bool) {
	if name == "" {
		return "", model.Model{}, false
	}
	m, known = model.Find(name, provider, route)
	if m.Encoding != "" {
		return m.Encoding, m, known
	}
	return reference, m, known
}

// Missing is the vocabulary that counting for a model needs and that is not
// loaded; "" when there is nothing to wait for.
func (s *Shop) Missing(name, provider, route string) string {
	encoding, _, _ := encodingFor(name, provider, route)
	if encoding == "" {
		return ""
	}
	_, missing, _ := s.Tokenizer(encoding)
	return missing
}

// Resolve is what is known of a model: its meter, limits and how reasoning
// re-enters its prompts.
func (s *Shop) Resolve(name, provider, route string) core.Resolved {
	encoding, m, known := encodingFor(name, provider, route)
	if encoding == "" {
		return core.Plain{}.Resolve(name, provider, route)
	}
	out := core.Resolved{Limits: core.NoLimits, Reasoning: core.ReasoningTurn, Hesitation: 100}
	if known {
		// Where the answer has room of its own, the prompt's limit is all there
		// is to fill.
		if m.Window > 0 && m.Shared {
			out.Limits.Window = m.Window
		}
		if m.Input > 0 {
			out.Limits.Input = m.Input
		}
		if m.Output > 0 {
			out.Limits.Output = m.Output
		}
	}
	switch m.Reasoning {
	case model.ReasoningNever:
		out.Reasoning = core.ReasoningNever
	case model.ReasoningAlways:
		out.Reasoning = core.ReasoningAlways
	}
	if m.Family == "o200k" {
		out.Hesitation = 700
	}
	out.Meter = &Meter{shop: s, encoding: encoding, exact: m.Encoding != "", framing: m.Framing, family: m.Family, estimate: estimate(m, known), image: m.Image}
	return out
}

// estimate is a model's own, or for a model nobody knows that of o200k.
func estimate(m model.Model, known bool) model.Estimate {
	if known {
		return m.Estimate
	}
	plain := token.Weights{O200k: 1000}
	return model.Estimate{Read: plain, Wrote: plain, Density: 1000}
}
