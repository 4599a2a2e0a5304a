// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"fmt"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Forgotten reads a session and compares one of its compactions; see [compactionOf]. call answers ctx/count. Secrets
// are removed unless unredacted is set.
func Forgotten(ctx context.Context, s transcript.Session, call client.Call, number int, unredacted bool, progress func(bytes int64)) (*api.ForgotAnswer, error) {
	c, err := Read(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	if err := c.Redact(ctx, &redact.Redactor{Unredacted: unredacted}); err != nil {
		return nil, err
	}
	a, err := compare(ctx, c, call, number)
	if err != nil {
		return nil, err
	}
	a.Session = s.ID
	return a, nil
}

func compare(ctx context.Context, c *Conversation, call client.Call, number int) (*api.ForgotAnswer, error) {
	o, err := compactionOf(c, number)
	if err != nil {
		return nil, err
	}
	counter := Counter{Model: c.Model, Provider: c.Provider, Call: call}
	var texts []string
	for i := range o.Entries {
		texts = append(texts, o.Entries[i].allTexts()...)
	}
	texts = append(texts, o.After.allTexts()...)
	counts, err := counter.Count(ctx, texts)
	if err != nil {
		return nil, err
	}
	out := &api.ForgotAnswer{
		Compaction: int64(o.Number), Compactions: int64(o.Of), Auto: o.Auto, Summary: redact.Clean(o.Summary),
		SummaryTells: o.Summary != "", Items: []api.ForgotItem{}, Reasoning: int64(o.Reasoning), Basis: counter.Basis,
	}
	if out.Basis == "" {
		out.Basis = "counted" // there was nothing to count
	}
	if o.At > 0 {
		out.At = &o.At
	}
	sums := map[State]*api.ForgotSum{Kept: &out.Kept, InSummary: &out.InSummary, Gone: &out.Gone, Unknown: &out.Unknown}
	for i := range o.Entries {
		e := &o.Entries[i]
		n := len(e.allTexts())
		tokens, kept := e.sizes(counts[:n])
		counts = counts[n:]
		if tokens == 0 && !e.Uncount {
			continue // such as a message without a text
		}
		item := api.ForgotItem{
			Kind: e.Kind.String(), Label: terminal.Sentence(e.Label), Excerpt: terminal.Sentence(e.Excerpt), State: api.ForgotState(e.State),
			Kept: kept, Names: int64(e.Names), Found: int64(e.Found), Missing: append([]string{}, e.Missing...),
		}
		if !e.Uncount || tokens > 0 {
			item.Tokens = &tokens
		}
		for i := range item.Missing {
			item.Missing[i] = terminal.Sentence(item.Missing[i])
		}
		out.Struck += int64(redact.Count(append(item.Missing, item.Label, item.Excerpt)...))
		sums[e.State].Items++
		rest := e.State
		if e.State == Kept {
			out.Kept.Tokens += kept
			if rest = Gone; o.Summary == "" {
				rest = Unknown
			}
		}
		sums[rest].Tokens += tokens - kept
		out.Total += tokens
		out.Items = append(out.Items, item)
	}
	out.Struck += int64(redact.Count(out.Summary))
	out.After = o.After.answer(counts, out.Kept.Tokens, out.Basis)
	out.Largest, out.More = largestDropped(out.Items)
	out.Text = sentence(out)
	return out, nil
}

// sentence returns the tokens of each state in one sentence.
func sentence(a *api.ForgotAnswer) string {
	switch {
	case len(a.Items) == 0:
		return "The window contained only reasoning."
	case !a.SummaryTells:
		return fmt.Sprintf("Of %s tokens in the conversation, %s were kept; %s are unknown, because the summary is not recorded.",
			short(a.Total), short(a.Kept.Tokens), short(a.Unknown.Tokens))
	}
	return fmt.Sprintf("Of %s tokens in the conversation, %s were kept, %s are mentioned in the summary, and %s were dropped.",
		short(a.Total), short(a.Kept.Tokens), short(a.InSummary.Tokens), short(a.Gone.Tokens))
}

// short formats a number of tokens for lists, such as 1.5k.
func short(tokens int64) string {
	switch {
	case tokens < 1000:
		return fmt.Sprintf("%d", tokens)
	case tokens < 10_000:
		return strings.Replace(fmt.Sprintf("%.1fk", float64(tokens)/1000), ".0k", "k", 1)
	}
	return fmt.Sprintf("%dk", (tokens+500)/1000)
}
