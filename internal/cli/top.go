// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

func topCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "top [SESSION | FILE]",
		Short: "show live sessions, the one that compacts next first",
		Example: `  ctx-lsp top                  every session of this machine that changed in the last 24 hours
  ctx-lsp top --here           those of this workspace
  ctx-lsp top --sort=cold      the one whose prompt cache is cold next first
  ctx-lsp top 0197f1c2         one session by its id, the beginning of it, or its transcript
  ctx-lsp top --plain          events instead of a screen, for screen readers and logs
  ctx-lsp top --log            also a line for each measured request, such as
                               estimate 5120 actual 5115 error +5 (+0.1%) ratio 1.07
  ctx-lsp top --plain --otlp=http://host:4318    as a service that sends measurements
  ctx-lsp top | jq .percent    in a pipe: a Reading per line whenever one changes; schema ctx.reading/3`,
		Long: `The arrow keys choose a session and Enter opens its page: what fills its window, its history, the largest items by name,
and what you can remove. / filters, s sorts, ? lists the keys, q quits. A session without a process and without a record
in the last 15 minutes is idle: it is listed last, and dim.

The command runs until q is pressed or it is interrupted.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	f := newLiveFlags(fs)
	f.sort = choiceFlag(fs, "sort", "sort the table by this", "compaction", "full", "age", "agent", "cold")
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		switch {
		case err != nil:
		case word != "" && *f.here:
			err = errors.New("--here cannot be used with a session")
		case *f.since <= 0:
			err = errors.New("--since must be a duration such as 90m or 72h")
		}
		if err != nil {
			return env.usageError("top", err)
		}
		return runLive(ctx, env, f, word)
	})
	return c
}
