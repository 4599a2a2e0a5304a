// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// drawPicture runs status --picture.
func drawPicture(ctx context.Context, env *environment, word string, top int, asJSON bool, style terminal.Style) int {
	ctx, done := env.hurry(ctx)
	defer done()
	picture, failed := windowPicture(ctx, env, word, top)
	if failed != exitOK {
		return failed
	}
	if asJSON {
		return env.printJSON(picture)
	}
	if err := terminal.Context(env.Stdout, picture, style); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// windowPicture reads a session and returns its picture. If that fails, it prints the error and returns an exit code.
func windowPicture(ctx context.Context, env *environment, word string, top int) (*terminal.Picture, int) {
	e, err := taughtEngine(ctx, env)
	if err != nil {
		return nil, env.fail(err)
	}
	defer e.Close()
	s, children, err := chooseSession(ctx, env, word)
	if err != nil {
		return nil, env.chooseFailed(err)
	}
	reading, err := readSession(ctx, env, e, s, children)
	if err != nil {
		return nil, env.fail(err)
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return nil, env.fail(err)
	}
	most := int64(top)
	items, err := client.Call(e.Call).Items(ctx, &api.ItemsParams{ID: r.Session, Top: &most}).Read()
	if err != nil {
		return nil, env.fail(err)
	}
	picture := terminal.NewPicture(r, items.Items)
	if e, ok := agent.Find(r.Agent); ok {
		picture.AgentName = e.Name
	}
	return picture, exitOK
}
