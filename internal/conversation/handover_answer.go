// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// UsualHandover is the size of a note in tokens unless the client requests another.
	UsualHandover = 2000
	// printedAtMost is how many bytes of a command's output an answer contains.
	printedAtMost = 2000
)

// Handover reads a session and writes its note; most limits the note's tokens. call answers ctx/count. Secrets are
// removed unless unredacted is set. progress is called as by Read.
func Handover(ctx context.Context, s transcript.Session, call client.Call, most int64, unredacted bool, progress func(bytes int64)) (*api.HandoverAnswer, error) {
	c, err := Read(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	if err := c.Redact(ctx, &redact.Redactor{Unredacted: unredacted}); err != nil {
		return nil, err
	}
	f, err := factsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	f.clean()
	head := &noteHead{
		Title: c.Title, Agent: agentName(c.Agent), Model: c.Model, Workspace: c.Workspace, Branch: c.Branch, Session: s.ID,
		Transcript: s.Path, Turns: c.Turns, Compactions: len(c.Boundaries), Skipped: c.Skipped,
	}
	head.Struck = f.struck() + redact.Count(head.Title, head.Branch, head.Model)
	for _, text := range []*string{&head.Title, &head.Model, &head.Workspace, &head.Branch, &head.Session, &head.Transcript} {
		*text = terminal.Sentence(*text)
	}
	if c.Last > 0 {
		head.Last = time.UnixMilli(c.Last).UTC().Format("2006-01-02 15:04 UTC")
	}
	counter := Counter{Model: c.Model, Provider: c.Provider, Call: call}
	text, tokens, err := f.Note(head, most, func(text string) (int64, error) {
		counts, err := counter.Count(ctx, []string{text})
		if err != nil {
			return 0, err
		}
		return counts[0], nil
	})
	if err != nil {
		return nil, err
	}
	out := &api.HandoverAnswer{
		Session: s.ID, Text: text, Tokens: tokens, Basis: counter.Basis, Asked: most,
		FirstAsked: f.First, LastAsked: f.Latest, LastAnswer: f.Answer,
		Todos: []api.HandoverTodo{}, Files: []api.HandoverFile{}, Failing: []api.HandoverFailure{},
		Compactions: int64(len(c.Boundaries)), Skipped: int64(c.Skipped), Struck: int64(head.Struck),
	}
	for _, t := range f.Todos {
		out.Todos = append(out.Todos, api.HandoverTodo{Text: t.Text, State: api.TodoState(t.State)})
	}
	for _, file := range f.Files {
		out.Files = append(out.Files, api.HandoverFile{Path: file.Path, Changes: int64(file.Changes), Reads: int64(file.Reads)})
	}
	for _, each := range f.Failed {
		printed := each.Output
		if over := len(printed) - printedAtMost; over > 0 {
			printed = gap + wordBegin(printed[over:])
		}
		out.Failing = append(out.Failing, api.HandoverFailure{Command: each.Command, Exit: int64(each.Exit), Output: printed, Ago: int64(each.Ago)})
	}
	return out, nil
}

func agentName(id string) string {
	if e, ok := agent.Find(id); ok {
		return e.Name
	}
	return id
}
