// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
)

func init() {
	register(command{
		name:    "top",
		summary: "all live sessions in a table, the one that compacts next first",
		usage: `  ctx-lsp top                  every session of this machine that changed in the last 24 hours
  ctx-lsp top --here           those of this workspace
  ctx-lsp top --plain          events instead of a screen: for screen readers and for logs
  ctx-lsp top | jq .percent    in a pipe, a Reading a line, whenever one changes; schema ctx.reading/1

The arrows choose a session and Enter opens its page: what fills its window, its course, the largest things by name, and
what could go. / filters, s sorts, ? lists the keys, q quits. A session that no agent holds, and that had no record for
15 minutes, is idle: it is listed last, and faint.

Flags:
` + liveUsage,
		run: runTop,
	})
}

func runTop(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("top")
	f := newLiveFlags(fs)
	args, err := parseFlags(fs, args)
	if err == nil && len(args) > 0 {
		err = errors.New("it takes no arguments; ctx-lsp watch takes a session")
	}
	if err == nil && *f.since <= 0 {
		err = errors.New("--since is a time, like 90m or 72h")
	}
	if err != nil {
		return env.usageError("top", err)
	}
	return runLive(ctx, env, f, "")
}
