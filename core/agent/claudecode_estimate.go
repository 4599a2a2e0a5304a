// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Claude Code compares its threshold with the size reported by the last request plus its own estimate of everything
// after that. It assumes four characters per token, two in a JSON file that it has read, and 2,000 tokens for an image.
// From 2.1.329 on, it assumes three characters for models with smaller tokens.
const claudeCodeImage = 2_000

// estimated adds an item to Claude Code's estimate.
func (c *claudeCode) estimated(item *core.Item, dense bool) {
	switch {
	case item.Kind.Reply():
		return // the response reports its own length
	case item.Kind == core.Media:
		c.own += claudeCodeImage
	case dense:
		c.own += (units(item.Text) + 1) / 2
	default:
		each := c.charactersEach()
		c.own += (units(item.Text) + each - 1) / each
	}
	c.Emit(core.OwnEstimate{Tokens: c.own})
}

func (c *claudeCode) charactersEach() int64 {
	if !reader.ParseVersion(c.Version).AtLeast("2.1.329") {
		return 4
	}
	if oldTokens(claudeName(bare(c.Model))) {
		return 4
	}
	return 3
}

// add appends an item, and adds it to Claude Code's estimate.
func (c *claudeCode) add(item core.Item) int {
	index := c.Transcript.Add(item)
	c.estimated(&item, false)
	return index
}

// text appends an item of a kind that is a JSON string, unless it is empty.
func (c *claudeCode) text(kind core.Kind, v json.Value) {
	if v.TextLen() > 0 {
		c.add(c.TextItem(kind, v))
	}
}

// isJSON reports whether Claude Code assumes small tokens for a file with this path.
func isJSON(path json.Value) bool {
	raw := string(path.Raw())
	for _, ending := range []string{`.json"`, `.jsonl"`, `.jsonc"`} {
		if strings.HasSuffix(raw, ending) {
			return true
		}
	}
	return false
}
