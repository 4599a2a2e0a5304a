// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// tokensFlag is a flag whose value is 400k, 1.5M or 120000.
type tokensFlag struct {
	tokens int64
	given  bool
}

func (f *tokensFlag) String() string { return strconv.FormatInt(f.tokens, 10) }

// Type names the value in the help.
func (f *tokensFlag) Type() string { return "tokens" }

func (f *tokensFlag) Set(text string) error {
	number, unit := strings.TrimSpace(text), 1.0
	switch {
	case strings.HasSuffix(number, "k"), strings.HasSuffix(number, "K"):
		number, unit = number[:len(number)-1], 1e3
	case strings.HasSuffix(number, "M"), strings.HasSuffix(number, "m"):
		number, unit = number[:len(number)-1], 1e6
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil || n < 0 || n*unit > 1e12 {
		return errors.New("expected a number of tokens, such as 400k, 1.5M or 120000")
	}
	f.tokens, f.given = int64(n*unit), true
	return nil
}

// whatIfAnswer is the output of --json.
type whatIfAnswer struct {
	Schema   string `json:"schema"` // ctx.whatif/2
	Session  string `json:"session"`
	Model    string `json:"model"`
	Settings struct {
		Window     *int64   `json:"window,omitempty"`
		Threshold  *int64   `json:"threshold"`
		CapResults *int64   `json:"capResults,omitempty"`
		WithoutMCP []string `json:"withoutMcp,omitempty"`
	} `json:"settings"`
	WasThreshold *int64 `json:"wasThreshold"`
	history.Comparison
}

func whatIfCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "whatif [SESSION | FILE]",
		Short: "replay a session under different settings and compare it with what happened",
		Example: `  ctx-lsp whatif 0197f1c2 --window=400k          in a larger window
  ctx-lsp whatif 0197f1c2 --threshold=120k       compacted earlier
  ctx-lsp whatif 0197f1c2 --cap-results=5k       without tool results larger than this
  ctx-lsp whatif 0197f1c2 --without-mcp=github   without a server, its tools and their results
  ctx-lsp whatif --window=400k --threshold=120k --cap-results=5k --json`,
		Long: `Each request adds what it added in the session, minus the excluded content. Compactions happen at the new threshold and
leave as much as the session's own compactions left on average, or the expected size. Cached tokens are scaled by the measured
share. The work is assumed to be the same; an agent that sees less may act differently.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	var window, threshold, most tokensFlag
	fs.Var(&window, "window", "use a window of `N` tokens, with the threshold that the agent's rule gives for it")
	fs.Var(&threshold, "threshold", "compact at `N` tokens; 0 for never")
	fs.Var(&most, "cap-results", "limit each tool result to `N` tokens")
	without := fs.String("without-mcp", "", "leave out the MCP servers `NAME,NAME`")
	asJSON := jsonFlag(fs, "print both as JSON, schema ctx.whatif/2")
	look := lookFlags(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		if err == nil && !window.given && !threshold.given && !most.given && *without == "" {
			err = errors.New("expected at least one of --window, --threshold, --cap-results and --without-mcp")
		}
		if err == nil && window.given && window.tokens == 0 {
			err = errors.New("--window must be at least 1")
		}
		if err != nil {
			return env.usageError("whatif", err)
		}
		c, s, failed := readCourse(ctx, env, word, most.given || *without != "")
		if failed != exitOK {
			return failed
		}
		settings := history.Settings{CapResults: most.tokens}
		if *without != "" {
			settings.WithoutMCP = strings.Split(*without, ",")
		}
		if l := c.Last.Compaction.Landing; l != nil {
			settings.AfterwardOf = (l.Low + l.High) / 2
		}
		answer := whatIfAnswer{Schema: "ctx.whatif/2", Session: c.Last.Session, Model: c.Last.Model, WasThreshold: c.Last.Compaction.Threshold}
		thresholdAt := c.Last.Compaction.Threshold
		if window.given {
			answer.Settings.Window = &window.tokens
			if thresholdAt, err = thresholdOfWindow(ctx, env, s, window.tokens); err != nil {
				return env.fail(err)
			}
			if thresholdAt != nil && *thresholdAt == 0 && !threshold.given {
				return env.fail(fmt.Errorf("a window of %s is smaller than what the agent keeps free; choose a larger one, or a threshold with --threshold", terminal.Digits(window.tokens)))
			}
		}
		if threshold.given {
			thresholdAt = &threshold.tokens
		}
		if thresholdAt != nil {
			settings.Threshold = *thresholdAt
		}
		if most.given {
			answer.Settings.CapResults = &most.tokens
		}
		answer.Settings.Threshold, answer.Settings.WithoutMCP = thresholdAt, settings.WithoutMCP
		asked := settings
		if !threshold.given {
			asked.Threshold = 0 // what a rule gives for a window is shown, however small
		}
		if err := c.Check(asked); err != nil {
			return env.fail(err)
		}
		answer.Comparison = c.WhatIf(settings)
		if *asJSON {
			return env.printJSON(answer)
		}
		out := terminal.Comparison{
			Title: c.Last.Model + ", " + c.Last.Session, Settings: describeSettings(&answer),
			Was: runOf(&answer.Was), Would: runOf(&answer.Would), WasThreshold: answer.WasThreshold, Threshold: thresholdAt, CacheMeasured: answer.CacheMeasured,
		}
		if err := terminal.WhatIf(env.Stdout, out, look.style(env)); err != nil {
			return env.fail(err)
		}
		return exitOK
	})
	return c
}

// describeSettings describes the settings in the terms of the flags.
func describeSettings(a *whatIfAnswer) string {
	var parts []string
	if a.Settings.Window != nil {
		parts = append(parts, "a window of "+terminal.Digits(*a.Settings.Window))
	}
	if a.Settings.CapResults != nil {
		parts = append(parts, "no result over "+terminal.Digits(*a.Settings.CapResults))
	}
	if len(a.Settings.WithoutMCP) > 0 {
		parts = append(parts, "without "+strings.Join(a.Settings.WithoutMCP, " and "))
	}
	if a.Settings.Threshold != nil && *a.Settings.Threshold > 0 {
		parts = append(parts, "compacted at "+terminal.Digits(*a.Settings.Threshold))
	} else {
		parts = append(parts, "never compacted")
	}
	return strings.Join(parts, ", ")
}

// runOf returns a run in the form that the terminal draws.
func runOf(r *history.Run) terminal.Run {
	run := terminal.Run{Calls: r.Calls, Compactions: int64(len(r.Compactions)), Input: r.Input, CacheRead: r.CacheRead, Highest: r.Highest, Curve: &api.HistoryAnswer{}}
	for _, p := range r.Curve {
		run.Curve.Points = append(run.Curve.Points, api.HistoryPoint{Call: p.Call, Used: p.In})
	}
	for i := range r.Compactions {
		c := r.Compactions[i]
		run.Curve.Compactions = append(run.Curve.Compactions, api.HistoryCompaction{Call: c.Call, Before: &c.Before, After: &c.After})
	}
	return run
}

// readCourse reads a session request by request; see [history.Read] for items. If something fails, it prints the error
// and returns an exit code.
func readCourse(ctx context.Context, env *environment, word string, items bool) (*history.Course, transcript.Session, int) {
	s, _, err := chooseSession(ctx, env, word)
	if err != nil {
		return nil, s, env.chooseFailed(err)
	}
	e, err := taughtEngine(ctx, env)
	if err != nil {
		return nil, s, env.fail(err)
	}
	defer e.Close()
	bar := newProgress(env, "reading", s.Size)
	call := bar.through(e.Call)
	c, err := history.Read(ctx, env.machine().Feed(s, call), call, items)
	bar.clear()
	if err != nil {
		return nil, s, env.fail(fmt.Errorf("%s: %w", s.Path, err))
	}
	return c, s, exitOK
}

// thresholdOfWindow returns the compaction threshold of the agent's rule for a window. The window is set after the
// session has been read: requests that were sent under another window show nothing about the threshold under this one.
func thresholdOfWindow(ctx context.Context, env *environment, s transcript.Session, window int64) (*int64, error) {
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	machine := env.machine()
	machine.Windows = nil
	feed := machine.Feed(s, e.Call)
	if _, err := feed.Read(ctx); err != nil {
		return nil, err
	}
	r, err := client.Call(e.Call).Update(ctx, &api.UpdateParams{ID: feed.ID, Limits: &api.Limits{Window: &window}}).Read()
	if err != nil {
		return nil, err
	}
	return r.Compaction.Threshold, nil
}
