// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "complete",
		summary: "the ids of sessions, for the completion of a shell",
		hidden:  true,
		usage: `  ctx-lsp complete session 01      ids that begin with 01, and what they are of: a tab between the two

The scripts of ctx-lsp completion ask it.
`,
		run: runComplete,
	})
}

// completed is how many sessions are offered, the newest.
const completed = 40

func runComplete(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("complete")
	colorFlag(fs)
	args, err := parseFlags(fs, args)
	if err == nil && (len(args) == 0 || args[0] != "session" || len(args) > 2) {
		err = errors.New("it takes the word session and the beginning of an id")
	}
	if err != nil {
		return env.usageError("complete", err)
	}
	query := source.Query{Limit: completed}
	if len(args) == 2 && args[1] != "" {
		query = source.Query{ID: args[1]}
	}
	sessions, _, err := source.NewFinder(env.host()).Find(ctx, query)
	if err != nil {
		return env.fail(err)
	}
	for _, s := range sessions[:min(len(sessions), completed)] {
		name := s.Agent
		if e, known := agent.Find(s.Agent); known {
			name = e.Name
		}
		about := []string{name}
		if s.Workspace != "" {
			about = append(about, s.Workspace)
		}
		about = append(about, terminal.Age(env.Now().Sub(s.Modified))+" ago")
		fmt.Fprintf(env.Stdout, "%s\t%s\n", terminal.Sentence(s.ID), terminal.Sentence(strings.Join(about, ", ")))
	}
	return exitOK
}

// takesSession says whether a command's argument is a session.
func takesSession(c command) bool {
	switch c.name {
	case "context", "diff", "doctor", "forgot", "handover", "history", "profile", "status", "watch", "whatif":
		return true
	}
	return false
}
