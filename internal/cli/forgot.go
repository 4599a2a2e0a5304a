// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// forgotAnswer is the output of --json.
type forgotAnswer struct {
	Schema string `json:"schema"` // ctx.forgot/1
	*api.ForgotAnswer
	Verdict *api.Verdict `json:"verdict"` // null if it is not kept
}

func forgotCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "forgot [SESSION | FILE]",
		Short: "list what a compaction kept, mentioned in its summary, and dropped",
		Example: `  ctx-lsp forgot                    the last compaction of the current session
  ctx-lsp forgot 0197f1c2           a session by its id, the beginning of it, or its transcript
  ctx-lsp forgot --compaction=1     its first compaction
  ctx-lsp forgot --gone             all dropped items, the largest first
  ctx-lsp forgot --all              all items in their order
  ctx-lsp forgot --diff             as a diff between before and after
  ctx-lsp forgot --json             schema ctx.forgot/1`,
		Long: `An item is kept if the agent sends it again word for word, or attaches its file again. It is in the summary if the summary
contains its whole text, its subject (the path or name of its file, its command, its address), or at least two of its
names and a third of them. Names are paths, identifiers and numbers that few other items contain. So "in the summary"
means mentioned, not preserved in full. Values that look like keys, tokens or passwords are removed.`,
		ValidArgsFunction: env.completeSessions,
	}
	flags := c.Flags()
	number := flags.Int("compaction", 0, "show compaction `N` (1 is the first) instead of the last one")
	dropped := flags.Bool("gone", false, "list all dropped items instead of the ten largest things")
	all := flags.Bool("all", false, "list all items in their order")
	diff := flags.Bool("diff", false, "print a diff")
	unredacted := unredactedFlag(flags)
	asJSON := jsonFlag(flags, "print JSON")
	colorMode := colorFlag(flags)
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		switch {
		case err != nil:
		case *number < 0:
			err = errors.New("--compaction must be 1 or more")
		case *dropped && *diff, *all && *diff, *all && *dropped:
			err = errors.New("--gone, --all and --diff cannot be used together")
		}
		if err != nil {
			return env.usageError("forgot", err)
		}
		s, _, chosen := chooseSession(ctx, env, word)
		if chosen != nil {
			return env.chooseFailed(chosen)
		}
		e, err := nativeEngine(env, 1)
		if err != nil {
			return env.fail(err)
		}
		defer e.Close()
		bar := newProgress(env, "forgot", s.Size)
		answer, err := conversation.Forgotten(ctx, s, client.Call(e.Call), *number, *unredacted, bar.reach)
		bar.clear()
		if err != nil {
			if !errors.Is(err, conversation.ErrNeverCompacted) {
				return env.fail(fmt.Errorf("%s: %w", s.Path, err))
			}
			code := env.fail(err)
			if word == "" {
				env.hintCompacted(ctx, s)
			}
			return code
		}
		verdict := verdictOf(ctx, env, e, s, answer)
		color := env.color(colorMode.value)
		switch {
		case *asJSON:
			return env.printJSON(forgotAnswer{"ctx.forgot/1", answer, verdict})
		case *diff:
			conversation.WriteForgottenDiff(env.Stdout, answer, color)
		default:
			list, left := conversation.LargestDropped, ""
			switch {
			case *all:
				list = conversation.AllItems
			case *dropped:
				list = conversation.AllDropped
			}
			if verdict != nil {
				left = verdict.Text.Text
			}
			conversation.WriteForgotten(env.Stdout, answer, left, list, color)
		}
		return exitOK
	})
	return c
}

// hintCompacted names the newest other session of this directory that was compacted, if there is one.
func (env *environment) hintCompacted(ctx context.Context, current transcript.Session) {
	list, _, _, err := env.search().Here(ctx, time.Time{})
	if err != nil {
		return
	}
	slices.SortStableFunc(list, func(a, b transcript.Session) int { return b.Modified.Compare(a.Modified) })
	for _, s := range list {
		if s.Path == current.Path && s.ID == current.ID {
			continue
		}
		c, err := conversation.Read(ctx, s, func(int64) {})
		if err != nil || len(c.Boundaries) == 0 {
			continue
		}
		when := ""
		if at := c.Boundaries[len(c.Boundaries)-1].At; at > 0 {
			when = ", at " + time.UnixMilli(at).UTC().Format("2006-01-02 15:04 UTC")
		}
		env.hintf("an older session of this directory was compacted%s: ctx-lsp forgot %s", when, s.ID)
		return
	}
}

// verdictOf returns the verdict about the compaction; nil if it is not kept.
func verdictOf(ctx context.Context, env *environment, e *engine.Pool, s transcript.Session, a *api.ForgotAnswer) *api.Verdict {
	reading, err := readSession(ctx, env, e, s, nil)
	if err != nil {
		return nil
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return nil
	}
	most := int64(1)
	h, err := client.Call(e.Call).History(ctx, &api.HistoryParams{ID: r.Session, Points: &most}).JSON()
	if err != nil {
		return nil
	}
	history, err := terminal.ParseHistory(h)
	if err != nil {
		return nil
	}
	if i := len(history.Verdicts) - 1 - int(a.Compactions-a.Compaction); i >= 0 {
		return &history.Verdicts[i]
	}
	return nil
}
