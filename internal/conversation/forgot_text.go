// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// forgotMarks are the words, marks and colors of the states in a list and a diff.
var forgotMarks = map[api.ForgotState]struct{ word, mark, color string }{
	"kept":      {"kept", " ", "\x1b[32m"},
	"inSummary": {"in the summary", " ", "\x1b[33m"},
	"gone":      {"dropped", "-", "\x1b[31m"},
	"unknown":   {"unknown", "?", "\x1b[2m"},
}

// WriteForgotten prints what a compaction kept, summarized and dropped. With onlyDropped it prints only what was
// dropped, the largest first.
func WriteForgotten(w io.Writer, a *api.ForgotAnswer, onlyDropped, color bool) {
	writeForgotHead(w, a, color)
	items := a.Items
	if onlyDropped {
		items = slices.DeleteFunc(slices.Clone(items), func(i api.ForgotItem) bool { return i.State != "gone" })
		slices.SortStableFunc(items, func(x, y api.ForgotItem) int { return int(tokensOf(&y) - tokensOf(&x)) })
	}
	if len(items) > 0 {
		fmt.Fprintf(w, "\n  %-14s  %9s  item\n", "state", "tokens")
	}
	for i := range items {
		it := &items[i]
		mark := forgotMarks[it.State]
		word := fmt.Sprintf("%-14s", mark.word)
		if color {
			word = mark.color + word + "\x1b[0m"
		}
		fmt.Fprintf(w, "  %s  %s\n", word, forgotLine(it))
	}
}

func writeForgotHead(w io.Writer, a *api.ForgotAnswer, color bool) {
	by := "by command"
	if a.Auto {
		by = "by the agent itself"
	}
	when := ""
	if a.At != nil {
		when = ", " + time.UnixMilli(*a.At).UTC().Format("2006-01-02 15:04 UTC")
	}
	head := a.Text
	if color {
		head = "\x1b[1m" + head + "\x1b[0m"
	}
	fmt.Fprintln(w, head)
	fmt.Fprintf(w, "Compaction %d of %d, %s%s.\n", a.Compaction, a.Compactions, by, when)
	if a.After != nil {
		fmt.Fprintln(w, a.After.Text)
	}
	if note := redact.Note(int(a.Struck)); note != "" {
		fmt.Fprintln(w, note)
	}
	if a.Reasoning > 0 {
		items := "items"
		if a.Reasoning == 1 {
			items = "item"
		}
		fmt.Fprintf(w, "Not listed: %d %s of reasoning, which no agent keeps.\n", a.Reasoning, items)
	}
}

func tokensOf(it *api.ForgotItem) int64 {
	if it.Tokens == nil {
		return 0
	}
	return *it.Tokens
}

// forgotLine returns the line of an item without its state.
func forgotLine(it *api.ForgotItem) string {
	tokens := "?"
	if it.Tokens != nil {
		tokens = terminal.Digits(*it.Tokens)
		if it.State == "kept" && it.Kept < *it.Tokens {
			tokens = fmt.Sprintf("%s of %s", terminal.Digits(it.Kept), tokens)
		}
	}
	line := fmt.Sprintf("%9s  %s", tokens, terminal.Name(it.Label))
	if it.Excerpt != "" {
		line += ": " + terminal.Name(it.Excerpt)
	}
	if it.State == "gone" && len(it.Missing) > 0 {
		line += "  (not in the summary: " + terminal.Name(strings.Join(it.Missing[:min(3, len(it.Missing))], ", ")) + ")"
	}
	return line
}

// WriteForgottenDiff prints what was in the window, with marks for what is no longer there, followed by the summary.
func WriteForgottenDiff(w io.Writer, a *api.ForgotAnswer, color bool) {
	fmt.Fprintf(w, "--- before compaction %d\n+++ after it\n", a.Compaction)
	line := func(mark, text string) {
		if colors := map[string]string{"-": "\x1b[31m", "+": "\x1b[32m", "?": "\x1b[2m"}; color && colors[mark] != "" {
			text, mark = text+"\x1b[0m", colors[mark]+mark
		}
		fmt.Fprintf(w, "%s%s\n", mark, text)
	}
	for i := range a.Items {
		line(forgotMarks[a.Items[i].State].mark, forgotLine(&a.Items[i]))
	}
	for text := range strings.Lines(a.Summary) {
		line("+", terminal.Name(strings.TrimRight(text, "\r\n")))
	}
}
