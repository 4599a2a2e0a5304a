// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func historyCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "history [SESSION | FILE]",
		Short: "show how a session's context grew, and when it was compacted",
		Example: `  ctx-lsp history                          the current session of this workspace
  ctx-lsp history 0197f1c2                 a session by its id, the beginning of it, or words of its title
  ctx-lsp history transcript.jsonl --svg=chart.svg
  ctx-lsp history 0197f1c2 --html=session.html    a self-contained page without scripts, to send to others
  ctx-lsp history --json
  ctx-lsp history --first                  how the first requests of this workspace's sessions changed
  ctx-lsp history --first codex --json     those of one agent, as JSON, schema ctx.first/1
  ctx-lsp history --first A B              why session B's first request differs from A's, by kind and by name`,
		Long:              `With --first and two sessions, a plus means that the second session has more; --json prints schema ctx.diff/1.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	first := fs.Bool("first", false, "show first requests: the fixed context around the conversation")
	now := fs.Bool("now", false, "with --first A B: compare the next requests instead of the first ones")
	svg := fs.String("svg", "", "write an SVG chart to this `FILE`; - prints it")
	html := fs.String("html", "", "write an HTML page to this `FILE`: chart, breakdown of each request, compactions, largest items; - prints it")
	points := fs.Int("points", 200, "limit the chart to `N` points")
	hide := hidePathsFlag(fs)
	asJSON := jsonFlag(fs, "print JSON")
	look := lookFlags(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		if *first && len(args) == 2 && *svg == "" && *html == "" {
			env.hidePaths = env.hidePaths || *hide
			return runDiff(ctx, env, args, *now, *asJSON)
		}
		word, err := oneSession(args)
		switch {
		case err != nil:
		case *svg != "" && *asJSON:
			err = errors.New("--svg and --json cannot be used together")
		case *html != "" && (*asJSON || *svg != ""):
			err = errors.New("use only one of --html, --svg and --json")
		case wrongPage(*html, ".html"):
			err = fmt.Errorf("--html expects the name of a page that ends in .html, not %q", *html)
		case wrongPage(*svg, ".svg"):
			err = fmt.Errorf("--svg expects the name of a chart that ends in .svg, not %q", *svg)
		case *points < 1:
			err = errors.New("--points must be at least 1")
		case *first && (*svg != "" || *html != ""):
			err = errors.New("--first cannot be used with --svg or --html")
		case *now:
			err = errors.New("--now requires --first and two sessions")
		}
		if err != nil {
			return env.usageError("history", err)
		}
		if *first {
			return runFirst(ctx, env, word, *asJSON)
		}
		env.hidePaths = env.hidePaths || *hide
		if *html != "" {
			return writeHistoryPage(ctx, env, word, *html, look.style(env))
		}
		s, _, err := chooseSession(ctx, env, word)
		if err != nil {
			return env.chooseFailed(err)
		}
		e, err := taughtEngine(ctx, env)
		if err != nil {
			return env.fail(err)
		}
		defer e.Close()
		reading, err := readSession(ctx, env, e, s, nil)
		if err != nil {
			return env.fail(err)
		}
		opening := ""
		if !*asJSON && *svg == "" {
			opening = conversation.Opening(ctx, s)
		}
		if reading, err = client.Call(e.Call).InWords(ctx, reading, "", hostRows(opening, "", "")...); err != nil {
			return env.fail(err)
		}
		r, err := terminal.Parse(reading)
		if err != nil {
			return env.fail(err)
		}
		most := int64(*points)
		curve, err := client.Call(e.Call).History(ctx, &api.HistoryParams{ID: r.Session, Points: &most}).JSON()
		if err != nil {
			return env.fail(err)
		}
		if *asJSON {
			err = env.printLine(withSchema("ctx.history/2", curve))
		} else {
			err = drawHistory(env, curve, r, *svg, look.style(env))
			if *svg == "" && err == nil {
				err = env.printReadAgain(ctx, e, s, look.style(env))
			}
		}
		if err != nil {
			return env.fail(err)
		}
		return exitOK
	})
	return c
}

// wrongPage reports whether a file to write lacks the extension of its content. Such a name is usually that of a
// session.
func wrongPage(path, ext string) bool {
	return path != "" && path != "-" && !strings.EqualFold(filepath.Ext(path), ext)
}

func drawHistory(env *environment, curve []byte, r *api.Reading, svg string, style terminal.Style) error {
	h, err := terminal.ParseHistory(curve)
	if err != nil {
		return err
	}
	title := r.Session
	if r.Model != "" {
		title = r.Model + ", " + r.Session
	}
	switch svg {
	case "":
		if err := terminal.HistoryHead(env.Stdout, r, style); err != nil {
			return err
		}
		if err := terminal.Chart(env.Stdout, h, style); err != nil {
			return err
		}
		if err := terminal.Verdicts(env.Stdout, h.Verdicts, env.Now(), style); err != nil {
			return err
		}
		if err := terminal.ThresholdMoves(env.Stdout, h.Moves, env.Now(), style); err != nil {
			return err
		}
		return terminal.CacheBreaks(env.Stdout, h.Breaks, env.Now(), style)
	}
	return env.writeFile(svg, func(w io.Writer) error { return terminal.SVG(w, h, title, style) })
}

// writeHistoryPage writes the page of one session.
func writeHistoryPage(ctx context.Context, env *environment, word, path string, style terminal.Style) int {
	c, _, failed := readCourse(ctx, env, word, false)
	if failed != exitOK {
		return failed
	}
	page := terminal.HistoryPage{Reading: c.Last, History: c.History, Written: env.Now()}
	for i := range c.Requests {
		page.Filled = append(page.Filled, terminal.Filled{Call: c.Requests[i].Call, Rows: c.Requests[i].Rows})
	}
	page.Largest = c.Requests[len(c.Requests)-1].Items
	if err := env.writeFile(path, func(w io.Writer) error { return terminal.HTML(w, page, style) }); err != nil {
		return env.fail(err)
	}
	return exitOK
}
