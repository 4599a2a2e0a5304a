// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token/estimate"
)

// A Meter counts tokens for one model.
type Meter struct {
	vocabularies *Vocabularies
	model        model.Model
	estimate     model.Estimate
}

// unknownImage is the number of tokens for an image of unknown size.
const unknownImage = 1100

// Family returns the tokenizer family, or the encoding if the family is unknown.
func (m *Meter) Family() string {
	if m.model.Family != "" {
		return m.model.Family
	}
	return m.Encoding()
}

// Missing returns the name of a vocabulary that counting requires but that is not loaded, or "".
func (m *Meter) Missing() string {
	_, missing, _ := m.vocabularies.Tokenizer(m.Encoding())
	return missing
}

// Density returns the number of tokens per thousand o200k tokens.
func (m *Meter) Density() int64 { return m.estimate.Density }

// Part counts a piece of a row of the fixed context.
func (m *Meter) Part(p *core.Part) core.Count {
	return core.Count{Tokens: m.text(p.Text, &m.estimate.Read), Basis: m.basis()}
}

func (m *Meter) basis() core.Basis {
	if m.Exact() && !m.model.Unchecked {
		return core.Counted
	}
	return core.Estimated
}

// text counts a text. If the vocabulary is missing, which hosts are asked to load before counting, only the simplest
// estimate is possible.
func (m *Meter) text(text []byte, w *estimate.Weights) int64 {
	if len(text) == 0 {
		return 0
	}
	encoding, exact := m.vocabularies.encodingOf(&m.model)
	t, _, _ := m.vocabularies.Tokenizer(encoding)
	if t == nil {
		return estimate.Rough(text)
	}
	n := t.Count(text)
	if exact {
		return n
	}
	return w.Estimate(n, estimate.Measure(text))
}

// Item counts an item, including the constants of its kind.
func (m *Meter) Item(it *core.Item) core.Count {
	out := core.Count{Basis: m.basis()}
	f := m.framing()
	read := &m.estimate.Read
	switch it.Kind {
	case core.Media:
		return m.media(it)
	case core.ToolResults:
		out.Tokens = m.text(it.Text, read)
		if f.NameCounts && it.Name != "" {
			out.Tokens += m.text([]byte(it.Name), read)
		}
		if it.Error {
			out.Tokens += f.Error
		}
	case core.User:
		out.Tokens = m.text(it.Text, read)
	case core.Assistant:
		out.Tokens = m.text(it.Text, &m.estimate.Wrote) + f.AssistantText
		out.Basis = core.Estimated
	case core.ToolCalls:
		out.Tokens = m.text(it.Text, &m.estimate.Wrote) + m.text([]byte(it.Name), &m.estimate.Wrote) + f.ToolCall
		if it.Parameters > 0 {
			out.Tokens += it.Parameters * f.Parameter
		}
		out.Basis = core.Estimated
	case core.Reasoning:
		out = m.reasoning(it)
	default:
		out.Tokens = m.text(it.Text, read)
	}
	return out
}

// reasoning counts reasoning by its text or, if the text is missing or only a summary, by the length of the block that
// represents it.
func (m *Meter) reasoning(it *core.Item) core.Count {
	n := int64(0)
	if len(it.Text) > 0 {
		how := &m.estimate.Wrote
		if m.estimate.ThoughtsShown {
			how = &m.estimate.Thought
		}
		n = m.text(it.Text, how) + m.thoughts()
	}
	if it.Opaque > 0 && m.estimate.OpaqueMilli > 0 {
		block := it.Opaque*m.estimate.OpaqueMilli/1000 - m.estimate.OpaqueLess
		if !m.estimate.ThoughtsShown && (block > 0 || n == 0) || block*100 > n*135+1500 {
			n = block
		}
	}
	return core.Count{Tokens: max(n, 0), Basis: core.Estimated}
}

func (m *Meter) media(it *core.Item) core.Count {
	n := mediaTokens(&m.model, it)
	if len(it.Text) > 0 {
		n += m.text(it.Text, &m.estimate.Read)
	}
	return core.Count{Tokens: n, Basis: core.Estimated}
}

// mediaTokens returns the cost of media besides their text, or a typical cost if the model's is unknown. It is never 0.
func mediaTokens(m *model.Model, it *core.Item) int64 {
	n, known := int64(0), false
	switch {
	case it.Pages > 0:
		n, known = m.Image.Pages(it.Pages)
	case it.Seconds > 0 && strings.HasPrefix(it.MediaType, "video/"):
		n, known = m.Image.Video(it.Seconds)
	case it.Seconds > 0:
		n, known = m.Image.Audio(it.Seconds)
	case it.Width > 0 && it.Height > 0:
		n, known = m.Image.Tokens(it.Width, it.Height)
	}
	if !known && n == 0 {
		n = unknownImage
		if it.Seconds > 0 {
			n = it.Seconds * 32
		}
	}
	return n
}

// framing returns the tokens that a request adds around each item. Counted and estimated texts have different sets.
func (m *Meter) framing() model.Framing {
	if m.Exact() {
		return m.model.Counted()
	}
	return m.model.Framing
}

// thoughts returns the cost of a block of reasoning besides its text.
func (m *Meter) thoughts() int64 {
	if m.Exact() && m.estimate.ThoughtsShown {
		return countedThoughts
	}
	return m.estimate.Thoughts
}

// countedThoughts was fitted together with the framing of Counted.
const countedThoughts = 15

// Step returns the tokens that a request adds besides its items.
func (m *Meter) Step(s core.Step) int64 {
	f := m.framing()
	n := f.Results(int64(s.Results)) + int64(s.Users)*f.User
	if s.NewTurn {
		n += int64(s.ReasoningItems) * f.ReasoningItem
	}
	if s.HadReasoning {
		n += f.Reasoned
	}
	return n
}
