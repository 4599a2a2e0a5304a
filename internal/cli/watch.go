// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
)

func init() {
	register(command{
		name:    "watch",
		summary: "one session, live; without a name, all of them, as ctx-lsp top does",
		usage: `  ctx-lsp watch                    all live sessions, as ctx-lsp top shows them
  ctx-lsp watch 0197f1c2           one session by its id, or the beginning of it
  ctx-lsp watch transcript.jsonl   one transcript
  ctx-lsp watch --json             a Reading a line, whenever one changes; in a pipe it is so anyway
  ctx-lsp watch --plain            what happens, a line for each event
  ctx-lsp watch --otlp=http://host:4318  and measurements to a collector of OpenTelemetry
  ctx-lsp watch --log              the same, and a line for each metered request:

  estimate 5120 actual 5115 error +5 (+0.1 %) ratio 1.07

Flags:
  --otlp[=URL]           send measurements there, or where OTEL_EXPORTER_OTLP_ENDPOINT says (docs/telemetry.md)
  --otlp-project=hash|name|none  how they name projects (hash)
` + liveUsage,
		run: runWatch,
	})
}

func runWatch(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("watch")
	f := newLiveFlags(fs)
	fs.Var(&f.otlp, "otlp", "send measurements")
	f.project = projectFlag(fs)
	all := fs.Bool("all", true, "accepted: without a session it is all of them anyway")
	word, err := parseSession(fs, args)
	switch {
	case err != nil:
	case word != "" && *f.here:
		err = errors.New("it takes a session or --here, not both")
	case !*all:
		*f.here = true
	case *f.since <= 0:
		err = errors.New("--since is a time, like 90m or 72h")
	}
	if err != nil {
		return env.usageError("watch", err)
	}
	return runLive(ctx, env, f, word)
}
