// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/forgot"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "forgot",
		summary: "what a compaction kept of the conversation, what its summary speaks of, what is gone",
		usage: `  ctx-lsp forgot                    the last compaction of the session in front
  ctx-lsp forgot 0197f1c2           of a session by its id, the beginning of it, or its transcript
  ctx-lsp forgot --compaction=1     its first one
  ctx-lsp forgot --gone             only what is gone, the largest first
  ctx-lsp forgot --diff             as a diff: before the compaction, and after it
  ctx-lsp forgot --json             schema ctx.forgot/1

An item is kept when the agent sends it on word for word, or attaches its file again. It is in the summary when the
summary has its whole text, or what it is about (its file by path or by name, its command, its address), or at least two
of its names and a third of them. Names are paths, identifiers and numbers that few other items have. So "in the
summary" means that it is spoken of, not that everything of it is there.

Flags:
  --compaction=N         which one, 1 for the first (the last)
  --gone                 only what is gone
  --diff                 as a diff
  --color=auto|always|never

Exit codes: 0 done, 1 error, 2 usage.
`,
		run: runForgot,
	})
}

// forgotAnswer is what --json prints.
type forgotAnswer struct {
	Schema string `json:"schema"` // ctx.forgot/1
	*api.ForgotAnswer
}

func runForgot(ctx context.Context, env *environment, args []string) int {
	flags := newFlags("forgot")
	asJSON := flags.Bool("json", false, "print JSON")
	number := flags.Int("compaction", 0, "which one")
	gone := flags.Bool("gone", false, "only what is gone")
	diff := flags.Bool("diff", false, "as a diff")
	colorMode := colorFlag(flags)
	word, err := parseSession(flags, args)
	switch {
	case err != nil:
	case *number < 0:
		err = errors.New("--compaction is 1 for the first one, and so on")
	case *gone && *diff:
		err = errors.New("--gone is a list, and --diff another one")
	}
	if err != nil {
		return env.usageError("forgot", err)
	}
	s, _, chosen := chooseSession(ctx, env, word)
	if chosen != nil {
		return env.chooseFailed(chosen)
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	answer, err := forgot.Compare(ctx, s, source.Call(e.Call), *number)
	if err != nil {
		return env.fail(fmt.Errorf("%s: %w", s.Path, err))
	}
	color := env.color(colorMode.value)
	switch {
	case *asJSON:
		return env.printJSON(forgotAnswer{"ctx.forgot/1", answer})
	case *diff:
		writeForgotDiff(env.Stdout, answer, color)
	default:
		writeForgot(env.Stdout, answer, *gone, color)
	}
	return exitOK
}

// forgotMarks are how a list and a diff show the states.
var forgotMarks = map[api.ForgotState]struct{ word, mark, color string }{
	"kept":      {"kept", " ", "\x1b[32m"},
	"inSummary": {"in the summary", " ", "\x1b[33m"},
	"gone":      {"gone", "-", "\x1b[31m"},
	"unknown":   {"not known", "?", "\x1b[2m"},
}

func writeForgot(w io.Writer, a *api.ForgotAnswer, onlyGone, color bool) {
	writeForgotHead(w, a, color)
	items := a.Items
	if onlyGone {
		items = slices.DeleteFunc(slices.Clone(items), func(i api.ForgotItem) bool { return i.State != "gone" })
		slices.SortStableFunc(items, func(x, y api.ForgotItem) int { return int(tokensOf(&y) - tokensOf(&x)) })
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
	by := "asked for"
	if a.Auto {
		by = "by the agent itself"
	}
	when := ""
	if a.At != nil {
		when = ", " + time.UnixMilli(*a.At).UTC().Format("2006-01-02 15:04 UTC")
	}
	head := fmt.Sprintf("Compaction %d of %d, %s%s: %s", a.Compaction, a.Compactions, by, when, a.Text)
	if color {
		head = "\x1b[1m" + head + "\x1b[0m"
	}
	fmt.Fprintln(w, head)
	if a.Reasoning > 0 {
		fmt.Fprintf(w, "Not listed: reasoning, %d times.\n", a.Reasoning)
	}
}

func tokensOf(it *api.ForgotItem) int64 {
	if it.Tokens == nil {
		return 0
	}
	return *it.Tokens
}

// forgotLine is an item without its state.
func forgotLine(it *api.ForgotItem) string {
	tokens := "?"
	if it.Tokens != nil {
		tokens = terminal.Digits(*it.Tokens)
	}
	line := fmt.Sprintf("%9s  %s", tokens, terminal.Name(it.Label))
	if it.Excerpt != "" {
		line += ": " + terminal.Name(it.Excerpt)
	}
	if it.State == "gone" && len(it.Missing) > 0 {
		line += "  (" + terminal.Name(strings.Join(it.Missing[:min(3, len(it.Missing))], ", ")) + ")"
	}
	return line
}

// writeForgotDiff prints what was in the window, what is not there any more marked, and then the summary.
func writeForgotDiff(w io.Writer, a *api.ForgotAnswer, color bool) {
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
