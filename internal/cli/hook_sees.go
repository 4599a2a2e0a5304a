// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// mostHookSight bounds the characters of the lists of lines, like those of the MCP tool.
const mostHookSight = 420

// hookSees answers an event before a tool reads a file with the lines that the next request has of it. It answers
// nothing if there are none, and for files outside of the session's workspace, which it does not touch.
func (env *environment) hookSees(ctx context.Context) error {
	event, session, err := env.statuslineProgram().HookEvent(ctx)
	if err != nil {
		return err
	}
	path := event.Input.FilePath
	if path == "" || event.Sender().AnswerRead(event.Name, "") == nil {
		return nil
	}
	c, err := conversation.Read(ctx, session, nil)
	if err != nil {
		return err
	}
	workspace := &sight.Workspace{Root: cmp.Or(c.Workspace, event.Cwd), Inside: true}
	found := workspace.Resolve("", path)
	if found == "" {
		return nil
	}
	content, ok := workspace.Read(found)
	if !ok {
		return nil
	}
	f := sight.New(c, workspace).Of(found, content)
	if n := f.Count(); n[sight.Verbatim]+n[sight.Own] == 0 {
		return nil
	}
	answer, _ := json.Marshal(event.Sender().AnswerRead(event.Name, terminal.Name(path)+": "+f.Brief(mostHookSight)+"."))
	return env.printLine(answer)
}
