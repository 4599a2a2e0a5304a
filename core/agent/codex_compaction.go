// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// usualSummary is the size of Codex's summary where it is encrypted and Codex
// has not said how much is left. No summary is longer than mostSummary by
// Codex's own count.
const (
	usualSummary = 2200
	mostSummary  = 8000
)

// leftByCodex is what a compaction has left, until Codex says how much it
// believes that to be.
type leftByCodex struct {
	summary int   // the index of the summary that no record shows, plus one; 0 without one
	bytes   int64 // of the history that is recorded
}

// compacted begins the conversation anew. The size of the summary is hidden: it
// is encrypted, or not in the file at all.
func (c *codex) compacted(p json.Value) {
	history := p.Get("replacement_history")
	event := core.Compacted{Auto: c.answered || c.userSent, Recorded: true, Tokens: core.Unknown, Before: core.Unknown}
	message := p.Get("message")
	written := reader.HasText(message) // a provider other than OpenAI has written the summary as a text
	legible := written && history.Len() == 0
	if legible {
		summary := reader.NewItem(core.Summary)
		summary.Text, c.Scratch = message.Text(c.Scratch)
		event.Summary, event.Reattached = &summary, usualSummary
	}
	c.Emit(event)
	c.Items, c.answer, c.answered = 0, -1, false
	c.turns = c.turns[:0]
	c.toolsSet, c.compacting = false, false
	c.left = leftByCodex{}
	if legible {
		c.Items = 1
	}
	c.tools.ForgetIndices()
	for e := history.Elements(); e.Next(); {
		kind := e.Value.Get("type")
		if encryptedSummary(kind) {
			continue // it is the hidden one
		}
		c.left.bytes += int64(len(e.Value.Raw()))
		if kind.Is("message") && e.Value.Get("role").Is("assistant") {
			continue
		}
		if written && kind.Is("message") && message.Is(string(c.parts(e.Value.Get("content")))) {
			c.AddText(core.Summary, message)
			continue
		}
		c.item(e.Value)
	}
	if !written {
		c.Add(hiddenSummary(usualSummary))
		c.left.summary = c.Items
	}
	c.answer = -1
}

// encryptedSummary says whether an item is a summary that nobody can read.
func encryptedSummary(kind json.Value) bool {
	return kind.Is("compaction") || kind.Is("compaction_summary") || kind.Is("context_compaction")
}

func hiddenSummary(tokens int64) core.Item {
	item := reader.NewItem(core.Summary)
	item.Tokens, item.Hidden, item.Label = tokens, true, phrase.SummaryUnrecorded.Text()
	return item
}

// estimated records what Codex believes a compaction to have left: a quarter
// of the bytes of its base instructions and of what is recorded, and, for the
// encrypted summary, a quarter of three quarters of its length less 650. The
// rest of the sum tells how long the summary is: the envelope has but 73 bytes,
// and a summary has 4.2 bytes a token, as eight in real sessions had.
func (c *codex) estimated(sum int64) {
	left := c.left
	c.left = leftByCodex{}
	encrypted := sum - (left.bytes+c.instructions)/4
	if left.summary == 0 || c.instructions == 0 || encrypted > mostSummary {
		return // the sum has more in it than is recorded
	}
	tokens := int64(0) // the summary is among what is recorded
	if encrypted > 100 {
		tokens = (4*encrypted + 577) * 5 / 21
	}
	c.Emit(core.Replaced{Index: left.summary - 1, Item: hiddenSummary(tokens)})
}
