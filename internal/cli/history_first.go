// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// firstAnswer is the output of --json.
type firstAnswer struct {
	Schema string `json:"schema"` // ctx.first/1
	*api.FirstAnswer
}

// firstsIn reads the newest first requests of sessions started in a directory, for one agent or for all. The daemon
// uses it too.
func (env *environment) firstsIn(ctx context.Context, workspace, of string, most int) (*api.FirstAnswer, error) {
	engines, index := newEngines(env), env.index()
	defer engines.close()
	defer func() { index.Save(env.Now()) }()
	call, done := engines.lazily()
	defer done()
	reader := history.FixedReader{Host: env.host(), Finder: cmp.Or(env.finder, sessions.NewFinder(env.host())), Call: call, HidePaths: env.hidePaths, Windows: env.windows(), Now: env.Now, Remember: index.firstRequest}
	return reader.Of(ctx, workspace, of, most)
}

// runFirst runs history --first.
func runFirst(ctx context.Context, env *environment, word string, asJSON bool) int {
	if word != "" {
		if _, known := agent.Find(word); !known {
			return env.usageError("history", errors.New("--first expects no argument, one agent such as claude-code, or two sessions"))
		}
	}
	f, err := env.firstsIn(ctx, env.workspace(), word, focus.MaxChoices)
	if err != nil {
		return env.fail(err)
	}
	if asJSON {
		return env.printJSON(firstAnswer{"ctx.first/1", f})
	}
	if len(f.Agents) == 0 {
		return env.chooseFailed(fmt.Errorf("%w in %s that has a measured request", focus.ErrNoSession, f.Workspace))
	}
	for i, of := range f.Agents {
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		fmt.Fprintf(env.Stdout, "%s: %s\n", of.Name, of.Sentence)
		fmt.Fprintf(env.Stdout, "  %-10s  %8s  %-36s  model\n", "started", "tokens", "session")
		for _, r := range of.Sessions {
			note := ""
			if r.Continues {
				note = "  continues another conversation"
			}
			fmt.Fprintf(env.Stdout, "  %s  %8s  %-36s  %s%s\n", time.UnixMilli(r.At).In(env.Now().Location()).Format(time.DateOnly), core.Short(r.Setup), terminal.Name(r.Session), terminal.Name(r.Model), note)
		}
	}
	return exitOK
}
