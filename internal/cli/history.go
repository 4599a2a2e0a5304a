// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "history",
		summary: "how a session's context grew, and when it was compacted",
		usage: `  ctx-lsp history                          the session in front in this workspace
  ctx-lsp history 0197f1c2                 a session by its id, or the beginning of it
  ctx-lsp history transcript.jsonl --svg=curve.svg
  ctx-lsp history 0197f1c2 --html=session.html    a page to send to somebody: it needs no other file and runs no script
  ctx-lsp history --json
  ctx-lsp history --first                  what the sessions of this workspace began with, and how that changed
  ctx-lsp history --first codex --json     the same of one agent, as JSON, schema ctx.first/1

Flags:
  --first                the first request of each session: what surrounds the conversation
  --svg=FILE             draw a picture instead; - prints it
  --html=FILE            write a page instead: the curve, what fills it at each request, compactions, the largest
                         things by name; light and dark; - prints it
  --hide-paths           show of the paths of files no more than the last element
  --points=N             how many points the curve has at most (200)
  --plain                ASCII and no colour
  --color=auto|always|never
`,
		run: runHistory,
	})
}

func runHistory(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("history")
	asJSON := fs.Bool("json", false, "print the curve as JSON")
	svg := fs.String("svg", "", "draw a picture into this file")
	html := fs.String("html", "", "write a page into this file")
	hide := fs.Bool("hide-paths", false, "show only the last element of paths")
	first := fs.Bool("first", false, "the first request of each session of this workspace")
	points := fs.Int("points", 200, "points of the curve")
	look := lookFlags(fs)
	word, err := parseSession(fs, args)
	switch {
	case err != nil:
	case *svg != "" && *asJSON:
		err = errors.New("it takes --svg or --json, not both")
	case *html != "" && (*asJSON || *svg != ""):
		err = errors.New("it takes one of --html, --svg and --json")
	case *points < 1:
		err = errors.New("--points is at least 1")
	case *first && (*svg != "" || *html != ""):
		err = errors.New("--first draws no picture")
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
	e, err := nativeEngine(env, 1)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	reading, err := readSession(ctx, env, e, s, nil)
	if err != nil {
		return env.fail(err)
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return env.fail(err)
	}
	params := idParams(r.Session)
	params = append(params[:len(params)-1], fmt.Sprintf(`,"points":%d}`, *points)...)
	curve, err := result(e.Call(ctx, "ctx/session/history", params))
	if err != nil {
		return env.fail(err)
	}
	if *asJSON {
		err = env.printLine(withSchema("ctx.history/1", curve))
	} else {
		err = drawHistory(env, curve, r, *svg, look.style(env))
	}
	if err != nil {
		return env.fail(err)
	}
	return exitOK
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
		fmt.Fprintln(env.Stdout, style.Clean(title))
		return terminal.Chart(env.Stdout, h, style)
	}
	return env.writeFile(svg, func(w io.Writer) error { return terminal.SVG(w, h, title, style) })
}

// writeHistoryPage writes the page of one session.
func writeHistoryPage(ctx context.Context, env *environment, word, path string, style terminal.Style) int {
	c, _, failed := readCourse(ctx, env, word)
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
