// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// usualSummary is the size of Codex's summary if it is encrypted and Codex has not reported the size after the
// compaction. By Codex's own count, no summary is longer than mostSummary.
const (
	usualSummary = 2200
	mostSummary  = 8000
)

// leftByCodex is the content left by a compaction, until Codex reports its own estimate of it.
type leftByCodex struct {
	summary int   // index of the unrecorded summary, plus one; 0 without one
	bytes   int64 // bytes of the recorded history
}

// compacted starts the conversation again. The size of the summary is hidden: it is encrypted, or not in the file at
// all.
func (c *codex) compacted(p json.Value) {
	history := p.Get("replacement_history")
	event := core.Compacted{Auto: c.answered || c.userSent, Recorded: true, Tokens: core.Unknown, Before: core.Unknown}
	message := p.Get("message")
	written := reader.HasText(message) // a provider other than OpenAI has written the summary as text
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
			continue // the hidden one
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

// encryptedSummary reports whether an item is an encrypted summary.
func encryptedSummary(kind json.Value) bool {
	return kind.Is("compaction") || kind.Is("compaction_summary") || kind.Is("context_compaction")
}

func hiddenSummary(tokens int64) core.Item {
	item := reader.NewItem(core.Summary)
	item.Tokens, item.Hidden, item.Label = tokens, true, phrase.SummaryUnrecorded.Text()
	return item
}

// estimated stores Codex's own estimate of the size after a compaction: a quarter of the bytes of its base instructions
// and of the recorded items, and, for the encrypted summary, a quarter of (three quarters of its length less 650). The
// rest of the sum shows the length of the summary: the envelope has only 73 bytes, and a summary has 4.2 bytes per
// token, like eight in real sessions.
func (c *codex) estimated(sum int64) {
	left := c.left
	c.left = leftByCodex{}
	encrypted := sum - (left.bytes+c.instructions)/4
	if left.summary == 0 || c.instructions == 0 || encrypted > mostSummary {
		return // the sum includes more than is recorded
	}
	tokens := int64(0) // the summary is among the recorded items
	if encrypted > 100 {
		tokens = (4*encrypted + 577) * 5 / 21
	}
	c.Emit(core.Replaced{Index: left.summary - 1, Item: hiddenSummary(tokens)})
}
