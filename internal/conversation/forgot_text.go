// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"cmp"
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

// A ForgotList is which items of a compaction are listed.
type ForgotList int

// The lists: the largest dropped ones by name, all dropped ones, the largest first, or all in their order.
const (
	LargestDropped ForgotList = iota
	AllDropped
	AllItems
)

// WriteForgotten prints what a compaction kept, summarized and dropped. verdict is what it left and freed, or "".
func WriteForgotten(w io.Writer, a *api.ForgotAnswer, verdict string, list ForgotList, color bool) {
	writeForgotHead(w, a, verdict, color)
	if list == LargestDropped {
		writeLargest(w, a)
		return
	}
	items := a.Items
	if list == AllDropped {
		items = slices.DeleteFunc(slices.Clone(items), func(i api.ForgotItem) bool {
			return i.State == "inSummary" || i.State == "kept" && droppedOf(&i) == 0
		})
		slices.SortStableFunc(items, func(x, y api.ForgotItem) int { return cmp.Compare(droppedOf(&y), droppedOf(&x)) })
	}
	width := tokensWidth(items)
	if len(items) > 0 {
		fmt.Fprintf(w, "\n  %-14s  %*s  item\n", "state", width, "tokens")
	}
	for i := range items {
		it := &items[i]
		mark := forgotMarks[it.State]
		word := fmt.Sprintf("%-14s", mark.word)
		if color {
			word = mark.color + word + "\x1b[0m"
		}
		fmt.Fprintf(w, "  %s  %s\n", word, forgotLine(it, width))
	}
}

// writeLargest prints the largest dropped things, and how many others there are.
func writeLargest(w io.Writer, a *api.ForgotAnswer) {
	if len(a.Largest) == 0 && a.More.Items == 0 {
		return
	}
	if a.SummaryTells {
		fmt.Fprint(w, "\nDropped, the largest first:\n")
	} else {
		fmt.Fprint(w, "\nDropped or in the summary, which is not recorded; the largest first:\n")
	}
	for _, thing := range a.Largest {
		times := ""
		if thing.Items > 1 {
			times = fmt.Sprintf(" ×%d", thing.Items)
		}
		fmt.Fprintf(w, "  %9s  %s%s\n", terminal.Digits(thing.Tokens), named(thing.Label, thing.Excerpt), times)
	}
	switch {
	case a.More.Tokens > 0:
		fmt.Fprintf(w, "  %9s  and %s more\n", terminal.Digits(a.More.Tokens), terminal.Digits(a.More.Items))
	case a.More.Items > 0:
		fmt.Fprintf(w, "  %9s  and %s more of an unknown size\n", "?", terminal.Digits(a.More.Items))
	}
	fmt.Fprintln(w, "\nAll items: --all. Only the dropped ones, each with the names that the summary lacks: --gone.")
}

func writeForgotHead(w io.Writer, a *api.ForgotAnswer, verdict string, color bool) {
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
	if verdict != "" {
		fmt.Fprintln(w, terminal.Sentence(verdict))
	}
	if a.Compaction > 1 {
		fmt.Fprintf(w, "The one before: --compaction=%d.\n", a.Compaction-1)
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

// tokensText returns the tokens of an item, and how many of them are sent again if that is a part.
func tokensText(it *api.ForgotItem) string {
	switch {
	case it.Tokens == nil:
		return "?"
	case it.State == "kept" && it.Kept < *it.Tokens:
		return terminal.Digits(it.Kept) + " of " + terminal.Digits(*it.Tokens)
	}
	return terminal.Digits(*it.Tokens)
}

// tokensWidth returns the width of the column of tokens.
func tokensWidth(items []api.ForgotItem) int {
	width := 9
	for i := range items {
		width = max(width, len(tokensText(&items[i])))
	}
	return width
}

// forgotLine returns the line of an item without its state.
func forgotLine(it *api.ForgotItem, width int) string {
	line := fmt.Sprintf("%*s  %s", width, tokensText(it), named(it.Label, it.Excerpt))
	if it.State == "gone" && len(it.Missing) > 0 {
		line += "  (not in the summary: " + terminal.Name(strings.Join(it.Missing[:min(3, len(it.Missing))], ", ")) + ")"
	}
	return line
}

func named(label, excerpt string) string {
	if excerpt == "" {
		return terminal.Name(label)
	}
	return terminal.Name(label) + ": " + terminal.Name(excerpt)
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
	width := tokensWidth(a.Items)
	for i := range a.Items {
		line(forgotMarks[a.Items[i].State].mark, forgotLine(&a.Items[i], width))
	}
	for text := range strings.Lines(a.Summary) {
		line("+", terminal.Name(strings.TrimRight(text, "\r\n")))
	}
}
