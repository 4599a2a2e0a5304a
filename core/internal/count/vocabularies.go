// Copyright The ctx-lsp authors. MIT licence.

// Package count counts tokens for a model by name. It combines core/model's data about the model (encoding or weights,
// framing, image rule) with core/token's counting.
package count

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Vocabularies contains the vocabularies that a host has loaded or offered, and resolves the name of a model to a
// Meter.
type Vocabularies struct {
	loaded     []named
	offered    []string // the host has these and loads them when a model needs them
	tokenizers []*token.Tokenizer
}

type named struct {
	name       string
	vocabulary *token.Vocabulary
}

// NewVocabularies returns an empty set.
func NewVocabularies() *Vocabularies { return &Vocabularies{} }

// maxOffered is the maximum number of vocabularies that a host can offer.
const maxOffered = 256

// Offer registers a vocabulary that the host has and will load when a model needs it. From then on, models of the
// family with that name are counted rather than estimated.
func (s *Vocabularies) Offer(name string) error {
	if s.has(name) {
		return nil
	}
	if len(s.offered) >= maxOffered {
		return errors.New("a host can offer at most " + strconv.Itoa(maxOffered) + " vocabularies, and \"" + name + "\" is one more")
	}
	s.offered = append(s.offered, name)
	return nil
}

// Withdraw ends an offer: models of that family are estimated again, unless the vocabulary has been loaded.
func (s *Vocabularies) Withdraw(name string) {
	s.offered = slices.DeleteFunc(s.offered, func(offered string) bool { return offered == name })
}

// Load unpacks a vocabulary, which replaces one with the same name. A pack that is refused withdraws the offer of its
// name.
func (s *Vocabularies) Load(name string, pack []byte) error {
	v, err := token.Load(pack)
	if err != nil {
		s.Withdraw(name)
		return err
	}
	for i := range s.loaded {
		if s.loaded[i].name == name {
			s.loaded[i].vocabulary = v
			s.tokenizers = nil
			return nil
		}
	}
	s.loaded = append(s.loaded, named{name, v})
	return nil
}

// has reports whether a vocabulary is loaded or offered.
func (s *Vocabularies) has(name string) bool {
	for i := range s.loaded {
		if s.loaded[i].name == name {
			return true
		}
	}
	for _, offered := range s.offered {
		if offered == name {
			return true
		}
	}
	return false
}

// Tokenizer returns the tokenizer of an encoding. If its vocabulary is not loaded, t is nil and missing is the
// vocabulary's name. An unknown encoding with the name of a loaded or offered vocabulary means that vocabulary's
// own encoding. ok is false for other unknown encodings.
func (s *Vocabularies) Tokenizer(encoding string) (t *token.Tokenizer, missing string, ok bool) {
	e, known := token.Find(encoding)
	if !known {
		if !s.has(encoding) {
			return nil, "", false
		}
		e = token.Encoding{Name: encoding, Vocabulary: encoding}
	}
	for _, t := range s.tokenizers {
		if t.Encoding().Name == e.Name {
			return t, "", true
		}
	}
	for _, l := range s.loaded {
		if l.name == e.Vocabulary {
			t := token.New(e, l.vocabulary)
			s.tokenizers = append(s.tokenizers, t)
			return t, "", true
		}
	}
	return nil, e.Vocabulary, true
}

// reference is the encoding that estimates are based on.
const reference = "o200k_base"

// encodingFor returns the encoding for counting a model; it is "" only if name is "".
func (s *Vocabularies) encodingFor(name, provider, route string) (encoding string, m model.Model, known bool) {
	if name == "" {
		return "", model.Model{}, false
	}
	m, known = model.Find(name, provider, route)
	encoding, _ = s.encodingOf(&m)
	return encoding, m, known
}

// encodingOf returns the encoding for counting a model: its public encoding, a vocabulary of its family that the
// host has, or the reference. exact is false for the reference.
func (s *Vocabularies) encodingOf(m *model.Model) (encoding string, exact bool) {
	switch {
	case m.Encoding != "":
		return m.Encoding, true
	case m.Family != "" && s.has(m.Family):
		return m.Family, true
	}
	return reference, false
}

// Missing returns the name of a vocabulary that counting for a model requires but that is not loaded, or "".
func (s *Vocabularies) Missing(name, provider, route string) string {
	encoding, _, _ := s.encodingFor(name, provider, route)
	if encoding == "" {
		return ""
	}
	_, missing, _ := s.Tokenizer(encoding)
	return missing
}

// copilot sells other makers' models with its own limits.
const copilot = "github-copilot"

// Resolve returns the meter of a model, its limits, and whether reasoning is part of its later prompts.
func (s *Vocabularies) Resolve(name, provider, route string) core.Resolved {
	encoding, m, known := s.encodingFor(name, provider, route)
	out := core.Resolved{Limits: core.NoLimits, Larger: core.NoLimits, Reasoning: core.ReasoningTurn}
	if provider != "" && !model.KnownProvider(provider) {
		similar := model.NearProviders(provider)
		out.UnknownProvider, out.Similar = unknown(phrase.UnknownProvider, phrase.NearProviders, provider, similar), len(similar) > 0
	}
	if encoding == "" {
		out.Meter = nameless{}
		return out
	}
	if !known {
		out.SimilarModels = model.NearModels(name)
		out.UnknownModel = unknown(phrase.UnknownModel, phrase.NearModels, name, out.SimilarModels)
	}
	if known {
		// If the output does not share the window, the prompt can use its whole limit.
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
	out.Caching = core.Caching(m.CachingOf(name))
	if wide, larger := model.Larger(m); known && larger {
		out.Larger.Window = wide.Window
	}
	if known && m.Provider != copilot && model.Provider(provider) == copilot {
		out.LimitsNote = phrase.CopilotLimits.Text()
	}
	switch m.Reasoning {
	case model.ReasoningNever:
		out.Reasoning = core.ReasoningNever
	case model.ReasoningAlways:
		out.Reasoning = core.ReasoningAlways
	case model.ReasoningUnknown:
		// OpenCode's own models get all of their reasoning back.
		if model.Provider(provider) == "opencode" {
			out.Reasoning = core.ReasoningAlways
		}
	}
	meter := &Meter{vocabularies: s, model: m, estimate: estimateOf(m, known)}
	out.Meter, out.CountNote = meter, meter.Doubt()
	return out
}

// unknown returns a message about an unknown name, with the names that are similar to it.
func unknown(alone, near phrase.ID, name string, similar []string) core.Text {
	if len(name) > 80 {
		name = strings.ToValidUTF8(name[:80], "") + "…"
	}
	if len(similar) == 0 {
		return alone.Text(phrase.Name(name))
	}
	return near.Text(phrase.Name(name), phrase.Name(strings.Join(similar, ", ")))
}

// estimateOf returns a model's own estimate, or o200k's for an unknown model.
func estimateOf(m model.Model, known bool) model.Estimate {
	if known {
		return m.Estimate
	}
	plain := estimate.Weights{O200k: 1000}
	return model.Estimate{Read: plain, Wrote: plain, Density: 1000}
}
