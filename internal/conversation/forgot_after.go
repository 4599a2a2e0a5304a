// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"fmt"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// After compares the size that the agent itself states for the messages after a compaction with the transcript. All
// numbers use the agent's measure, a quarter of the characters.
type After struct {
	Reported int64
	// Summary, Messages and Attached are the sizes of its parts in the transcript: the summary, the messages kept
	// verbatim, and everything that the agent attaches to them.
	Summary, Messages, Attached int64

	// summaries are the texts of the summary, and added the attached texts that were not in the window before.
	summaries, added []string
}

func after(c *Conversation, b *Boundary, sent *sentAgainTexts) *After {
	a := &After{Reported: b.Carried}
	for _, i := range b.Kept {
		a.Messages += quarter(&c.Items[i])
	}
	for _, i := range b.Along {
		it := &c.Items[i]
		if it.Kind == core.Summary {
			a.Summary += quarter(it)
			a.summaries = append(a.summaries, it.Counted())
			continue
		}
		a.Attached += quarter(it)
		if !sent.taken[it.Text] {
			a.added = append(a.added, it.Counted())
		}
	}
	return a
}

func quarter(it *Item) int64 { return int64(utf8.RuneCountInString(it.Counted()) / 4) }

// Found returns the size of the messages in the transcript.
func (a *After) Found() int64 { return a.Summary + a.Messages + a.Attached }

// allTexts returns the texts to count with the model's vocabulary.
func (a *After) allTexts() []string {
	if a == nil {
		return nil
	}
	return append(append([]string{}, a.summaries...), a.added...)
}

// answer returns the comparison together with the model's counts: counts has those of allTexts, and kept that of the
// kept items. It returns nil for a nil After.
func (a *After) answer(counts []int64, kept int64, basis api.Basis) *api.ForgotAfter {
	if a == nil {
		return nil
	}
	out := &api.ForgotAfter{
		Reported: a.Reported, Found: a.Found(), Summary: a.Summary, Messages: a.Messages, Attached: a.Attached,
		NotFound: a.Reported - a.Found(), KeptTokens: kept,
	}
	for i, n := range counts {
		if i < len(a.summaries) {
			out.SummaryTokens += n
		} else {
			out.AddedTokens += n
		}
	}
	out.Tokens = kept + out.SummaryTokens + out.AddedTokens
	out.Agrees = max(out.NotFound, -out.NotFound)*10 <= out.Reported
	out.Text = explanation(out, basis)
	return out
}

// explanation describes how the agent's size compares with the transcript, and with the count of what was kept.
func explanation(a *api.ForgotAfter, basis api.Basis) string {
	n := terminal.Digits
	text := fmt.Sprintf("The agent reports %s tokens after the compaction, a quarter of the characters. By that measure the transcript contains %s: summary %s, kept messages %s, attached %s.",
		n(a.Reported), n(a.Found), n(a.Summary), n(a.Messages), n(a.Attached))
	switch {
	case a.Agrees:
	case a.NotFound > 0:
		text += fmt.Sprintf(" The other %s are not in the transcript.", n(a.NotFound))
	default:
		text += fmt.Sprintf(" That is %s more than the agent reports.", n(-a.NotFound))
	}
	return text + fmt.Sprintf(" Counted for the model it is %s: kept %s, summary %s, newly attached %s.",
		terminal.Marked(basis, a.Tokens), n(a.KeptTokens), n(a.SummaryTokens), n(a.AddedTokens))
}
