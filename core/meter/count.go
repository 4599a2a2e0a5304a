// Copyright The ctx-lsp authors. MIT licence.

package meter

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// Meter counts for one model.
type Meter struct {
	shop     *Shop
	encoding string
	exact    bool
	framing  model.Framing
	family   string
	weights  weights
	image    token.ImageRule
}

// weights are the estimators of a family: of what it reads and, where that
// differs, of what it wrote itself.
type weights struct {
	read, wrote token.Weights
	density     int64
	// opaque is the length of a reasoning block in thousandths of a token for
	// each byte of its signature, and less.
	opaque, less int64
}

var plain = weights{read: token.Weights{O200k: 1000}, wrote: token.Weights{O200k: 1000}, density: 1000}

// weightsOf finds the estimators of a tokenizer family; a family that is not
// known counts as o200k does.
func weightsOf(family string) weights {
	switch family {
	case "claude-v3":
		return weights{read: token.ClaudeV3, wrote: token.ClaudeV3Reply, density: 1200, opaque: 200, less: 20}
	case "claude-v47", "claude-v5":
		return weights{read: token.ClaudeV4, wrote: token.ClaudeV4Reply, density: 1470, opaque: 280, less: 100}
	case "gemini", "gemini-4":
		return weights{read: token.Gemini, wrote: token.Gemini, density: 1210}
	case "grok":
		return weights{read: token.Grok, wrote: token.Grok, density: 1050}
	case "glm4", "glm5", "qwen3", "minimax", "kimi-k2", "deepseek-v3", "mimo":
		return weights{read: token.LikeO200k, wrote: token.LikeO200k, density: 1010}
	}
	return plain
}

// imageOf is how a model charges for images.
func imageOf(m model.Model) token.ImageRule {
	switch m.Family {
	case "claude-v3":
		return token.AnthropicStandard
	case "claude-v47", "claude-v5":
		return token.AnthropicHighRes
	case "gemini":
		if len(m.ID) > 8 && m.ID[:8] == "gemini-2" {
			return token.Gemini2
		}
		return token.Gemini3
	case "gemini-4":
		return token.Gemini3
	case "o200k":
		return openAIImages(m.ID)
	}
	return token.UnknownImages
}

func openAIImages(id string) token.ImageRule {
	switch {
	case begins(id, "gpt-4o-mini"):
		return token.OpenAITiles(2833, 5667)
	case begins(id, "gpt-4o"), id == "gpt-4.1", begins(id, "gpt-4.5"):
		return token.OpenAITiles(85, 170)
	case begins(id, "o1"), begins(id, "o3"):
		return token.OpenAITiles(75, 150)
	case begins(id, "o4-mini"):
		return token.OpenAIPatches(1536, 0, 1720)
	case ends(id, "-mini"):
		return token.OpenAIPatches(1536, 0, 1620)
	case ends(id, "-nano"):
		return token.OpenAIPatches(1536, 0, 2460)
	case id == "gpt-5", begins(id, "gpt-5-chat"), begins(id, "gpt-5.1"):
		return token.OpenAITiles(70, 140)
	}
	return token.OpenAIPatches(30_000, 0, 1200)
}

func begins(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

func ends(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// unknownImage is what an image of unknown size is taken for.
const unknownImage = 1100

// Family names the tokenizer.
func (m *Meter) Family() string {
	if m.family != "" {
		return m.family
	}
	return m.encoding
}

// Density is how many tokens a thousand of o200k become.
func (m *Meter) Density() int64 { return m.weights.density }

// Part counts a piece of a fixed row.
func (m *Meter) Part(p *core.Part) core.Count {
	return core.Count{Tokens: m.text(p.Text, &m.weights.read), Basis: m.basis()}
}

func (m *Meter) basis() core.Basis {
	if m.exact {
		return core.Counted
	}
	return core.Estimated
}

// text counts a text. Without its vocabulary, which hosts are asked to load
// before anything is counted, there is only the simplest estimate.
func (m *Meter) text(text []byte, w *token.Weights) int64 {
	if len(text) == 0 {
		return 0
	}
	t, _, _ := m.shop.Tokenizer(m.encoding)
	if t == nil {
		return token.CharsPerFour(text)
	}
	n := t.Count(text)
	if m.exact {
		return n
	}
	return w.Estimate(n, token.Measure(text))
}

// Item counts an item, with the constants of its kind.
func (m *Meter) Item(it *core.Item) core.Count {
	out := core.Count{Basis: m.basis()}
	f := &m.framing
	read := &m.weights.read
	switch it.Kind {
	case core.Media:
		return m.media(it)
	case core.ToolResults:
		out.Tokens = m.text(it.Text, read) + read.PerItem/1000
		if f.NameCounts && it.Name != "" {
			out.Tokens += m.text([]byte(it.Name), read)
		}
		if it.Error {
			out.Tokens += f.Error
		}
	case core.User:
		out.Tokens = m.text(it.Text, read)
	case core.Assistant:
		out.Tokens = m.text(it.Text, &m.weights.wrote) + f.AssistantText
		out.Basis = core.Estimated
	case core.ToolCalls:
		out.Tokens = m.text(it.Text, &m.weights.wrote) + m.text([]byte(it.Name), &m.weights.wrote) + f.ToolCall
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

// reasoning counts thoughts: by their text, or where that is a summary or
// not shown at all, by the length of the block that stands for them.
func (m *Meter) reasoning(it *core.Item) core.Count {
	n := int64(0)
	if len(it.Text) > 0 {
		n = m.text(it.Text, &m.weights.wrote)
	}
	if it.Opaque > 0 && m.weights.opaque > 0 {
		n = max(n, it.Opaque*m.weights.opaque/1000-m.weights.less)
	}
	return core.Count{Tokens: max(n, 0), Basis: core.Estimated}
}

func (m *Meter) media(it *core.Item) core.Count {
	n, known := int64(0), false
	switch {
	case it.Pages > 0:
		n, known = m.image.Pages(it.Pages)
		if !known {
			n = it.Pages * 1500
		}
	case it.Seconds > 0 && begins(it.MediaType, "video/"):
		n, known = m.image.Video(it.Seconds)
	case it.Seconds > 0:
		n, known = m.image.Audio(it.Seconds)
	case it.Width > 0 && it.Height > 0:
		n, known = m.image.Tokens(it.Width, it.Height)
	}
	if !known && n == 0 {
		n = unknownImage
		if it.Seconds > 0 {
			n = it.Seconds * 32
		}
	}
	if len(it.Text) > 0 {
		n += m.text(it.Text, &m.weights.read)
	}
	return core.Count{Tokens: n, Basis: core.Estimated}
}

// Step is what a request adds beyond its items.
func (m *Meter) Step(s core.Step) int64 {
	n := m.framing.Results(int64(s.Results)) + int64(s.Users)*m.framing.User
	if s.NewTurn {
		n += int64(s.ReasoningItems) * m.framing.ReasoningItem
	}
	return n
}
