// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// printReadAgain prints the row about repeated reads, if there is one.
func (env *environment) printReadAgain(ctx context.Context, e *engine.Pool, s transcript.Session, style terminal.Style) error {
	row := readAgain(ctx, e, s)
	if row == "" {
		return nil
	}
	row = "Read again: " + row + "."
	if !style.Unicode {
		row = strings.ReplaceAll(row, "×", "x")
	}
	_, err := fmt.Fprintln(env.Stdout, style.Clean(row))
	return err
}

// readAgain returns the value of the row about tool output that was still in the window when it was read again, "" if
// there is none: its tokens, the file with most of them, and what all requests contained of it. It reads the session's
// texts once more.
func readAgain(ctx context.Context, e *engine.Pool, s transcript.Session) string {
	c, err := conversation.Read(ctx, s, nil)
	if err != nil {
		return ""
	}
	found := sight.FindRepeats(c)
	counter := conversation.Counter{Model: c.Model, Provider: c.Provider, Call: client.Call(e.Call)}
	err = found.Count(c, func(texts []string) ([]int64, error) { return counter.Count(ctx, texts) })
	if err != nil {
		return ""
	}
	tokens, carried, requests := found.Tokens()
	if tokens == 0 {
		return ""
	}
	row := fmt.Sprintf("%s tokens that were still in the window", core.Short(tokens))
	if files := found.Files(); len(files) > 0 {
		name := (&redact.Redactor{}).Line(files[0].Path[strings.LastIndexAny(files[0].Path, `/\`)+1:])
		row += fmt.Sprintf(" (%s ×%d)", name, files[0].Lines)
	}
	if requests > 0 {
		row += fmt.Sprintf("; sent with %s, %s in all", terminal.Count(requests, "request", "requests"), core.Short(carried))
	}
	return row
}
