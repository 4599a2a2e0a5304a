// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// namedFiles is how many files the row about repeated reads names.
const namedFiles = 3

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

// readAgain returns the value of the row about output of tools that was still in the window when it was read again, "" if there is
// none. It reads the texts of the session once more.
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
	secrets := &redact.Redactor{}
	var names []string
	for _, file := range found.Files() {
		if len(names) == namedFiles {
			break
		}
		name := secrets.Line(file.Path[strings.LastIndexAny(file.Path, `/\`)+1:])
		names = append(names, fmt.Sprintf("%s ×%d", name, file.Lines))
	}
	row := fmt.Sprintf("%s tokens that were still in the window", terminal.Digits(tokens))
	if len(names) > 0 {
		row += " (" + strings.Join(names, ", ") + ")"
	}
	if requests > 0 {
		row += fmt.Sprintf("; %s in all over %s", terminal.Digits(carried), terminal.Count(requests, "request", "requests"))
	}
	return row
}
